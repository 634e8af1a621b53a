/** Checks of a large archive. How long each blocks other work is printed and not asserted, since a machine may be busy. */
import { expect, test } from 'vitest'
import { openStore, type Store } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import type { World } from '../../world/world.ts'
import { openArchive } from '../store/archive.ts'
import { memoryReplica } from '../testing/memoryReplica.ts'
import { openChecks } from '../testing/openChecks.ts'
import { openSpotChecks } from './spotChecks.ts'
import { isWhole } from '../../world/testing/sample.ts'

/** A run of `npm test` needs no million: its durations are not asserted. */
const filesCount = isWhole ? 1_000_000 : 100_000

function filled(): Store {
  const store = openStore(':memory:')
  const fill = [
    `INSERT INTO archive_file (id, name, bytes, sha256, kind, registered_ms, stored_ms)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${filesCount})
     SELECT i, 'harvest-' || i || '.warc.gz', 9, 'good' || i, 'content', i, i FROM n`,
    `INSERT INTO replica_file (file_id, replica, upload_state) SELECT id, 'one', 'UPLOAD_COMPLETED' FROM archive_file`,
  ]
  for (const sql of fill) store.statement(sql).run({})
  return store
}

/** Measures the longest time for which `act` let no other work of this thread run, and its whole duration. */
async function heldMs(act: () => Promise<unknown>): Promise<{ heldMs: number; allMs: number }> {
  let [longestMs, lastMs] = [0, performance.now()]
  const beganMs = lastMs
  const look = () => {
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
  }
  const timer = setInterval(look, 1)
  await act()
  look()
  clearInterval(timer)
  return { heldMs: longestMs, allMs: performance.now() - beganMs }
}

test(`${filesCount} files: begun, sampled, measured beforehand, and a list taken away`, async () => {
  const store = filled()
  const world: World = realWorld()
  const archive = await openArchive({
    store,
    world,
    replicas: [{ name: 'one', folder: '/one' }],
    replicaAt: ({ place, rules }) =>
      memoryReplica({ world, name: place.name, rules, bytesMax: () => 2 ** 40, held: new Map() }),
  })
  const bugs: unknown[] = []
  const { preservation, tasks, close } = await openChecks({ archive, store, world, onBug: (error) => bugs.push(error) })
  const tell = async (what: string, act: () => Promise<unknown>) => {
    const { heldMs: held, allMs } = await heldMs(act)
    console.log(`${what}: ${allMs.toFixed(0)} ms, other work blocked for ${held.toFixed(0)} ms`)
  }
  const begunAndStopped = async (sample?: number, files?: string) => {
    const { task, filesTotal } = await preservation.check({ kind: 'missing', sample, files })
    await tasks.stop(task)
    return filesTotal
  }
  await tell('measured beforehand', () => preservation.estimate({ kind: 'checksums' }))
  await tell('a check of all', async () => expect(await begunAndStopped()).toBe(filesCount))
  await tell('a sample of 1,000', async () => expect(await begunAndStopped(1_000)).toBe(1_000))
  await tell('a pattern', async () => expect(await begunAndStopped(undefined, '7\\.warc')).toBe(filesCount / 10))
  const spots = await openSpotChecks({ replicas: archive.places, limits: archive.limits, store, tasks, world })
  await tell('a spot check', () => spots.run({ files: 10, by: 'user' }))
  store.statement(`UPDATE preservation_item SET done_ms = id`).run({})
  store.statement(`DROP TRIGGER task_state_moves`).run({})
  store.statement(`UPDATE task SET state = 'DONE'`).run({})
  await close()
  const again = await openChecks({ archive, store, world, onBug: (error) => bugs.push(error) })
  const left = store.statement<object, { left: number }>(
    `SELECT COUNT(*) AS left FROM preservation_check WHERE list <> 'cleared'`,
  )
  await tell('the lists taken away', async () => {
    while ((left.get({})?.left ?? 0) > 0) await world.clock.sleep(5)
  })
  const none = store.statement<object, { items: number }>(`SELECT COUNT(*) AS items FROM preservation_item`)
  expect([none.get({})?.items, bugs]).toEqual([0, []])
  await again.close()
  store.close()
}, 900_000)
