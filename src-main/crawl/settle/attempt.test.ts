import { describe, expect, test } from 'vitest'
import { reasonOutcomes, type Reason } from '../../contract/states/outcomes.ts'
import { parseResponseHead } from '../../formats/http/http.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { FetchOutcome } from '../capture/fetch/outcome.ts'
import { defaultCrawlSettings, retryAfterMsMax } from '../model/limits.ts'
import { hostDelayMsAfter, retryAfterMs, settle } from './attempt.ts'
import { spoolIn } from '../capture/fetch/spool.ts'

const nowMs = Date.UTC(2026, 0, 1)
const settings = { ...defaultCrawlSettings, attemptsMax: 3, retryDelayMs: 2000 }
const world = seededWorld({ seed: 1 })

function failed(reason: Reason): FetchOutcome {
  return { kind: 'failed', reason, detail: 'as it was', startedMs: nowMs, durationMs: 1 }
}

function answered(status: number, field = ''): FetchOutcome {
  const parsed = parseResponseHead(Buffer.from(`HTTP/1.1 ${status} x\r\n${field === '' ? '' : `${field}\r\n`}\r\n`))
  if (!parsed) throw new Error('the head of a test is readable')
  return {
    kind: 'answered',
    head: parsed.head,
    request: new Uint8Array(0),
    response: spoolIn(world, { folder: '/', runId: 'run' }),
    truncated: undefined,
    remoteAddress: '192.0.2.1',
    security: undefined,
    startedMs: nowMs,
    durationMs: 1,
    findings: [],
  }
}

/** `fetched`, `failed`, or the wait in milliseconds. */
function check(outcome: FetchOutcome, attempts: number, expected: 'fetched' | 'failed' | number): void {
  const settlement = settle(outcome, attempts, settings, nowMs)
  const found = settlement.event === 'postponed' ? settlement.delayMs : settlement.outcome
  expect(found, JSON.stringify({ attempts, ...settlement })).toBe(expected)
}

describe('without an answer', () => {
  test('temporary errors are retried after twice the wait each time, with three attempts in all', () => {
    const passing: Reason[] = [
      'refused',
      'unreachable',
      'reset',
      'timeout',
      'tooSlow',
      'emptyAnswer',
      'unknownHost',
      'connectionFailed',
      'loginUnavailable',
      'fileChanged',
      'moduleFailed',
    ]
    for (const reason of passing) {
      check(failed(reason), 1, 2000)
      check(failed(reason), 2, 4000)
      check(failed(reason), 3, 'failed')
    }
    const lasting = (Object.keys(reasonOutcomes) as Reason[]).filter(
      (reason) => reason !== 'jobStopped' && reason !== 'loggedOut' && !passing.includes(reason),
    )
    for (const reason of lasting) check(failed(reason), 1, 'failed')
  })
  test('a request ended by a stop of the job is not a failure after any number of attempts', () => {
    check(failed('jobStopped'), 1, 0)
    check(failed('jobStopped'), 3, 0)
  })
  test('an ended session is not a failure', () => {
    check(failed('loggedOut'), 3, 0)
  })
})

describe('with an answer', () => {
  test('an answer with any status is kept', () => {
    for (const status of [200, 204, 301, 304, 403, 404, 410, 500, 502]) check(answered(status), 1, 'fetched')
  })
  test('429 and 503 are retried after Retry-After, and the last one is kept', () => {
    for (const status of [429, 503]) {
      check(answered(status), 1, 2000)
      check(answered(status), 2, 4000)
      check(answered(status, 'Retry-After: 7'), 1, 7000)
      check(answered(status, 'Retry-After: 0'), 1, 0)
      check(answered(status, 'Retry-After: Thu, 01 Jan 2026 00:00:30 GMT'), 2, 30_000)
      // One clock is wrong by years: only the ten seconds after the Date of the response count.
      check(
        answered(status, 'Date: Sun, 01 Jan 2023 00:00:20 GMT\r\nRetry-After: Sun, 01 Jan 2023 00:00:30 GMT'),
        2,
        10_000,
      )
      check(answered(status, 'Retry-After: 86400'), 1, retryAfterMsMax)
      check(answered(status, 'Retry-After: soon'), 1, 2000)
      check(answered(status, 'Retry-After: 7'), 3, 'fetched')
    }
  })
})

test('Retry-After is a number of seconds or a date', () => {
  const check = (value: string | undefined, expected: number | undefined) =>
    expect(retryAfterMs({ fields: value === undefined ? [] : [['Retry-After', value]] }, nowMs), value).toBe(expected)
  check(undefined, undefined)
  check('120', 120_000)
  check(' 5 ', 5000)
  check('Thu, 01 Jan 2026 00:01:00 GMT', 60_000)
  check('Wed, 31 Dec 2025 00:00:00 GMT', 0)
  check('', undefined)
  check('soon', undefined)
})

describe('the delay of a host after an overload', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z')
  const rows: [status: number, retryAfter: string | undefined, restMs: number][] = [
    [200, '60', 0],
    [404, undefined, 0],
    [500, '60', 0],
    [429, '60', 60_000],
    [503, '5', 5000],
    [503, 'Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
    [503, undefined, 2000],
    [429, 'soon', 2000],
    [429, '86400', 120_000],
  ]
  test.each(rows)('%d with Retry-After %s', (status, retryAfter, restMs) => {
    const fields = retryAfter === undefined ? [] : [['Retry-After', retryAfter]]
    const outcome = { kind: 'answered', head: { status, fields } } as unknown as FetchOutcome
    expect(hostDelayMsAfter(outcome, { retryDelayMs: 2000 }, nowMs)).toBe(restMs)
  })

  test('a host that does not answer gets no additional delay', () => {
    const failed: FetchOutcome = { kind: 'failed', reason: 'reset', detail: '', startedMs: 0, durationMs: 1 }
    expect(hostDelayMsAfter(failed, { retryDelayMs: 2000 }, nowMs)).toBe(0)
  })
})
