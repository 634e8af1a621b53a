/** One seed is one story: a site, a harvest of it that nothing disturbs, and the same harvest with everything that the seed
 *  has in store for it. What is told in the end is a list of sentences; a good story has none. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOfMark } from '../crawl/ownership/sequenceMark.ts'
import { openStore } from '../storage/storage.ts'
import { seededChance } from '../world/testing/seededChance.ts'
import { jobsFolder, type Evidence } from './evidence.ts'
import { comparison } from './comparison.ts'
import { ending, survival, type Ending } from './invariants.ts'
import { live, type Life } from './life.ts'
import { lostDatabase } from './lostDatabase.ts'
import { restoring } from './restoredDatabase.ts'
import { drawManner, drawPlan, undisturbed, type Manner, type Plan } from './plan.ts'
import { drawSite, type Site } from './site.ts'

export interface Story {
  seed: number
  site: Site
  manner: Manner
  plan: Plan
  complaints: string[]
  machines: number
  /** What the disturbed harvest captured. */
  urls: string[]
  log: string[]
  /** The stop reasons of its runs. */
  stopReasons: ReadonlySet<string>
}

/** `pagesCount`: of a site that large; absent: of a small one. */
export async function tell(seed: number, size: { pagesCount?: number } = {}): Promise<Story> {
  const chance = seededChance(seed)
  const site = drawSite(chance.fork(), size)
  const manner = drawManner(chance.fork())
  const ofPlan = chance.fork()
  const folder = mkdtempSync(join(memoryFolder(), 'loupe-simulation-'))
  try {
    const calm = await harvest(join(folder, 'calm'), { seed, site, manner, plan: undisturbed })
    const plan = drawPlan(ofPlan, calm.life, manner)
    const stormy = await harvest(join(folder, 'stormy'), { seed, site, manner, plan })
    const complaints = [
      ...calm.complaints.map((complaint) => `Undisturbed: ${complaint}`),
      ...stormy.complaints,
      ...comparison({ site, manner, plan }, stormy, calm),
    ]
    const { urls, log } = stormy
    const { machines, watch } = stormy.life
    return { seed, site, manner, plan, complaints, machines, urls, log, stopReasons: watch.stopReasons }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Harvest extends Ending {
  life: Life
  wasAborted: boolean
  log: string[]
}

interface HarvestSetting {
  seed: number
  site: Site
  manner: Manner
  plan: Plan
}

/** `before` the judgement something may be done to what the harvest left. */
export async function harvest(
  folder: string,
  setting: HarvestSetting,
  before: (life: Life) => void | Promise<void> = () => undefined,
): Promise<Harvest> {
  mkdirSync(folder)
  const complaints: string[] = []
  const survived = survival()
  const whole = { ...setting, folder, emptyDatabase: emptyDatabase() }
  const restored = setting.plan.restored && restoring(whole, setting.plan.restored)
  const examine = async (evidence: Evidence) => {
    complaints.push(...(await survived(evidence)))
    if (restored) complaints.push(...(await restored(evidence)))
  }
  const life = await live({ ...whole, examine })
  await before(life)
  const end = await ending(life)
  complaints.push(...(await lostDatabase(life, { folder, isMarkCertain: isMarkCertain(setting.plan) })))
  const log = logOf(life)
  life.store.close()
  const { manners, watch, bugs, wasAborted } = life
  const all = [...complaints, ...end.complaints, ...manners.complaints(), ...watch.complaints(), ...bugs]
  return { ...end, life, wasAborted, log, complaints: [...new Set(all)] }
}

function isMarkCertain({ troubles }: Plan): boolean {
  const mark = pathOfMark(jobsFolder)
  return !troubles.some(({ what }) => 'failure' in what && what.failure.path.test(mark) && (what.failure.calls ?? ['read']).includes('read')) // prettier-ignore
}

function logOf({ store, job }: Life): string[] {
  return store
    .statement<{ job: number }, { atMs: number; level: string; text: string }>(
      `SELECT at_ms AS atMs, level, text FROM job_event WHERE job_id = @job ORDER BY id`,
    )
    .all({ job })
    .map(({ atMs, level, text }) => `${new Date(atMs).toISOString()} ${level} ${text}`)
}

/** The database is the one thing that lies on a real disk, and no cut of a story reaches it: where there is a file system in
 *  memory, nothing waits for a real one. */
function memoryFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
}

let madeDatabase: Uint8Array | undefined

/** Made once: going through all steps of the schema takes as long as a small harvest. */
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
