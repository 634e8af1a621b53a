/** The engine is killed with kill -9 while a job delivers to a search engine, and while the job is being deleted. In the end the search engine
 *  has had each document, committed, and holds none of a job that is gone. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { OutputRow } from '../src-main/contract/services/outputs.ts'
import { searchServer } from '../src-main/delivery/testing/searchServer.ts'
import { sampleSeed } from '../src-main/world/testing/sample.ts'
import { harvestOf, isFinished, prepared, randomFrom } from './killedHarvest.ts'
import { loupe, loupeHere, loupeJson, startLoupe, type LoupeProcess } from './loupeProcess.ts'
import { startManyPages } from './sites/manyPages.ts'

const seed = Number(process.env['LOUPE_SEED'] ?? sampleSeed)
const chance = randomFrom(seed)
const pagesCount = 120
const killsCount = 3

/** Waits until the condition holds, or the process has ended. */
async function untilEither(condition: () => boolean, { ended }: LoupeProcess): Promise<void> {
  let isOver = false
  void ended.then(() => (isOver = true))
  while (!isOver && !condition()) await sleep(1)
}

async function killed(process: LoupeProcess): Promise<void> {
  process.child.kill('SIGKILL')
  await process.ended
}

test(
  `seed ${seed}: an output has each document after kills, and none after the deletion of the job`,
  { timeout: 900_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-output-kill-'))
    const [site, server] = [await startManyPages(pagesCount), await searchServer({ delayMs: 20 })]
    onTestFinished(async () => {
      await Promise.all([site.close(), server.close()])
      await rm(folder, { recursive: true, force: true })
    })
    const archive = join(folder, 'archive')
    await prepared(archive)
    const words = ['--archive', archive]
    const url = `${server.url}/solr/pages`
    const added = await loupeHere(...words, 'outputs', 'add', 'index', '--connector', 'solr', '--url', url)
    expect(added.code, added.stderr).toBe(0)

    // While the job runs.
    const run = [...harvestOf(archive, site), '--deliver-to', 'index']
    const texts = site.urls.filter((each) => !/\/(own|picture|robots)/.test(each))
    for (let kills = 0; kills < killsCount && !(await isFinished(archive)); kills += 1) {
      const process = startLoupe(run)
      const until = server.accepted.size + 1 + chance(Math.floor(texts.length / killsCount))
      await untilEither(() => server.accepted.size >= until, process)
      await killed(process)
    }
    if (!(await isFinished(archive))) {
      const { code, stderr } = await loupe(...run)
      expect(code, stderr).toBe(0)
    }
    expect([...server.held.keys()].toSorted()).toEqual(texts.toSorted())
    expect([...server.visible].toSorted()).toEqual(texts.toSorted())
    const row = (await loupeJson(...words, 'outputs', 'show', 'index')) as OutputRow
    expect(row).toMatchObject({ counts: { delivered: texts.length, waiting: 0, failed: 0 }, pending: 0 })

    // While it is deleted.
    const removed = await loupeHere(...words, 'job', 'delete', '1', '--yes')
    expect(removed.code, removed.stderr).toBe(0)
    for (let kills = 0; kills < killsCount && server.held.size > 0; kills += 1) {
      const process = startLoupe([...words, 'serve', '--port', '0'])
      // Of a batch all documents are removed at once, so that fewer may be left.
      const until = Math.max(0, server.held.size - 1 - chance(Math.floor(texts.length / killsCount)))
      await untilEither(() => server.held.size <= until, process)
      await killed(process)
    }
    const last = startLoupe([...words, 'serve', '--port', '0'])
    const isGone = async () => (await loupeJson(...words, 'jobs')) as unknown[]
    await untilEither(() => server.held.size === 0 && server.visible.size === 0, last)
    await expect.poll(isGone, { timeout: 240_000 }).toEqual([])
    await killed(last)
    expect(server.held.size).toBe(0)
    expect((await loupeJson(...words, 'outputs', 'show', 'index')) as OutputRow).toMatchObject({
      counts: { delivered: 0, waiting: 0, failed: 0, removed: texts.length },
      jobs: 0,
    })
  },
)
