/** An audit of 1,000 pages in a real browser that is killed three times with SIGKILL, each time after a random number of further pages, ends with the
 *  results of one that was not disturbed, and both stay within their memory. Needs Linux for the memory. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageAuditSummary } from '../src-main/contract/services/pageAudits.ts'
import { auditResults, newestAudit, visitedIn } from './auditResults.ts'
import { randomFrom } from './killedHarvest.ts'
import { initArchive, loupe, startLoupe, type LoupeProcess } from './loupeProcess.ts'
import { descendantBytesOf, peakBytesOf } from './processMemory.ts'
import { startPlantedSite, type PlantedSite } from './sites/plantedFaults.ts'

/** A multiple of the ten kinds of pages of the site. */
const pagesCount = Number(process.env['LOUPE_AUDITED_PAGES'] ?? 1_000)
const pagesAtOnce = 2
const killsCount = 3
const seed = Number(process.env['LOUPE_SEED'] ?? 1)
const chance = randomFrom(seed)
const mebibyte = 2 ** 20
/** The engine does not grow with the number of pages: pictures are on the disk until they are records. */
const engineBytesMax = 640 * mebibyte
/** A browser without pages, and what each page that is open may take. Browsers are replaced, so that two may be there for a moment. */
const browserBytesMax = (2 * 300 + pagesAtOnce * 200) * mebibyte
/** Kinds of pages of the site. */
const kindsCount = 10
const looksApartMs = 500

let site: PlantedSite
let folder: string
let archive: string

beforeAll(async () => {
  site = await startPlantedSite(pagesCount / kindsCount)
  folder = await mkdtemp(join(tmpdir(), 'loupe-audit-kills-'))
  archive = await initArchive(join(folder, 'archive'))
  const resolve = Object.entries(site.resolve).flatMap(([host, address]) => ['--resolve', `${host}=${address}`])
  const quick = ['--delay-ms', '0', '--connections-per-host', '4']
  const { code, stderr } = await loupe('--archive', archive, 'harvest', `${site.origin}/`, ...quick, ...resolve)
  // Some pages embed what is gone or forbidden.
  expect([0, 1], stderr).toContain(code)
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

interface Peaks {
  engineBytes: number
  browserBytes: number
}

function peaksText({ engineBytes, browserBytes }: Peaks): string {
  const [engine, browser] = [engineBytes, browserBytes].map((bytes) => Math.round(bytes / mebibyte))
  return `peaks: engine ${engine} MiB, browser ${browser} MiB`
}

/** Looks at a process until it ends or `isEnough`, and raises the peaks. */
async function watched(running: LoupeProcess, peaks: Peaks, isEnough = () => false): Promise<void> {
  const pid = running.child.pid ?? 0
  let isOver = false
  void running.ended.then(() => (isOver = true))
  while (!isOver && !isEnough()) {
    peaks.engineBytes = Math.max(peaks.engineBytes, await peakBytesOf(pid))
    peaks.browserBytes = Math.max(peaks.browserBytes, await descendantBytesOf(pid))
    await Promise.race([sleep(looksApartMs), running.ended])
  }
}

const sample = ['--sample', `random:${pagesCount}:${seed}`, '--pattern', '/[0-9]+$', '--at-once', String(pagesAtOnce)]
const auditWords = () => ['--archive', archive, '--json', 'audit-pages', '1', ...sample]
const resumeWords = (audit: number) => ['--archive', archive, 'tasks', 'resume', String(audit)]

test(
  `seed ${seed}: ${pagesCount} pages, killed three times, are audited as if nothing had happened`,
  { timeout: 7_200_000 },
  async () => {
    const peaks: Peaks = { engineBytes: 0, browserBytes: 0 }
    const startedMs = performance.now()
    const undisturbed = startLoupe(auditWords())
    await watched(undisturbed, peaks)
    const seconds = (performance.now() - startedMs) / 1_000
    const { code, stdout, stderr } = await undisturbed.ended
    expect(code, stderr).toBe(1)
    const speed = `${seconds.toFixed(0)} s, ${(pagesCount / seconds).toFixed(2)} per second`
    console.log(`${pagesCount} pages in ${speed}; ${peaksText(peaks)}`)
    const { audit } = JSON.parse(stdout) as { audit: PageAuditSummary }
    const expected = auditResults(archive, audit.task)
    expect(expected).toHaveLength(pagesCount)
    expect(expected.filter(({ state }) => state !== 'DONE')).toEqual([])

    let running = startLoupe(auditWords())
    await expect.poll(() => newestAudit(archive), { timeout: 120_000 }).toBeGreaterThan(audit.task)
    const killed = newestAudit(archive)
    for (let kills = 0; kills < killsCount; kills += 1) {
      const until = visitedIn(archive, killed) + 1 + chance(Math.floor(pagesCount / (killsCount + 1)))
      await watched(running, peaks, () => visitedIn(archive, killed) >= until)
      console.log(`kill ${kills + 1} at ${visitedIn(archive, killed)} pages`)
      running.child.kill('SIGKILL')
      // Otherwise the audit had ended before, and the test would prove nothing.
      expect((await running.ended).code).toBe(null)
      running = startLoupe(resumeWords(killed))
    }
    await watched(running, peaks)
    const resumed = await running.ended
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(auditResults(archive, killed)).toEqual(expected)
    expect(await readdir(join(archive, 'pageAudits', String(killed)))).toEqual([])

    const { engineBytes, browserBytes } = peaks
    console.log(peaksText(peaks))
    expect(engineBytes).toBeGreaterThan(0)
    expect(engineBytes).toBeLessThan(engineBytesMax)
    expect(browserBytes).toBeGreaterThan(0)
    expect(browserBytes).toBeLessThan(browserBytesMax)
  },
)
