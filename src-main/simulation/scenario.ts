/** A scenario is made from a seed: a site, an undisturbed harvest of it, and the same harvest with the disturbances of its plan. The result is
 *  a list of violated invariants, empty when all is well. */
import type { orders } from '../contract/shapes/choices.ts'
import { messageFrom } from '../contract/words/message.ts'
import { textOf } from '../contract/words/render.ts'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOfMark } from '../crawl/ownership/sequenceMark.ts'
import { openStore } from '../storage/storage.ts'
import { seededChance } from '../world/testing/seededChance.ts'
import { jobsFolder, type Evidence } from './evidence.ts'
import { comparison } from './comparison.ts'
import { ending, survival, type Ending } from './invariants.ts'
import { runHarvest, type HarnessRun } from './harness.ts'
import { lostDatabase } from './lostDatabase.ts'
import { restoring } from './restoredDatabase.ts'
import { drawHarvestOptions, drawPlan, undisturbed, type HarvestOptions, type Plan } from './plan.ts'
import { drawSite, type Site } from './site.ts'

type Order = (typeof orders)[number]

/** A scenario after its run. */
export interface Scenario {
  seed: number
  site: Site
  options: HarvestOptions
  plan: Plan
  violations: string[]
  /** Number of simulated machines: one more than power cuts that occurred. */
  machines: number
  /** URLs that the disturbed harvest captured. */
  urls: string[]
  log: string[]
  /** Stop reasons of its runs. */
  stopReasons: ReadonlySet<string>
}

/** Runs the scenario of a seed. `pagesCount`: approximate size of the site; absent: a small one. `order`: of the documents in the WARC files;
 *  absent: scheduled in a third of the scenarios. */
export async function runScenario(
  seed: number,
  { order = seed % 3 === 0 ? 'scheduled' : 'asFetched', ...size }: { pagesCount?: number; order?: Order } = {},
): Promise<Scenario> {
  const chance = seededChance(seed)
  const site = drawSite(chance.fork(), size)
  const options: HarvestOptions = {
    ...drawHarvestOptions(chance.fork()),
    ...(order === 'scheduled' && { order }),
  }
  const ofPlan = chance.fork()
  const folder = mkdtempSync(join(memoryFolder(), 'loupe-simulation-'))
  try {
    const reference = await harvest(join(folder, 'reference'), { seed, site, options, plan: undisturbed })
    const plan = drawPlan(ofPlan, reference.run, options)
    const disturbed = await harvest(join(folder, 'disturbed'), { seed, site, options, plan })
    const violations = [
      ...reference.violations.map((violation) => `Undisturbed: ${violation}`),
      ...disturbed.violations,
      ...comparison({ site, options, plan }, disturbed, reference),
    ]
    const { urls, log } = disturbed
    const { machines, watch } = disturbed.run
    return { seed, site, options, plan, violations, machines, urls, log, stopReasons: watch.stopReasons }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A harvest with its violations, each once, and with the log of its job. */
interface Harvest extends Ending {
  run: HarnessRun
  wasAborted: boolean
  log: string[]
}

/** What makes one harvest of a scenario. */
interface HarvestSetting {
  seed: number
  site: Site
  options: HarvestOptions
  plan: Plan
}

/** `before` may change what the harvest left before the invariants are checked. */
export async function harvest(
  folder: string,
  setting: HarvestSetting,
  before: (run: HarnessRun) => void | Promise<void> = () => undefined,
): Promise<Harvest> {
  mkdirSync(folder)
  const violations: string[] = []
  const survived = survival()
  const whole = { ...setting, folder, emptyDatabase: emptyDatabase() }
  const restored = setting.plan.restored && restoring(whole, setting.plan.restored)
  const examine = async (evidence: Evidence) => {
    violations.push(...(await survived(evidence)))
    if (restored) violations.push(...(await restored(evidence)))
  }
  const run = await runHarvest({ ...whole, examine })
  await before(run)
  const end = await ending(run)
  violations.push(...(await lostDatabase(run, { folder, isMarkCertain: isMarkCertain(setting.plan) })))
  const log = logOf(run)
  run.store.close()
  const { politeness, watch, bugs, wasAborted } = run
  const all = [...violations, ...end.violations, ...politeness.violations(), ...watch.violations(), ...bugs]
  return { ...end, run, wasAborted, log, violations: [...new Set(all)] }
}

/** Whether no fault of the plan concerns reading the sequence mark (see `lostDatabase`). */
function isMarkCertain({ faults }: Plan): boolean {
  const mark = pathOfMark(jobsFolder)
  return !faults.some(({ what }) => 'failure' in what && what.failure.path.test(mark) && (what.failure.calls ?? ['read']).includes('read')) // prettier-ignore
}

/** Messages of the job, one line each. */
function logOf({ store, job }: HarnessRun): string[] {
  return store
    .statement<{ job: number }, { atMs: number; level: string; message: string }>(
      `SELECT at_ms AS atMs, level, message FROM job_event WHERE job_id = @job ORDER BY id`,
    )
    .all({ job })
    .map(({ atMs, level, message }) => `${new Date(atMs).toISOString()} ${level} ${textOf(messageFrom(message))}`)
}

/** Only the database is on a real file system, and power cuts do not affect it; a file system in memory saves waiting for a disk. */
function memoryFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
}

let madeDatabase: Uint8Array | undefined

/** Made once, since creating the schema takes as long as a small harvest. */
function emptyDatabase(): Uint8Array {
  if (madeDatabase) return madeDatabase
  const folder = mkdtempSync(join(memoryFolder(), 'loupe-simulation-'))
  try {
    const path = join(folder, 'loupe.db')
    openStore(path).close()
    return (madeDatabase = readFileSync(path))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
