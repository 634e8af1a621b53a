/** Checks the judge of running times with reports of an engine that are right, and with wrong ones that it has to complain about. */
import { expect, test } from 'vitest'
import { harvestDefinition } from '../contract/services/definition.ts'
import { openJobs } from '../crawl/crawl.ts'
import { openStore } from '../storage/storage.ts'
import { seededWorld } from '../world/testing/seeded.ts'
import { runTimesOf } from './runTimes.ts'

const secondMs = 1_000
const hourMs = 3_600 * secondMs

interface Run {
  maxSeconds?: number
  /** Active time of the run. */
  activeMs: number
  /** A suspend in the middle of the run. */
  suspendMs?: number
  /** The running time that the engine has stored after `ms` of activity. */
  runningMs: (ms: number) => number
  /** Stored at the end. */
  stopReason?: string
}

/** Returns the violations of a run that is compared ten times per second. */
function problemsOf({ activeMs, suspendMs = 0, runningMs, stopReason, ...options }: Run): string[] {
  const store = openStore(':memory:')
  const job = openJobs(store, seededWorld({ seed: 1 })).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  const set = (text: string) => void store.statement<object>(`UPDATE job SET ${text}`).run({})
  for (const state of ['STARTINGUP', 'ACTIVE']) set(`state = '${state}'`)
  const times = runTimesOf(store, job, options)
  set('segments = 1')
  times.measure(0)
  let suspendedMs = 0
  for (let ms = 100; ms <= activeMs; ms += 100) {
    if (ms === Math.round(activeMs / 2) && suspendMs > 0) times.suspended((suspendedMs = suspendMs))
    set(`running_ms = ${runningMs(ms)}`)
    if (ms === activeMs && stopReason !== undefined) set(`stop_reason = '${stopReason}'`)
    times.measure(suspendedMs + ms)
  }
  store.close()
  return times.violations()
}

const right: [string, Run][] = [
  ['the engine stores the running time at once', { activeMs: 60 * secondMs, runningMs: (ms) => ms }],
  [
    'the engine stores the running time every few seconds',
    { activeMs: 60 * secondMs, runningMs: (ms) => ms - (ms % (5 * secondMs)) },
  ],
  ['a suspend does not count', { activeMs: 60 * secondMs, suspendMs: 9 * hourMs, runningMs: (ms) => ms }],
  [
    'the limit is reached in time',
    { maxSeconds: 10, activeMs: 10 * secondMs, runningMs: (ms) => ms, stopReason: 'TIME_LIMIT' },
  ],
]
test.each(right)('there is no violation when %s', (_, run) => expect(problemsOf(run)).toEqual([]))

const wrong: [string, Run, RegExp][] = [
  [
    'a clock that was set forward counts',
    { activeMs: 10 * secondMs, runningMs: (ms) => (ms < 5 * secondMs ? ms : ms + hourMs) },
    /^Run 1 reports a running time of 3605000 ms, and was active for only 5000 ms\.$/,
  ],
  [
    'a suspend counts',
    { activeMs: 10 * secondMs, suspendMs: hourMs, runningMs: (ms) => (ms < 5 * secondMs ? ms : ms + hourMs) },
    /, and was active for only 5000 ms\.$/,
  ],
  [
    'no running time is stored',
    { activeMs: 60 * secondMs, runningMs: () => 0 },
    /^Run 1 reports a running time of 0 ms, and was active for \d+ ms\.$/,
  ],
  [
    'the limit is reached too early',
    { maxSeconds: 60, activeMs: 10 * secondMs, runningMs: (ms) => ms, stopReason: 'TIME_LIMIT' },
    /^Run 1 reached its limit of 60 s after only 10000 ms\.$/,
  ],
  [
    'the limit does not end the run',
    { maxSeconds: 10, activeMs: 60 * secondMs, runningMs: (ms) => ms },
    /^Run 1 goes on after \d+ ms, and its limit is 10 s\.$/,
  ],
]
test.each(wrong)('there is one violation when %s', (_, run, expected) =>
  expect(problemsOf(run)).toEqual([expect.stringMatching(expected)]),
)
