/** Why a URL is missing in the viewer, after a harvest by the whole engine: each explanation names the rule, the line of robots.txt
 *  or the limit that decided. */
import { textOf } from '../../contract/words/render.ts'
import { expect, test } from 'vitest'
import type { Budget } from '../../contract/services/live.ts'
import { parseCrawlLogLine } from '../../formats/logs/crawlLog.ts'
import { outcomeOfLine } from '../../formats/logs/fetchStatus.ts'
import { openLiveControl } from '../live/control.ts'
import { reportsOf } from '../finish/reports.ts'
import { linksTo, lived, type Answer, type EngineTrial, type Life } from './testing/engineFixture.ts'

const site = 'http://site.test'
const pages: Record<string, Answer> = {
  '/robots.txt': { body: 'User-agent: *\nAllow: /\nDisallow: /in/refused\n', mediaType: 'text/plain' },
  '/in/': linksTo('/in/never', '/in/refused', '/in/other', '/out/', '/in/hangs', '/in/page'),
  '/in/page': linksTo(),
}
const trial = (definition: object, more: Partial<EngineTrial> = {}): EngineTrial => ({
  ...{ seed: 1, answer: (path: string) => pages[path], ...more },
  definition: { seeds: [`${site}/in/`], scope: 'prefix', robots: 'ignore', ...definition },
})
/** So slow that a user or a limit acts before the second URL has its turn. */
const slow: Partial<EngineTrial> = { settings: { delayMs: 600_000 } }
const whyMissing = (jobs: Life['jobs'], job: number, url: string) => {
  const why = jobs.whyMissing(job, url)
  return why && textOf(why)
}
const ended = ({ until }: Life) => until(/^INACTIVE$/)

test('an excluded URL is explained by the rule or line that excluded it, a failed one by its fault', async () => {
  const rules = { exclude: ['nev[e]r$'], include: ['page$', 'refused|never|hangs'], robots: 'obey' }
  const { store, jobs, job } = await lived(trial(rules), ended)
  const explained = ['page', 'never', 'refused', 'other', 'hangs', '../out/', 'unknown'].map((path) => [
    path,
    whyMissing(jobs, job, new URL(path, `${site}/in/`).href),
  ])
  expect(Object.fromEntries(explained)).toEqual({
    page: 'Fetched, but the capture is not in this view.',
    never: 'Not fetched: matches an exclude pattern (nev[e]r$).',
    refused: 'Not fetched: disallowed by robots.txt (line 3: Disallow: /in/refused).',
    other: 'Not fetched: matches no include pattern (page$ | refused|never|hangs).',
    hangs: 'Failed: connection closed without a response (the response could not be read).',
    '../out/': 'Not fetched: out of scope (outside the folders of the seeds).',
    unknown: undefined,
  })
  expect(whyMissing(jobs, job, 'no address')).toBeUndefined()
  // An import of the crawl log in the metadata file explains them in the same way.
  const log = reportsOf(jobs.show(job), jobs, store).find(({ name }) => name === 'crawl.log')
  const logged = [...(log?.text() ?? [])].map((text) => parseCrawlLogLine(String(text)).line)
  const fate = (line: Parameters<typeof outcomeOfLine>[0]) => {
    const { outcome, message } = outcomeOfLine(line)
    return { outcome, text: textOf(message) }
  }
  const fates = logged.flatMap((line) => (line ? [[line.url.slice(site.length), fate(line)]] : []))
  expect(Object.fromEntries(fates)).toMatchObject({
    '/in/page': { outcome: 'fetched', text: 'the server answered 200' },
    '/in/never': { outcome: 'excluded', text: 'matches an exclude pattern: nev[e]r$' },
    '/in/refused': { outcome: 'excluded', text: 'disallowed by robots.txt: line 3: Disallow: /in/refused' },
    '/in/hangs': {
      outcome: 'failed',
      text: expect.stringMatching(/^connection closed without/) as unknown,
    },
  })
})

test('URLs that are queued, fetched, or known only from an earlier run', async () => {
  const explained: (string | undefined)[] = []
  await lived(trial({}, { settings: { delayMs: 60_000 } }), async (life) => {
    const { jobs, job, sleep } = life
    const explain = () => explained.push(whyMissing(jobs, job, `${site}/in/page`))
    await sleep(20_000)
    explain()
    await ended(life)
    explain()
    jobs.act(job, 'start')
    await sleep(20_000)
    jobs.act(job, 'abort')
    await ended(life)
    explain()
  })
  expect(explained).toEqual([
    'Still in the queue.',
    'Fetched, but the capture is not in this view.',
    'Known from an earlier run, not checked in the last one.',
  ])
})

const limits: [string, object, Partial<EngineTrial>, string][] = [
  ['objects', { maxObjects: 1 }, {}, 'URL limit reached (the harvest fetches at most 1 URL)'],
  ['bytes', { maxBytes: 60 }, {}, 'size limit reached (the harvest fetches at most 60 bytes)'],
  ['time', { maxSeconds: 1200 }, slow, 'time limit reached (the harvest runs for at most 1,200 seconds)'],
  ['hops', { maxHops: 0 }, {}, 'too many hops from a seed (1 hop from the nearest seed, and the limit is 0)'],
]

test.each(limits)('a limit of %s is named with its value and its origin', async (_, limit, more, why) => {
  const { jobs, job } = await lived(trial(limit, more), ended)
  expect(whyMissing(jobs, job, `${site}/in/page`)).toBe(`Not fetched: ${why}.`)
})

const budgets: [string, { objects: number | null; bytes: number | null }, string][] = [
  ['objects', { objects: 1, bytes: null }, 'URL budget of the domain used up (site.test may have 1 URL per run)'],
  ['bytes', { objects: null, bytes: 60 }, 'size budget of the domain used up (site.test may have 60 bytes per run)'],
]

test.each(budgets)('a budget of %s of the domain is named', async (_, budget, why) => {
  const explained: (string | undefined)[] = []
  await lived(trial({}, slow), async (life) => {
    const { world, store, databasePath, jobs, job, sleep } = life
    const control = openLiveControl(world, store, databasePath)
    const set = (given: Budget) => control.budgets({ job, budgets: [given], isTrial: false })
    await sleep(20_000)
    await set({ domain: 'site.test', ...budget })
    await ended(life)
    explained.push(whyMissing(jobs, job, `${site}/in/page`))
    control.close()
  })
  expect(explained).toEqual([`Not fetched: ${why}.`])
})

test('resources beyond the depth of embedded resources', async () => {
  const sheets = (path: string): Answer | undefined => {
    const depth = Number(/^\/in\/(\d+)\.css$/.exec(path)?.[1])
    if (path === '/in/') return { body: '<link rel="stylesheet" href="1.css">' }
    return depth > 0 ? { body: `@import "${depth + 1}.css";`, mediaType: 'text/css' } : undefined
  }
  const { jobs, job } = await lived(trial({}, { answer: sheets }), ended)
  expect(whyMissing(jobs, job, `${site}/in/5.css`)).toBe('Fetched, but the capture is not in this view.')
  const why = 'out of scope (embedded more than 5 levels deep)'
  expect(whyMissing(jobs, job, `${site}/in/6.css`)).toBe(`Not fetched: ${why}.`)
})

test('a pattern is shown as the user wrote it', async () => {
  const rules = { exclude: ['/in/n[e]ver', '\\/in\\/refused$'], include: ['/in/page', 'hangs/?$'] }
  const { jobs, job } = await lived(trial(rules), ended)
  const explained = ['never', 'refused', 'other'].map((path) => whyMissing(jobs, job, `${site}/in/${path}`))
  expect(explained).toEqual([
    'Not fetched: matches an exclude pattern (/in/n[e]ver).',
    'Not fetched: matches an exclude pattern (\\/in\\/refused$).',
    'Not fetched: matches no include pattern (/in/page | hangs/?$).',
  ])
})
