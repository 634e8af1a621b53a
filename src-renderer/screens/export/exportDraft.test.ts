import { expect, test } from 'vitest'
import { exportRequest } from '../../../src-main/contract/contract.ts'
import { pathIn, problemOf, requestOf, suggestedName, type ExportDraft, type ExportProblem } from './exportDraft.ts'

const draft: ExportDraft = {
  jobs: [3],
  format: 'wacz',
  url: '',
  from: '',
  to: '',
  path: '/data/out.wacz',
  withOriginals: true,
  waczVersion: '1.1.1',
  sign: true,
}
const rest = { withOriginals: true, waczVersion: '1.1.1', sign: true }

test.each<[string, Partial<ExportDraft>, object]>([
  ['nothing but what is needed', {}, { ...rest, jobs: [3], format: 'wacz', path: '/data/out.wacz' }],
  [
    'no signature but for a WACZ',
    { format: 'csv' },
    { ...rest, sign: false, jobs: [3], format: 'csv', path: '/data/out.wacz' },
  ],
  [
    'everything',
    { url: ' http://example.com/a ', from: '2020-01-02T03:04', to: '2021-01-02T03:04', path: ' /x.warc.gz ' },
    {
      ...rest,
      jobs: [3],
      format: 'wacz',
      path: '/x.warc.gz',
      url: 'http://example.com/a',
      from: '2020-01-02T03:04:00.000Z',
      to: '2021-01-02T03:04:00.000Z',
    },
  ],
])('%s is a request of the contract', (_what, changes, expected) => {
  expect(exportRequest.parse(requestOf({ ...draft, ...changes }))).toEqual(expected)
})

test.each<[string, Partial<ExportDraft>, ExportProblem | null]>([
  ['all there', {}, null],
  ['no job', { jobs: [] }, 'noJobs'],
  ['no path', { path: '  ' }, 'noPath'],
  ['an end before its beginning', { from: '2021-01-01T00:00', to: '2020-01-01T00:00' }, 'toBeforeFrom'],
])('%s', (_what, changes, expected) => expect(problemOf({ ...draft, ...changes })).toBe(expected))

const now = new Date('2026-11-20T16:30:59Z')
test.each<[readonly number[], ExportDraft['format'], string]>([
  [[3], 'wacz', 'job-3-20261120T1630.wacz'],
  [[12, 3], 'warc', 'jobs-3-12-20261120T1630.warc.gz'],
  [[1, 2, 3, 4], 'csv', '4-jobs-20261120T1630.csv'],
])('jobs %j as %s are suggested as %s', (jobs, format, expected) =>
  expect(suggestedName({ jobs, format }, now)).toBe(expected),
)

test.each([
  ['/data/archive', '/data/archive/x.csv'],
  ['/', '/x.csv'],
  ['C:\\Users\\Ada', 'C:\\Users\\Ada\\x.csv'],
])('in %s', (folder, expected) => expect(pathIn(folder, 'x.csv')).toBe(expected))
