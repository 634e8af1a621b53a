import { expect, test } from 'vitest'
import type { Reason } from '../../contract/states/outcomes.ts'
import { parseResponseHead } from '../../formats/http/http.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { FetchOutcome } from '../capture/fetch/outcome.ts'
import { spoolIn } from '../capture/fetch/spool.ts'
import { notFailing } from './interruption.ts'
import { waited } from './patience.ts'

const world = seededWorld({ seed: 1 })
const nowMs = 1_000
const minuteMs = 60_000

function failed(reason: Reason): FetchOutcome {
  return { kind: 'failed', reason, detail: '', startedMs: 0, durationMs: 1 }
}

function answered(status: number): FetchOutcome {
  const head = parseResponseHead(Buffer.from(`HTTP/1.1 ${status} x\r\n\r\n`))?.head
  if (!head) throw new Error('the head of a test is readable')
  return {
    ...{
      kind: 'answered',
      head,
      request: new Uint8Array(0),
      response: spoolIn(world, { folder: '/', runId: 'run' }),
      truncated: undefined,
    },
    ...{ remoteAddress: '', security: undefined, startedMs: 0, durationMs: 1, findings: [] },
  }
}

const long = { patience: 'long', onHardFailure: 'skip' } as const

test('with brief patience, and for permanent errors, a document is settled', () => {
  for (const outcome of [failed('refused'), failed('timeout'), answered(503)])
    expect(waited(outcome, notFailing, { recheck: { ...long, patience: 'brief' }, nowMs })).toEqual({ kind: 'settled' })
  for (const outcome of [failed('badAddress'), failed('notHttp'), answered(200), answered(404)])
    expect(waited(outcome, notFailing, { recheck: long, nowMs })).toEqual({ kind: 'settled' })
})

test('with long patience it waits as the table defines, then the document or the job is given up', () => {
  const first = waited(failed('timeout'), notFailing, { recheck: long, nowMs })
  expect(first).toEqual({
    kind: 'postponed',
    delayMs: 5 * minuteMs,
    failing: { giveUpMs: 120 * minuteMs, failCount: null },
  })
  expect(waited(answered(503), notFailing, { recheck: long, nowMs })).toMatchObject({ delayMs: 120 * minuteMs })
  const over = { failMs: nowMs, failCount: null }
  expect(waited(failed('timeout'), over, { recheck: long, nowMs })).toEqual({ kind: 'settled' })
  expect(waited(failed('timeout'), over, { recheck: { ...long, onHardFailure: 'abort' }, nowMs })).toEqual({
    kind: 'aborted',
  })
})
