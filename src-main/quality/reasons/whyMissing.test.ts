/** Reasons why a view has no capture of a URL, from jobs that were harvested or imported with a crawl log. */
import { expect, test } from 'vitest'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { LoggedLine, UrlInLogs } from '../../indexes/indexes.ts'
import { whyMissing, type WhyMissingParts } from './whyMissing.ts'

const url = 'http://a.example/page'
const line = (otherwise: Partial<LoggedLine>): UrlInLogs => ({
  kind: 'line',
  line: {
    ...{ loggedMs: Date.UTC(2011, 5, 23, 17, 12, 8, 802), status: -9998, url, hopPath: 'LE' },
    ...{ via: 'http://a.example/', annotations: '', ...otherwise },
  },
})

/** What is known per job: the reason, if any, for a harvested job; the search result of its log for an imported one. */
type Knowing = Record<number, Message | undefined | UrlInLogs>
interface Otherwise {
  method?: string
  /** Deleted jobs. */
  deleted?: readonly number[]
  /** Files without a job are viewed too. */
  withFiles?: boolean
}

async function reasonFrom(
  knowing: Knowing,
  { method = 'GET', deleted = [], withFiles = false }: Otherwise = {},
): Promise<string> {
  let open = 0
  const imported = (job: number) => 'kind' in (knowing[job] ?? {})
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
  const [found, ...more] = await whyMissing(parts, [...jobs, ...(withFiles ? [null] : [])], [{ url, method }])
  expect([open, more]).toEqual([0, []])
  return found ? textOf(found) : ''
}

const silence: UrlInLogs = { kind: 'unnamed', linesUnread: 0, filesUnread: [] }
const moment = '2011-06-23T17:12:08Z'

const sentences: [string, Knowing, string][] = [
  [
    'a line of a log',
    { 1: line({}) },
    `Not fetched: disallowed by robots.txt. Crawl log: status -9998, ${moment}, embedded in http://a.example/.`,
  ],
  [
    'a seed that failed',
    { 1: line({ status: -1, hopPath: '', via: undefined }) },
    `Failed: host name not found. Crawl log: status -1, ${moment}, a seed.`,
  ],
  [
    'a fetched URL that is similar',
    { 1: line({ status: 200, url: 'https://a.example/page', hopPath: 'LQ' }) },
    `Fetched: the server answered 200, but the capture is not in this view. Crawl log: status 200, ${moment}, of https://a.example/page, found on http://a.example/.`,
  ],
  [
    'a log by Loupe, without times of URLs that were not fetched',
    { 1: line({ status: 0, loggedMs: undefined, annotations: 'excluded:notIncluded:page$' }) },
    'Not fetched: matches no include pattern: page$. Crawl log: status 0, embedded in http://a.example/.',
  ],
  [
    'several logs without the URL',
    { 1: silence, 2: silence },
    'Never queued: it is not in the crawl log of these jobs.',
  ],
  ['a log without the URL', { 1: silence }, 'Never queued: it is not in the crawl log of this job.'],
  [
    'a log that could not be searched completely',
    { 1: { kind: 'unnamed', linesUnread: 1, filesUnread: ['a.arc', 'b.arc', 'c.arc', 'd.arc'] } },
    'Never queued: it is not in the crawl log of this job. 1 line of the log is not valid and could not be searched. Not searched to the end: a.arc, b.arc, c.arc and 1 more.',
  ],
  ['no log', { 1: { kind: 'noLog', filesUnread: [] } }, 'Not known, because this job came without a crawl log.'],
  [
    'no log in the readable files',
    { 1: { kind: 'noLog', filesUnread: ['a.arc'] } },
    'Not known, because a.arc cannot be read and may contain the crawl log of this job.',
  ],
  [
    'a log that is still being read',
    { 1: { kind: 'reading' } },
    'The crawl log of this job is still being read. Try again in a moment.',
  ],
  [
    'a log that could not be read',
    { 1: { kind: 'failed', why: message('text', { text: 'no space is left' }) } },
    'The crawl log of this job could not be read. no space is left',
  ],
  ['the first that knows something', { 1: silence, 2: message('missing.queued'), 3: line({}) }, 'Still in the queue.'],
  [
    'several that know nothing for different reasons',
    {
      1: undefined,
      2: undefined,
      3: silence,
      4: { kind: 'noLog', filesUnread: [] },
      5: { kind: 'noLog', filesUnread: [] },
    },
    'Never found by jobs 1, 2: no fetched page links to it in a way that Loupe can read. Never queued: it is not in the crawl log of job 3. Not known, because jobs 4, 5 came without a crawl log.',
  ],
]

test.each(sentences)('%s', async (_, knowing, expected) => {
  expect(await reasonFrom(knowing)).toBe(expected)
})

test('requests with other methods are not harvested', async () => {
  expect(await reasonFrom({ 1: line({}) }, { method: 'POST' })).toBe('Requests with POST are not harvested.')
  expect(await reasonFrom({ 1: line({ status: -1 }) }, { method: 'HEAD' })).toMatch(/^Failed: /)
})

const noLog: UrlInLogs = { kind: 'noLog', filesUnread: [] }
const gone: [string, Knowing, Otherwise, string | RegExp][] = [
  [
    'the crawl log of a deleted job',
    { 5: line({}) },
    { deleted: [5] },
    /^Not fetched: disallowed by robots.txt. Crawl log: /,
  ],
  [
    'a deleted job without a log',
    { 5: noLog },
    { deleted: [5] },
    'Not known, because no crawl log of this deleted job is archived.',
  ],
  [
    'deleted jobs whose metadata cannot be read',
    { 5: { kind: 'noLog', filesUnread: ['5-metadata-1.warc'] } },
    { deleted: [5] },
    'Not known, because 5-metadata-1.warc cannot be read and may contain the crawl log of this deleted job.',
  ],
  ['a file without a job', {}, { withFiles: true }, 'Not known for files without a job, which have no crawl log.'],
  [
    'all of them',
    { 1: undefined, 5: noLog, 6: noLog },
    { deleted: [5, 6], withFiles: true },
    'Never found by job 1: no fetched page links to it in a way that Loupe can read. Not known, because no crawl log of the deleted jobs 5, 6 is archived. Not known for files without a job, which have no crawl log.',
  ],
  [
    'a job that knows, in a view with files without a job',
    { 1: message('missing.queued') },
    { withFiles: true },
    'Still in the queue.',
  ],
]
test.each(gone)('%s', async (_, knowing, otherwise, expected) =>
  expect(await reasonFrom(knowing, otherwise)).toMatch(expected),
)
