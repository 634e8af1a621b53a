/** Kills one harvest of a site of 2,000 pages fifty times with SIGKILL: at its start, during recovery and while it fetches. The
 *  result must equal that of an undisturbed harvest. Most kills are triggered by a number of further requests to the site,
 *  independent of the speed of the machine; that number, and the time of the other kills, come from a seed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectWhole, harvestOf, isFinished, jobsOf, prepared, randomFrom } from './killedHarvest.ts'
import { loupe, startLoupe } from './loupeProcess.ts'
import { startManyPages, type ManyPages } from './sites/manyPages.ts'

const killsCount = 50
const pagesCount = 2_000
const seed = Number(process.env['LOUPE_SEED'] ?? 1)
const chance = randomFrom(seed)

let site: ManyPages
let folder: string

beforeAll(async () => {
  site = await startManyPages(pagesCount)
  folder = await mkdtemp(join(tmpdir(), 'loupe-kill-often-'))
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

test(`seed ${seed}: fifty kills in one harvest leave what none leaves`, { timeout: 900_000 }, async () => {
  const archive = join(folder, 'killed')
  await prepared(archive, { fileBytesMax: 400_000 })
  let afterFetches = 0
  for (let kills = 0; kills < killsCount; kills += 1) {
    const process = startLoupe(harvestOf(archive, site))
    // Every fifth kill occurs at a random time during start and recovery; the others after further requests to the site.
    if (kills % 5 === 4) await Promise.race([sleep(chance(900)), process.ended])
    else afterFetches += (await asked(1 + chance(45), process.ended)) ? 1 : 0
    process.child.kill('SIGKILL')
    await process.ended
  }
  // If all kills came too early or too late, the test would prove nothing.
  expect(afterFetches).toBe((killsCount * 4) / 5)
  expect((await jobsOf(archive)).map(({ ended }) => ended)).toEqual([null])
  const { code, stderr } = await loupe(...harvestOf(archive, site))
  expect(code, stderr).toBe(0)
  expect(await isFinished(archive)).toBe(true)
  await expectWhole(archive, site)
})

/** Waits until `count` more pages were requested from the site; false when the process ended before that. */
async function asked(count: number, ended: Promise<unknown>): Promise<boolean> {
  let isOver = false
  void ended.then(() => (isOver = true))
  const until = site.requests.length + count
  while (!isOver && site.requests.length < until) await sleep(1)
  return !isOver
}
