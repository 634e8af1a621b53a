/** The whole engine with a job that may run only in some minutes of every ten: it fetches only in its windows, is not started
 *  before the first, and survives a power cut at any call. */
import { expect, test } from 'vitest'
import { linksTo, lived, noRules, secondMs, type Lived } from './testing/engineFixture.ts'

const minuteMs = 60 * secondMs
const pagesCount = 24
/** Pages that take about eight minutes at this delay, longer than a window of three minutes. */
const delayMs = 20 * secondMs
const windowMinutes = 3
/** Time for the next pass after the end of a window, and for the documents in progress then. */
const lateMsMax = 15 * secondMs

const startMs = Date.UTC(2026, 0, 1, 0, 4)
const tens = [0, 10, 20, 30, 40, 50]
const schedule = { records: [{ minutes: tens, durationMinutes: windowMinutes }] }

/** Pages in a row, each linking to the next. */
function answer(path: string) {
  if (path === '/robots.txt') return noRules
  const next = Number(path.slice(1)) + 1
  return next < pagesCount ? linksTo(`/${next}`) : { body: 'the last' }
}

/** Runs the job to its end, with a power cut after these numbers of calls. */
async function harvested(cutsAfterCalls: readonly number[]): Promise<Lived & { states: Set<string> }> {
  const states = new Set<string>()
  const definition = { seeds: ['http://site.test/0'], schedule }
  const found = await lived(
    { seed: 3, startMs, answer, cutsAfterCalls, definition, settings: { delayMs } },
    async ({ jobs, job, sinceMs, sleep }) => {
      for (;;) {
        const { state, status, started, ended } = jobs.summary(job)
        states.add(state)
        if (started === null && state === 'INACTIVE') expect(status).toBe('Not yet run')
        if (ended !== null && state === 'INACTIVE') break
        if (sinceMs() > 3 * 60 * minuteMs) throw new Error(`it does not end: ${state}`)
        await sleep(secondMs)
      }
    },
  )
  return { ...found, states }
}

function expectInWindows({ asked, problems, jobs, job }: Lived): void {
  for (const { path, atMs } of asked) {
    const intoMs = (startMs + atMs) % (10 * minuteMs)
    expect(intoMs, `${path} after ${atMs} ms`).toBeLessThan(windowMinutes * minuteMs + lateMsMax)
  }
  expect(new Set(asked.map(({ path }) => path)).size).toBe(pagesCount + 1)
  const summary = jobs.summary(job)
  expect(summary).toMatchObject({ status: 'Done', reason: null, stopReason: 'DOWNLOAD_COMPLETE' })
  // Including robots.txt.
  expect(summary.documents.fetched).toBe(pagesCount + 1)
  expect(problems).toEqual([])
}

test('it fetches in its windows, waits between them, and finishes', async () => {
  const found = await harvested([])
  expectInWindows(found)
  expect([...found.states]).toEqual(expect.arrayContaining(['INACTIVE', 'ACTIVE', 'ACTIVEWAIT']))
  expect(startMs + Math.min(...found.asked.map(({ atMs }) => atMs))).toBeGreaterThanOrEqual(Date.UTC(2026, 0, 1, 0, 10))
})

test('after a power cut at any call it keeps to its windows and loses nothing', async () => {
  const { calls } = await harvested([])
  for (let at = 1; at <= 4; at += 1) {
    const cut = Math.floor((calls * at) / 5)
    expectInWindows(await harvested([cut, Math.floor(calls / 9)]))
  }
}, 240_000)
