import { expect, test } from 'vitest'
import { exportRequest } from '../../../src-main/contract/services/exports.ts'
import { pathIn, problemOf, requestOf, suggestedName, type ExportDraft, type ExportProblem } from './exportDraft.ts'

const draft: ExportDraft = {
  jobs: [3],
  files: [],
  all: false,
  matching: null,
  format: 'wacz',
  url: '',
  from: '',
  to: '',
  path: '/data/out.wacz',
  withOriginals: true,
  waczVersion: '1.1.1',
  sign: true,
}
const rest = { files: [], all: false, withOriginals: true, waczVersion: '1.1.1', sign: true }

test.each<[string, Partial<ExportDraft>, object]>([
  ['only the required fields', {}, { ...rest, jobs: [3], format: 'wacz', path: '/data/out.wacz' }],
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
  [
    'files by their names',
    { jobs: [], files: ['b.warc.gz', 'a.warc.gz'] },
    { ...rest, jobs: [], files: ['a.warc.gz', 'b.warc.gz'], format: 'wacz', path: '/data/out.wacz' },
  ],
  [
    'the matches of a search',
    { matching: { mode: 'text', query: 'fossils', match: 'prefix' } },
    {
      ...rest,
      jobs: [3],
      format: 'wacz',
      path: '/data/out.wacz',
      matching: { mode: 'text', query: 'fossils', match: 'prefix' },
    },
  ],
  ['everything', { all: true }, { ...rest, jobs: [], all: true, format: 'wacz', path: '/data/out.wacz' }],
])('%s is a request of the contract', (_what, changes, expected) => {
  expect(exportRequest.parse(requestOf({ ...draft, ...changes }))).toEqual(expected)
})

test.each<[string, Partial<ExportDraft>, ExportProblem | null]>([
  ['all there', {}, null],
  ['nothing', { jobs: [] }, 'nothing'],
  ['a file', { jobs: [], files: ['a.warc.gz'] }, null],
  ['everything alone', { jobs: [], all: true }, null],
  ['no path', { path: '  ' }, 'noPath'],
  ['an end before its beginning', { from: '2021-01-01T00:00', to: '2020-01-01T00:00' }, 'toBeforeFrom'],
])('%s', (_what, changes, expected) => expect(problemOf({ ...draft, ...changes })).toBe(expected))

const now = new Date('2026-11-20T16:30:59Z')
test.each<[Partial<ExportDraft>, ExportDraft['format'], string]>([
  [{ jobs: [3] }, 'wacz', 'job-3-20261120T1630.wacz'],
  [{ jobs: [12, 3] }, 'warc', 'jobs-3-12-20261120T1630.warc.gz'],
  [{ jobs: [1, 2, 3, 4] }, 'csv', '4-jobs-20261120T1630.csv'],
  [{ files: ['old.arc.gz'] }, 'wacz', 'old-20261120T1630.wacz'],
  [{ jobs: [3], files: ['a.warc', 'b.warc'] }, 'warc', 'job-3-and-2-files-20261120T1630.warc.gz'],
  [{ jobs: [3], all: true }, 'warc', 'archive-20261120T1630.warc.gz'],
  [{ matching: { mode: 'text', query: 'fossils', match: 'prefix' } }, 'wacz', 'search-20261120T1630.wacz'],
])('%j as %s is suggested as %s', (selection, format, expected) =>
  expect(suggestedName({ jobs: [], files: [], all: false, matching: null, format, ...selection }, now)).toBe(expected),
)

test.each([
  ['/data/archive', '/data/archive/x.csv'],
  ['/', '/x.csv'],
  ['C:\\Users\\Ada', 'C:\\Users\\Ada\\x.csv'],
])('in %s', (folder, expected) => expect(pathIn(folder, 'x.csv')).toBe(expected))
