import { expect, test } from 'vitest'
import {
  areJobsWrong,
  draftOf,
  emptyDraft,
  patternWrong,
  queryOf,
  type HistoryAsking,
  type HistoryDraft,
} from './historyDraft.ts'

const rows: [what: string, draft: Partial<HistoryDraft>, query: HistoryAsking | undefined][] = [
  ['nothing but jobs for a report of jobs', { report: 'hosts', identifier: 'a' }, { report: 'hosts' }],
  ['jobs as numbers', { report: 'seeds', jobs: ' 2, 7,2' }, { report: 'seeds', jobs: [2, 7] }],
  ['invalid numbers of jobs', { jobs: 'two' }, undefined],
  ['a pattern', { report: 'history', identifier: '^job' }, { report: 'history', identifier: '^job' }],
  ['an invalid pattern', { identifier: '(' }, undefined],
  ['an invalid pattern that the report does not use', { report: 'hosts', identifier: '(' }, { report: 'hosts' }],
  ['a time, as UTC', { from: '2026-11-20T10:00' }, { report: 'history', from: '2026-11-20T10:00:00.000Z' }],
  ['the last run', { report: 'changes', jobs: '3' }, { report: 'changes', jobs: [3] }],
  [
    'a run and its changes',
    { report: 'changes', jobs: '3', run: 2, comparisons: ['new'] },
    { report: 'changes', jobs: [3], run: 2, comparisons: ['new'] },
  ],
  ['no run for another report', { report: 'hosts', run: 2 }, { report: 'hosts' }],
  [
    'a window and a class',
    { report: 'maximumActivity', windowSeconds: 300 },
    { report: 'maximumActivity', windowSeconds: 300, identifierClass: emptyDraft.identifierClass },
  ],
]
test.each(rows)('asks for %s', (_, draft, query) => expect(queryOf({ ...emptyDraft, ...draft })).toEqual(query))

test('a URL names the report and the jobs', () => {
  expect(draftOf('report=hosts&jobs=3')).toMatchObject({ report: 'hosts', jobs: '3' })
  expect(draftOf('report=nothing')).toEqual(emptyDraft)
  const changes = { report: 'changes', jobs: '3', run: 2, comparisons: ['gone'] }
  expect(draftOf('report=changes&jobs=3&run=2&comparison=gone')).toMatchObject(changes)
  expect(draftOf('report=changes&run=two&comparison=other')).toMatchObject({ run: null, comparisons: [] })
})

test('an error is reported at its field, and only for fields of the chosen report', () => {
  expect([areJobsWrong(emptyDraft), areJobsWrong({ ...emptyDraft, jobs: 'x' })]).toEqual([false, true])
  const draft = { ...emptyDraft, identifier: 'a(?=b)' }
  expect(patternWrong(draft, 'identifier')).toMatchObject({
    values: { part: '(?=', problem: { code: 'pattern.lookahead' } },
  })
  expect(patternWrong(draft, 'result')).toBeNull()
  expect(patternWrong({ ...draft, report: 'hosts' }, 'identifier')).toBeNull()
})
