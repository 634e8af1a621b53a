/** Each number of a job by its definition in docs/numbers.md. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reasonMessage, truncationMessage } from '../../contract/states/outcomes.ts'
import { message } from '../../contract/words/message.ts'
import { findingCountsOf, jobFindings, type RunEnd } from './jobFindings.ts'
import { answersOf, earlierRunOf, progressOf } from './jobNumbers.ts'

const end: RunEnd = {
  ...{ kind: 'event', isOver: true, error: null, stopReason: 'DOWNLOAD_COMPLETE', fetched: 5, isDry: false },
  files: { imported: 0, areKnown: false },
}
const inFiles = { errors: 1, warnings: 2, notes: 3 }

test('progress counts the URLs in scope, without excluded ones', () => {
  expect(progressOf({ total: 4715, fetched: 561, failed: 4, excluded: 4150 })).toEqual({ done: 565, total: 565 })
  expect(progressOf({ total: 30, fetched: 5, failed: 1, excluded: 10 })).toEqual({ done: 6, total: 20 })
})

test('answers are counted by class of status, 304 as a success, 404 separately, and those without a response', () => {
  const rows = Object.entries({ 200: 4, 206: 1, 301: 2, 304: 6, 404: 3, 410: 1, 500: 2, file: 1, timeout: 5 })
  const byStatus = rows.map(([status, documents]) => ({ status, documents }))
  expect(answersOf(byStatus, { fetched: 20, failed: 5 })).toEqual({
    ...{ success: 11, redirects: 2, clientErrors: 4, notFound: 3, serverErrors: 2, other: 1, none: 5 },
  })
})

test('the number of findings of a harvest matches the job', () => {
  fc.assert(
    fc.property(
      fc.record({
        groups: fc.array(fc.nat(9), { maxLength: 4 }),
        truncated: fc.nat(9),
        fetched: fc.nat(3),
        isOver: fc.boolean(),
        isDry: fc.boolean(),
        error: fc.constantFrom(null, message('job.leftStoring')),
        stopReason: fc.constantFrom('DOWNLOAD_COMPLETE', 'DOWNLOAD_UNFINISHED'),
      }),
      ({ groups, truncated, ...changes }) => {
        const run: RunEnd = { ...end, ...changes }
        const byReason = groups.map((documents) => ({
          outcome: 'failed' as const,
          reason: 'timeout',
          message: reasonMessage('timeout'),
          documents,
        }))
        const byTruncation = [{ truncation: 'time' as const, message: truncationMessage('time'), documents: truncated }]
        const found = jobFindings(run, { byReason, byTruncation, filesRefused: 0, filesWithErrors: 0 })
        const failed = groups.reduce((sum, each) => sum + each, 0)
        const counts = findingCountsOf(run, { failed, truncated, inFiles })
        const at = (level: string) => found.reduce((sum, each) => sum + (each.level === level ? each.count : 0), 0)
        expect({ errors: at('error'), warnings: at('warning'), notes: at('note') }).toEqual(counts)
      },
    ),
  )
})

test('findings of an import are those of its files', () => {
  expect(findingCountsOf({ ...end, kind: 'import' }, { failed: 0, truncated: 1, inFiles })).toEqual(inFiles)
})

test('an earlier run keeps its numbers and marks unknown findings', () => {
  const row = {
    ...{ run: 1, startedMs: 0, endedMs: 5000, runningMs: 4000, stopReason: 'DOWNLOAD_UNFINISHED', errorText: null },
    ...{ fetched: 7, failed: 2, excluded: 3, truncated: 1, bytes: 900 },
  }
  // Two that failed, one that is truncated, and that it was stopped.
  expect(earlierRunOf(row)).toMatchObject({ run: 1, seconds: 4, captures: 7, bytes: 900, findings: 4 })
  expect(earlierRunOf({ ...row, truncated: null }).findings).toBeNull()
})
