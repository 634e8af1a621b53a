/** The engine is killed with kill -9 at twenty random moments of a harvest: while it fetches, stores files, and
 *  starts. In the end the archive must contain what an undisturbed run leaves: the same addresses, none twice,
 *  correct digests, and equal replicas. The moments come from a seed, which the test prints, and need not be hit
 *  exactly. Every fourth kill is triggered by a number of requests to the site, independent of the speed of the
 *  machine. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '../src-main/contract/contract.ts'
import { servicesOver } from '../src-main/contract/calls/service.ts'
import { httpLink } from '../src-main/shells/server/httpLink.ts'
import { expectWhole, harvestOf, isFinished, jobsOf, prepared, randomFrom } from './killedHarvest.ts'
import { loupe, startLoupe } from './loupeProcess.ts'
import { startManyPages, type ManyPages } from './sites/manyPages.ts'
import { sampleOf, sampleSeed } from '../src-main/world/testing/sample.ts'

const killsCount = 20
const seed = Number(process.env['LOUPE_SEED'] ?? sampleSeed)
const chance = randomFrom(seed)

let site: ManyPages
let folder: string
let undisturbedMs: number
let halfDone = 0

beforeAll(async () => {
  site = await startManyPages(150)
  folder = await mkdtemp(join(tmpdir(), 'loupe-kill-'))
  const archive = join(folder, 'undisturbed')
  await prepared(archive)
  const beganMs = performance.now()
  const { code, stderr } = await loupe(...harvestOf(archive, site))
  undisturbedMs = performance.now() - beganMs
  expect(code, stderr).toBe(0)
  await expectWhole(archive, site)
})

afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

const all = Array.from({ length: killsCount }, (_, index) => index)
const isInTheMiddle = (index: number) => index % 4 === 0
// Enough of the kills in the middle for the last test.
const indexes = [
  ...sampleOf(all.filter(isInTheMiddle), 4),
  ...sampleOf(
    all.filter((index) => !isInTheMiddle(index)),
    3,
  ),
]

test.each(indexes)(`kill ${seed}/%i: the archive is as if nothing had happened`, async (index) => {
  const archive = join(folder, String(index))
  await prepared(archive)
  // Once or twice, anywhere between the start of the process and a little after its usual end.
  for (let kills = 1 + chance(2); kills > 0 && !(await isFinished(archive)); kills -= 1) {
    const process = startLoupe(harvestOf(archive, site))
    await (isInTheMiddle(index) ? half(process.ended) : Promise.race([anyTime(), process.ended]))
    process.child.kill('SIGKILL')
    await process.ended
    if (await isHalfDone(archive)) halfDone += 1
  }
  if (!(await isFinished(archive))) await (index % 2 === 0 ? finishByHarvest(archive) : finishByServe(archive))
  await expectWhole(archive, site)
})

/** Were they all too early or too late, the tests above would say nothing. */
test('several kills came when some documents were fetched and others were not', () => {
  expect(halfDone).toBeGreaterThanOrEqual(3)
})

function anyTime(): Promise<void> {
  return sleep(chance(Math.round(undisturbedMs * 1.05)))
}

/** Waits until a third to two thirds of the documents have been requested, or until the end. Most of them are stored by then. */
async function half(ended: Promise<unknown>): Promise<void> {
  let isOver = false
  void ended.then(() => (isOver = true))
  const third = Math.round(site.urls.length / 3)
  const until = site.requests.length + third + chance(third)
  while (!isOver && site.requests.length < until) await sleep(1)
}

/** Runs the same command again, which continues the harvest. */
async function finishByHarvest(archive: string): Promise<void> {
  const { code, stderr } = await loupe(...harvestOf(archive, site))
  expect(code, stderr).toBe(0)
}

/** Any start of the engine continues the harvest. A kill before the job was stored leaves nothing to continue. */
async function finishByServe(archive: string): Promise<void> {
  if ((await jobsOf(archive)).length === 0) return finishByHarvest(archive)
  const serving = startLoupe(['--archive', archive, '--json', 'serve'])
  const { origin, hash } = new URL((JSON.parse(await serving.line(/"url"/)) as { url: string }).url)
  const link = httpLink({ origin, token: hash.replace('#token=', '') })
  const { jobs } = servicesOver(contract, link)
  while ((await jobs.list({})).some(({ ended }) => ended === null)) await sleep(50)
  link.close()
  serving.child.kill('SIGTERM')
  await serving.ended
}

async function isHalfDone(archive: string): Promise<boolean> {
  return (await jobsOf(archive)).some(({ ended, documents }) => ended === null && documents.fetched > 0)
}
