/** The crawl.log of runs of the whole engine, cut into fields as scripts for Heritrix and NetarchiveSuite do. */
import { textOf } from '../../contract/words/render.ts'
import { expect, test } from 'vitest'
import { parseCrawlLogLine, type CrawlLogLine } from '../../formats/logs/crawlLog.ts'
import { outcomeOfLine } from '../../formats/logs/fetchStatus.ts'
import { linksTo, lived, type EngineTrial, type Life, type Lived } from '../loops/testing/engineFixture.ts'
import { reportsOf } from './reports.ts'

const site = 'http://site.test'
const trial = (definition: object, more: Partial<EngineTrial> = {}): EngineTrial => ({
  ...{ seed: 1, answer: () => undefined, ...more },
  definition: { seeds: [`${site}/`], scope: 'host', ...definition },
})
const ended = ({ until }: Life) => until(/^INACTIVE$/)

function logOf({ store, jobs, job }: Pick<Lived, 'store' | 'jobs' | 'job'>): string[] {
  const log = reportsOf(jobs.show(job), jobs, store).find(({ name }) => name === 'crawl.log')
  return [...(log?.text() ?? [])].map(String)
}

function linesByPath(texts: readonly string[]): Record<string, CrawlLogLine> {
  const read = texts.flatMap((text) => parseCrawlLogLine(text).line ?? [])
  expect(read).toHaveLength(texts.length)
  return Object.fromEntries(read.map((line) => [line.url.replace(site, ''), line]))
}

/** NetarchiveSuite 7.7: fields between blanks, at least eleven; the twelfth are annotations between commas. */
function harvestReport(
  texts: readonly string[],
): Record<string, { objects: number; bytes: number; stopReason: string }> {
  const domains: Record<string, { objects: number; bytes: number; stopReason: string }> = {}
  for (const text of texts) {
    const parts = text.trim().split(/\s+/)
    expect(parts.length).toBeGreaterThanOrEqual(11)
    const [source = '-', annotations = ''] = parts.slice(10)
    const domain = new URL(source === '-' ? (parts[3] ?? '') : source).hostname
    const report = (domains[domain] ??= { objects: 0, bytes: 0, stopReason: 'DOWNLOAD_COMPLETE' })
    const status = Number(parts[1])
    for (const annotation of annotations.split(',')) {
      const size = /^content-size:(.*)$/.exec(annotation)?.[1]
      if (size !== undefined && status >= 0) report.bytes += Number(size)
      if (status === -5003 && annotation === 'Q:groupMaxAllKb') report.stopReason = 'SIZE_LIMIT'
      if (status === -5003 && annotation === 'Q:groupMaxFetchSuccesses') report.stopReason = 'OBJECT_LIMIT'
    }
    if (status >= 0) report.objects += 1
  }
  return domains
}

const pages = (path: string) => {
  const answers: Record<string, ReturnType<typeof linksTo>> = {
    '/robots.txt': { body: 'User-agent: *\nDisallow: /refused\n', mediaType: 'text/plain' },
    '/': linksTo('/page', '/refused', '/hangs', '/plain', 'http://other.test/'),
    '/page': linksTo('/deep?a=b%20c'),
    '/deep?a=b%20c': { body: 'deep', mediaType: 'text/html; charset=utf-8' },
    '/plain': { body: 'no type', mediaType: '' },
  }
  return answers[path]
}

test('each line has the code, the seed and the annotations that scripts expect', async () => {
  const life = await lived(trial({ exclude: ['/never'] }, { answer: pages }), ended)
  const texts = logOf(life)
  const lines = linesByPath(texts)
  const told = Object.entries(lines).map(([path, { status, source, hopPath, annotations }]) => {
    const shown = annotations
      .replace(/content-size:\d+/, 'content-size:N')
      .replace(/failed:emptyAnswer:.*/, 'failed:emptyAnswer')
    return [path, status, source, hopPath, shown]
  })
  expect(told.toSorted()).toEqual(
    [
      ['/robots.txt', 200, `${site}/`, 'P', 'content-size:N'],
      ['/', 200, `${site}/`, '', 'content-size:N'],
      ['/page', 200, `${site}/`, 'L', 'content-size:N'],
      ['/deep?a=b%20c', 200, `${site}/`, 'LL', 'content-size:N'],
      ['/plain', 200, `${site}/`, 'L', 'content-size:N'],
      ['/refused', -9998, `${site}/`, 'L', 'excluded:robots:line%202:%20Disallow:%20/refused'],
      ['/hangs', -404, `${site}/`, 'L', '3t,failed:emptyAnswer'],
      ['http://other.test/', -5000, `${site}/`, 'L', 'excluded:outOfScope:outside%20the%20hosts%20of%20the%20seeds'],
    ].toSorted(),
  )
  const { store, job } = life
  const { bytes } = store.statement<{ job: number }, { bytes: number }>(
    `SELECT SUM(bytes) AS bytes FROM document WHERE job_id = @job AND outcome = 'fetched'`,
  ).get({ job }) ?? { bytes: 0 } // prettier-ignore
  expect(harvestReport(texts)).toEqual({ 'site.test': { objects: 5, bytes, stopReason: 'DOWNLOAD_COMPLETE' } })
  // Without the header, and as the digest of the record has it.
  expect(lines['/deep?a=b%20c']).toMatchObject({ contentBytes: 4, mediaType: 'text/html', via: `${site}/page` })
  expect(lines['/deep?a=b%20c']?.payloadDigest).toMatch(/^sha1:[A-Z2-7]{32}$/)
  const order = texts.map((text) => text.slice(0, 24))
  expect(order).toEqual(order.toSorted())
  expect(texts.every((text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [ -]/.test(text))).toBe(true)
  for (const { status, beganMs, loggedMs = 0, durationMs = 0 } of Object.values(lines))
    if (status > 0) expect(loggedMs).toBe((beganMs ?? NaN) + durationMs)
})

test('an unknown host: robots.txt has the code of the failed lookup, the page that of a failed prerequisite', async () => {
  const seeds = [`${site}/`, 'http://nobody.test/']
  const life = await lived(trial({ seeds }, { answer: pages, settings: { attemptsMax: 1 } }), ended)
  const lines = linesByPath(logOf(life))
  expect(lines['http://nobody.test/robots.txt']).toMatchObject({
    status: -1,
    source: 'http://nobody.test/',
    mediaType: '',
  })
  expect(lines['http://nobody.test/']).toMatchObject({ status: -6, source: 'http://nobody.test/', beganMs: undefined })
  const ignoring = await lived(
    trial({ seeds, robots: 'ignore' }, { answer: pages, settings: { attemptsMax: 1 } }),
    ended,
  )
  expect(linesByPath(logOf(ignoring))['http://nobody.test/']).toMatchObject({ status: -1 })
})

test.each<[string, object, string, number]>([
  ['objects', { maxObjects: 2 }, 'OBJECT_LIMIT', -5003],
  ['bytes', { maxBytes: 60 }, 'SIZE_LIMIT', -5003],
])('what a limit of %s left out stops its domain for NetarchiveSuite', async (_, limit, stopReason, status) => {
  const life = await lived(trial({ robots: 'ignore', ...limit }, { answer: pages }), ended)
  const texts = logOf(life)
  expect(harvestReport(texts)['site.test']?.stopReason).toBe(stopReason)
  expect(linesByPath(texts)['/hangs']).toMatchObject({ status })
})

test('unchanged content of a further run names its original, and a truncated response is marked', async () => {
  const body = 'x'.repeat(500)
  const answer = (path: string) =>
    path === '/' ? linksTo('/same', '/long') : { body: path === '/long' ? body.repeat(9) : body }
  const more = { answer, settings: { responseBytesMax: 2_000 } }
  const life = await lived(trial({ robots: 'ignore' }, more), async (each) => {
    await ended(each)
    each.jobs.act(each.job, 'start')
    await each.sleep(5_000)
    await ended(each)
  })
  const lines = linesByPath(logOf(life))
  expect(lines['/same']?.annotations).toMatch(
    /^duplicate:"1-\d+-\d{17}-\d+-[\w.-]+,\d+,\d{17}",warcRevisit:digest,content-size:\d+$/,
  )
  expect(textOf(outcomeOfLine(lines['/same'] ?? { status: 0, annotations: '' }).message)).toMatch(
    /not stored again.*it is the record at \d+ of 1-/,
  )
  expect(lines['/long']?.annotations).toBe('lenTrunc,content-size:2000')
})

test('a URL that its list reports unchanged was not requested, and refers to its earlier capture', async () => {
  const list = `<urlset><url><loc>${site}/listed</loc><lastmod>2026-01-01</lastmod></url></urlset>`
  const answer = (path: string) =>
    path === '/map.xml' ? { body: list, mediaType: 'application/xml' } : { body: `of ${path}` }
  const definition = {
    connectors: { repository: { connector: 'sitemap' } },
    seeds: [`${site}/map.xml`],
    robots: 'ignore',
  }
  const life = await lived(trial(definition, { answer }), async (each) => {
    await ended(each)
    each.jobs.act(each.job, 'start')
    await each.sleep(5_000)
    await ended(each)
  })
  expect(life.asked.filter(({ path }) => path === '/listed')).toHaveLength(1)
  const listed = linesByPath(logOf(life))['/listed']
  expect(listed).toMatchObject({ status: 200, contentBytes: undefined, beganMs: undefined, source: `${site}/map.xml` })
  expect(listed?.annotations).toMatch(/^duplicate:"1-\S+,\d+,\d{17}",unwritten:unchanged$/)
})
