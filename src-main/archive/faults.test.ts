/** Faults that the archive must survive, one per row, each checked against the invariants of `invariants.ts`: wrong content, drive
 *  failures, faults during an action, a kill between any two steps, a power cut at any call, and databases and files from
 *  different times. The tests print the number of positions. The tests of `storing.ts`, `preservation.ts` and `repair.ts` cover
 *  the messages in each case. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from '../contract/words/render.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { openStore } from '../storage/storage.ts'
import { realWorld } from '../world/real.ts'
import { sampleOf } from '../world/testing/sample.ts'
import { seededWorld } from '../world/testing/seeded.ts'
import type { World } from '../world/world.ts'
import {
  diskFaults,
  diskFaultsAt,
  everyAction,
  everySetting,
  filled,
  harms,
  withLastingFault,
  lastingFaults,
  powerCuts,
  put,
  replicaFaults,
  settings,
  sourceOf,
  truth,
  type ActionName,
  type DiskFaultName,
  type Driven,
  type Harm,
  type LastingFaultName,
  type Setting,
} from './testing/faultDrives.ts'
import { momentDatabase, momentsOf } from './testing/faultMoments.ts'
import { invariants } from './testing/invariants.ts'
import { openArchiveFixture, recover } from './testing/archiveFixture.ts'
import { temporaryName } from './files/names.ts'
import type { ReplicaFault } from './testing/faultyReplica.ts'

const root = mkdtempSync(join(tmpdir(), 'loupe-faults-'))
let positions = 0
afterAll(() => {
  rmSync(root, { recursive: true })
  console.log(`${positions} positions of faults were driven`)
})

/** Both kinds of replicas, and three of them. */
const wide = 'two replicas and checksums'
const replicasOf = (setting: Setting) => settings[setting]('/').map(({ name }) => name)
const harmNames = Object.keys(harms) as (keyof typeof harms)[]

interface Case {
  setting: Setting
  /** Damage per replica. */
  harm: Partial<Record<string, Harm>>
  checkedBy?: 'user' | 'schedule'
  isSourceLeft?: boolean
}

async function answersTo(world: World, folder: string, { setting, harm, checkedBy = 'user', isSourceLeft }: Case) {
  const places = settings[setting](folder)
  const store = openStore(':memory:')
  const kept = await filled(world, store, places, join(folder, 'archive'))
  for (const place of places) await harm[place.name]?.(world.disk, place)
  const sources = [...truth.keys()].map((name): [string, string] => [name, sourceOf(join(folder, 'archive'), name)])
  const answers = await invariants({ kept, truth, sources: new Map(isSourceLeft ? sources : []), checkedBy })
  await kept.close()
  store.close()
  positions += 1
  return answers
}

function seeded(each: Case): Promise<string[]> {
  const world = seededWorld({ seed: positions + 1 })
  return world.run(answersTo(world, '/', each))
}

describe('a replica contains other content than was stored', () => {
  const rows = harmNames.flatMap((harm) => everySetting.map((setting) => [harm, setting] as const))

  test.each(sampleOf(rows))('%s, with %s, found by a manual or a scheduled check', async (what, setting) => {
    for (const replica of replicasOf(setting)) {
      const harm = { [replica]: harms[what] }
      expect(await seeded({ setting, harm, checkedBy: 'user', isSourceLeft: true })).toEqual([])
      expect(await seeded({ setting, harm, checkedBy: 'schedule' })).toEqual([])
    }
  })
  test.each(sampleOf(rows))('%s, with %s, on a real disk', async (what, setting) => {
    const [, replica = ''] = replicasOf(setting)
    const folder = mkdtempSync(join(root, 'case-'))
    const answers = await answersTo(realWorld(), folder, { setting, harm: { [replica]: harms[what] } })
    expect(answers).toEqual([])
  })
})

test('a rename that every disk lost after reporting success: a restart keeps the last bytes', async () => {
  const world = seededWorld({ seed: 1 })
  const places = settings['two replicas']('/')
  const store = openStore(':memory:')
  const lost = harms['a rename that the disk lost although it had reported success']
  await world.run(filled(world, store, places, '/archive'))
  for (const place of places) await world.run(lost(world.disk, place))
  const kept = await world.run(openArchiveFixture({ world, store, places, folder: '/archive' }))
  await world.run(recover(kept))
  for (const { folder } of places) {
    const path = join(folder, temporaryName('a.warc.gz'))
    expect(Buffer.from(await world.run(world.disk.read(path, 1e6))).toString()).toBe(truth.get('a.warc.gz'))
  }
  expect(await world.run(invariants({ kept, truth, sources: new Map() }))).toEqual([])
})

describe('replicas that disagree', () => {
  const flipped = harms['a flipped byte']
  const other = harms['a file of the same name with other content']
  const short = harms['a truncated file']
  const gone = harms['a missing file']
  const rows: [what: string, Case][] = [
    ['one of two', { setting: 'two replicas', harm: { one: flipped } }],
    ['both of two, each in its own way', { setting: 'two replicas', harm: { one: flipped, two: other } }],
    ['both of two, in the same way', { setting: 'two replicas', harm: { one: other, two: other } }],
    ['one of three', { setting: 'three replicas', harm: { two: other } }],
    ['two of three, each in its own way', { setting: 'three replicas', harm: { one: flipped, three: other } }],
    ['two of three, in the same way', { setting: 'three replicas', harm: { two: other, three: other } }],
    ['all three different', { setting: 'three replicas', harm: { one: flipped, two: other, three: short } }],
    ['all three the same, and wrong', { setting: 'three replicas', harm: { one: other, two: other, three: other } }],
    ['both files, not the checksums', { setting: 'two replicas and checksums', harm: { one: flipped, two: other } }],
    ['one file and the checksums', { setting: 'two replicas and checksums', harm: { two: flipped, sums: other } }],
  ]
  test.each(sampleOf(rows))('%s', async (_, each) => {
    expect(await seeded(each)).toEqual([])
    expect(await seeded({ ...each, checkedBy: 'schedule', isSourceLeft: true })).toEqual([])
  })

  test.each(everySetting)('any content in any replica of %s', async (setting) => {
    const may = [undefined, flipped, other, gone]
    let combinations: Record<string, Harm | undefined>[] = [{}]
    for (const replica of replicasOf(setting))
      combinations = combinations.flatMap((before) => may.map((harm) => ({ ...before, [replica]: harm })))
    for (const harm of combinations) expect(await seeded({ setting, harm })).toEqual([])
  })
})

describe('a damaged or missing drive', () => {
  const actions = ['store', 'check of checksums', 'replacing a bad copy', 'restoring a missing copy'] as const
  const rows = (Object.keys(lastingFaults) as LastingFaultName[]).flatMap((lastingFault) =>
    actions.map((action) => [lastingFault, action] as const),
  )

  test.each(sampleOf(rows))('a replica %s: %s', async (lastingFault, action) => {
    for (const setting of ['three replicas', wide] as const)
      for (const victim of replicasOf(setting)) {
        positions += 1
        expect(
          await withLastingFault({ setting, action, target: 'one', seed: positions }, victim, lastingFault),
        ).toEqual([])
      }
  })
})

/** Every position of a drive is good. Gives at how many of them something happened: at the last one it was over before. */
async function struckIn(driving: Promise<Driven>): Promise<number> {
  const driven = await driving
  positions += driven.positions
  expect(driven.sentences).toEqual([])
  return driven.positions - 1
}

/** And something happened in it. */
async function expectGood(driving: Promise<Driven>): Promise<void> {
  expect(await struckIn(driving)).toBeGreaterThan(0)
}

const mending: ActionName[] = ['store', 'check of checksums', 'replacing a bad copy', 'restoring a missing copy']

describe('an event during an action', () => {
  const faults: [what: string, ReplicaFault][] = [
    ['vanishes', { kind: 'leaves' }],
    ['is slow', { kind: 'slows', ms: 60_000 }],
    ['loses a file', { kind: 'damages', how: 'lost' }],
    ['has a bit turned over', { kind: 'damages', how: 'flipped' }],
  ]
  const rows = faults.flatMap(([what, fault]) => mending.map((action) => [what, action, fault] as const))
  test.each(sampleOf(rows))('a replica %s at any step: %s', async (_, action, fault) => {
    for (const victim of replicasOf('two replicas'))
      await expectGood(replicaFaults({ setting: 'two replicas', action, target: 'one', seed: 1 }, victim, fault))
  })

  const refusals = (Object.keys(diskFaults) as DiskFaultName[]).flatMap((fault) =>
    mending.map((action) => [fault, action] as const),
  )
  test.each(sampleOf(refusals))('a disk at any call, %s: %s', async (fault, action) => {
    let struck = 0
    for (const victim of replicasOf(wide))
      struck += await struckIn(diskFaultsAt({ setting: wide, action, target: 'one', seed: 1 }, victim, fault))
    // A check writes nothing in a replica, so only a disk that is gone can hinder it.
    expect(struck > 0).toBe(action !== 'check of checksums' || fault === 'it vanishes')
  })
})

describe('a kill or a power failure', () => {
  const rows = everyAction.flatMap((action) => everySetting.map((setting) => [action, setting] as const))
  test.each(sampleOf(rows))('kill -9 between any two steps: %s, with %s', async (action, setting) => {
    for (const victim of replicasOf(setting))
      await expectGood(replicaFaults({ setting, action, target: 'one', seed: 1 }, victim, { kind: 'stops' }))
  })
  test.each(sampleOf(rows))('a power cut at any call: %s, with %s', async (action, setting) => {
    await expectGood(powerCuts({ setting, action, target: 'one', seed: 2 }))
  })
  test.each(['replacing a bad copy', 'restoring a missing copy'] as const)(
    'a power cut at any call: %s, of an entry of checksums',
    (action) => expectGood(powerCuts({ setting: wide, action, target: 'sums', seed: 3 })),
  )
})

describe('a database and files from different times', () => {
  const rows: [ActionName, Setting][] = [
    ['store', 'two replicas'],
    ['store', wide],
    ['replacing a bad copy', 'three replicas'],
    ['replacing a bad copy', wide],
    ['restoring a missing copy', wide],
  ]
  test.each(sampleOf(rows))('before, in the middle of and after: %s, with %s', async (action, setting) => {
    const folder = mkdtempSync(join(root, 'moments-'))
    const drive = { setting, action, target: 'one', seed: 4 }
    const moments = await momentsOf(drive, folder)
    expect(moments.databases.length).toBeGreaterThan(3)
    for (const path of moments.databases) {
      const database = momentDatabase(drive, path)
      for (const files of moments.files) {
        expect(await database.over(files, positions % 2 === 0)).toEqual([])
        positions += 1
      }
      database.close()
    }
  })

  test('an older database is detected by the audit log, whose head file is newer', async () => {
    const world = realWorld()
    const folder = mkdtempSync(join(root, 'yesterday-'))
    const places = settings['two replicas'](folder)
    const yesterday = await filled(world, openStore(join(folder, 'loupe.db')), places, folder, false)
    await yesterday.close()
    yesterday.store.close()
    copyFileSync(join(folder, 'loupe.db'), join(folder, 'backup.db'))
    const today = await openArchiveFixture({ world, store: openStore(join(folder, 'loupe.db')), places, folder })
    expect(await put(today, folder, 'a.warc.gz')).toEqual({ state: 'stored' })
    await today.close()
    today.store.close()
    const back = await openArchiveFixture({ world, store: openStore(join(folder, 'backup.db')), places, folder })
    const { whole, message: said, witness } = await back.reporting.verifyAudit()
    expect([whole, witness.state]).toEqual([false, 'contradicts'])
    expect(textOf(said)).toContain('the database is older')
    back.store.close()
  })
})
