/** The whole engine with inactive jobs: none of their documents has a position in the queue, for any reason of the inactivity. */
import { expect, test } from 'vitest'
import {
  linksTo,
  lived,
  noRules,
  reasonTextOf,
  secondMs,
  type EngineTrial,
  type Life,
  type Lived,
} from './testing/engineFixture.ts'

const paths = Array.from({ length: 30 }, (_, number) => `/${number}`)
const definition = { seeds: ['http://site.test/'] }
const trial: EngineTrial = {
  seed: 1,
  answer: (path) => (path === '/robots.txt' ? noRules : path === '/' ? linksTo(...paths) : linksTo()),
  definition,
  settings: { delayMs: 6 * secondMs },
}

function documentsOf({ store, job }: Pick<Life, 'store' | 'job'>): { waiting: number; placed: number } | undefined {
  const of = store.statement<{ job: number }, { waiting: number; placed: number }>(
    `SELECT COUNT(*) FILTER (WHERE state = 'PENDING') AS waiting, COUNT(priority) AS placed FROM document WHERE job_id = @job`,
  )
  return of.get({ job })
}

/** Waits until the first page is fetched and the other documents have positions. */
async function underWay(life: Life): Promise<void> {
  while ((documentsOf(life)?.waiting ?? 0) < paths.length / 2) await life.sleep(secondMs)
  expect(documentsOf(life)?.placed).toBeGreaterThan(paths.length / 2)
}

function expectNoPlaces(found: Lived): void {
  const { waiting, placed } = documentsOf(found) ?? { waiting: 0, placed: -1 }
  expect(waiting).toBeGreaterThan(paths.length / 2)
  expect(placed).toBe(0)
  expect(found.jobs.summary(found.job).state).toBe('PAUSED')
}

test('a user pauses the job', async () => {
  const found = await lived(trial, async (life) => {
    await underWay(life)
    life.jobs.act(life.job, 'pause')
    await life.until(/^PAUSED$/)
    await life.sleep(5 * secondMs)
  })
  expectNoPlaces(found)
})

/** Pauses the job and cuts the power after `cut` calls. `before`: calls made before the pause. */
async function pausedAndCut(cut: number): Promise<{ found: Lived; before: number }> {
  let lives = 0
  let before = 0
  const found = await lived({ ...trial, cutsAfterCalls: [cut] }, async (life) => {
    lives += 1
    if (lives === 1) {
      await underWay(life)
      before = life.world.calls
      life.jobs.act(life.job, 'pause')
    }
    await life.until(/^PAUSED$/)
    await life.sleep(5 * secondMs)
  })
  return { found, before }
}

test('a kill before all positions are removed', async () => {
  const { before } = await pausedAndCut(Infinity)
  for (const later of [1, 2, 4, 8]) expectNoPlaces((await pausedAndCut(before + later)).found)
}, 60_000)

test('the disk of the job cannot be written to', async () => {
  const found = await lived(trial, async (life) => {
    await underWay(life)
    life.world.disk.fail({ path: /\/archive\/jobs/, calls: ['append'], code: 'failed' })
    await life.until(/^PAUSED$/)
    await life.sleep(5 * secondMs)
  })
  expectNoPlaces(found)
  expect(reasonTextOf(found.jobs.summary(found.job))).toMatch(
    /^The disk failed at \S+\. Nothing fetched is lost\. Fix the problem, then resume the job\.$/,
  )
})
