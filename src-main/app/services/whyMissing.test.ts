/** The sentences for what several jobs know of an address, harvested here or imported with a crawl log. */
import { expect, test } from 'vitest'
import type { LoggedFate, UrlInLogs } from '../../indexes/indexes.ts'
import { whyMissing, type WhyMissingParts } from './whyMissing.ts'

const url = 'http://a.example/page'
const line = (otherwise: Partial<LoggedFate>): UrlInLogs => ({
  kind: 'line',
  line: {
    ...{ loggedMs: Date.UTC(2011, 5, 23, 17, 12, 8, 802), status: -9998, url, hopPath: 'LE' },
    ...{ via: 'http://a.example/', annotations: '', ...otherwise },
  },
})

/** What each job says: a harvested one a text or nothing, an imported one what its log says. */
type Knowing = Record<number, string | undefined | UrlInLogs>
interface Otherwise {
  method?: string
  /** Of these jobs. */
  deleted?: readonly number[]
  /** Files without a job are viewed too. */
  withFiles?: boolean
}

async function told(
  knowing: Knowing,
  { method = 'GET', deleted = [], withFiles = false }: Otherwise = {},
): Promise<string> {
  let open = 0
  const imported = (job: number) => typeof knowing[job] === 'object'
  const parts = {
    jobs: {
      known: (job: number) => (deleted.includes(job) ? undefined : { kind: imported(job) ? 'import' : 'event' }),
      whyMissing: (job: number) => knowing[job],
    },
    indexes: {
      crawlLogs: async (asked: readonly { job: number; isDeleted: boolean }[]) => {
        for (const { job, isDeleted } of asked)
          expect([imported(job), isDeleted]).toEqual([true, deleted.includes(job)])
        open += 1
        return {
          lookUp: async (job: number, urls: readonly string[]) => urls.map(() => knowing[job] as UrlInLogs),
          close: () => void (open -= 1),
        }
      },
    },
  } as unknown as WhyMissingParts
  const jobs = Object.keys(knowing).map(Number)
  const [words = '', ...more] = await whyMissing(parts, [...jobs, ...(withFiles ? [null] : [])], [{ url, method }])
  expect([open, more]).toEqual([0, []])
  return words
}

const silence: UrlInLogs = { kind: 'unnamed', linesUnread: 0, filesUnread: [] }
const moment = '2011-06-23T17:12:08Z'

const sentences: [string, Knowing, string][] = [
  [
    'a line of a log',
    { 1: line({}) },
    `not fetched: disallowed by robots.txt (its crawl log: status -9998, ${moment}, a part of http://a.example/)`,
  ],
  [
    'a seed that failed',
    { 1: line({ status: -1, hopPath: '', via: undefined }) },
    `failed: host name not found (its crawl log: status -1, ${moment}, a seed)`,
  ],
  [
    'what was fetched, under an address that is alike',
    { 1: line({ status: 200, url: 'https://a.example/page', hopPath: 'LQ' }) },
    `fetched: the server answered 200, but its capture is not in this view (its crawl log: status 200, ${moment}, of https://a.example/page, found on http://a.example/)`,
  ],
  [
    'a log of ours, which has no times of what was not fetched',
    { 1: line({ status: 0, loggedMs: undefined, annotations: 'excluded:notIncluded:page$' }) },
    'not fetched: matches no include pattern: page$ (its crawl log: status 0, a part of http://a.example/)',
  ],
  ['all in the same way', { 1: silence, 2: silence }, 'never queued: the crawl log of these jobs does not name it'],
  ['a log that does not name it', { 1: silence }, 'never queued: the crawl log of this job does not name it'],
  [
    'a log of which something is lacking',
    { 1: { kind: 'unnamed', linesUnread: 1, filesUnread: ['a.arc', 'b.arc', 'c.arc', 'd.arc'] } },
    'never queued: the crawl log of this job does not name it, but 1 of its lines is none, and a.arc, b.arc, c.arc and 1 more cannot be read to the end',
  ],
  [
    'no log',
    { 1: { kind: 'noLog', filesUnread: [] } },
    'this job was imported without a crawl log, which would say why',
  ],
  [
    'no log in what can be read',
    { 1: { kind: 'noLog', filesUnread: ['a.arc'] } },
    'whether this job brought a crawl log along is not known: a.arc cannot be read',
  ],
  [
    'a log that is being read',
    { 1: { kind: 'reading' } },
    'the crawl log of this job is still being read: look again in a moment',
  ],
  [
    'a log that could not be read',
    { 1: { kind: 'failed', why: 'no space is left' } },
    'the crawl log of this job could not be read: no space is left',
  ],
  ['the first that knows something', { 1: silence, 2: 'still in the queue', 3: line({}) }, 'still in the queue'],
  [
    'several that know nothing, each in its way',
    {
      1: undefined,
      2: undefined,
      3: silence,
      4: { kind: 'noLog', filesUnread: [] },
      5: { kind: 'noLog', filesUnread: [] },
    },
    'never found by jobs 1, 2: no page that was fetched links to it in a way that is read; never queued: the crawl log of job 3 does not name it; jobs 4, 5 were imported without a crawl log, which would say why',
  ],
]

test.each(sentences)('%s', async (_, knowing, expected) => {
  expect(await told(knowing)).toBe(expected)
})

test('what is asked with another method is told as such, whatever is known', async () => {
  expect(await told({ 1: line({}) }, { method: 'POST' })).toBe('asked with POST, which is not harvested')
  expect(await told({ 1: line({ status: -1 }) }, { method: 'HEAD' })).toMatch(/^failed: /)
})

const noLog: UrlInLogs = { kind: 'noLog', filesUnread: [] }
const gone: [string, Knowing, Otherwise, string | RegExp][] = [
  [
    'the crawl log of a deleted job',
    { 5: line({}) },
    { deleted: [5] },
    /^not fetched: disallowed by robots.txt \(its crawl log: /,
  ],
  [
    'a deleted job without a log',
    { 5: noLog },
    { deleted: [5] },
    'this job was deleted, and no crawl log of it is archived',
  ],
  [
    'deleted jobs whose metadata cannot be read',
    { 5: { kind: 'noLog', filesUnread: ['5-metadata-1.warc'] } },
    { deleted: [5] },
    'whether a crawl log of this job, now deleted, is archived is not known: 5-metadata-1.warc cannot be read',
  ],
  [
    'a file without a job',
    {},
    { withFiles: true },
    'not known: files without a job come with no list of what their harvest tried',
  ],
  [
    'all of them',
    { 1: undefined, 5: noLog, 6: noLog },
    { deleted: [5, 6], withFiles: true },
    'never found by job 1: no page that was fetched links to it in a way that is read; jobs 5, 6 were deleted, and no crawl log of them is archived; not known: files without a job come with no list of what their harvest tried',
  ],
  ['a job beside them that knows', { 1: 'still in the queue' }, { withFiles: true }, 'still in the queue'],
]
test.each(gone)('%s', async (_, knowing, otherwise, expected) =>
  expect(await told(knowing, otherwise)).toMatch(expected),
)
