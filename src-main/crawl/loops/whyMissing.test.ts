/** What a job knows of an address that a viewing missed, after a harvest by the whole engine: each sentence, and in it the rule, the line or
 *  the limit that decided. */
import { textOf } from '../../contract/words/render.ts'
import { expect, test } from 'vitest'
import type { Budget } from '../../contract/services/live.ts'
import { parseCrawlLogLine } from '../../formats/logs/crawlLog.ts'
import { fateOf } from '../../formats/logs/fetchStatus.ts'
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
/** So that somebody, or a limit, comes before the second address has its turn. */
const slow: Partial<EngineTrial> = { settings: { delayMs: 600_000 } }
const whyMissing = (jobs: Life['jobs'], job: number, url: string) => {
  const why = jobs.whyMissing(job, url)
  return why && textOf(why)
}
const ended = ({ until }: Life) => until(/^INACTIVE$/)

test('of what a rule keeps out, and of what failed, the very rule, line or fault is told', async () => {
  const rules = { exclude: ['nev[e]r$'], include: ['page$', 'refused|never|hangs'], robots: 'obey' }
  const { store, jobs, job } = await lived(trial(rules), ended)
  const told = ['page', 'never', 'refused', 'other', 'hangs', '../out/', 'unknown'].map((path) => [
    path,
    whyMissing(jobs, job, new URL(path, `${site}/in/`).href),
  ])
  expect(Object.fromEntries(told)).toEqual({
    page: 'Fetched, but the capture is not in this view.',
    never: 'Not fetched: matches an exclude pattern (nev[e]r$).',
    refused: 'Not fetched: disallowed by robots.txt (line 3: Disallow: /in/refused).',
    other: 'Not fetched: matches no include pattern (page$ | refused|never|hangs).',
    hangs: 'Failed: connection closed without a response (the answer could not be read).',
    '../out/': 'Not fetched: out of scope (outside the folders of the seeds).',
    unknown: undefined,
  })
  expect(whyMissing(jobs, job, 'no address')).toBeUndefined()
  // The crawl log that goes into the metadata says the same to whoever imports it.
  const log = reportsOf(jobs.show(job), jobs, store).find(({ name }) => name === 'crawl.log')
  const logged = [...(log?.text() ?? [])].map((text) => parseCrawlLogLine(String(text)).line)
  const fate = (line: Parameters<typeof fateOf>[0]) => {
    const { outcome, message } = fateOf(line)
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

test('of what waits, of what was fetched, and of what a run that was stopped had only from an earlier one', async () => {
  const told: (string | undefined)[] = []
  await lived(trial({}, { settings: { delayMs: 60_000 } }), async (life) => {
    const { jobs, job, sleep } = life
    const tell = () => told.push(whyMissing(jobs, job, `${site}/in/page`))
    await sleep(20_000)
    tell()
    await ended(life)
    tell()
    jobs.act(job, 'start')
    await sleep(20_000)
    jobs.act(job, 'abort')
    await ended(life)
    tell()
  })
  expect(told).toEqual([
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

test.each(limits)('of what a limit of %s kept out, with its number and whose it is', async (_, limit, more, why) => {
  const { jobs, job } = await lived(trial(limit, more), ended)
  expect(whyMissing(jobs, job, `${site}/in/page`)).toBe(`Not fetched: ${why}.`)
})

const budgets: [string, { objects: number | null; bytes: number | null }, string][] = [
  ['objects', { objects: 1, bytes: null }, 'URL budget of the domain used up (site.test may have 1 URL per run)'],
  ['bytes', { objects: null, bytes: 60 }, 'size budget of the domain used up (site.test may have 60 bytes per run)'],
]

test.each(budgets)('of what a budget of %s of its domain kept out', async (_, budget, why) => {
  const told: (string | undefined)[] = []
  await lived(trial({}, slow), async (life) => {
    const { world, store, databasePath, jobs, job, sleep } = life
    const control = openLiveControl(world, store, databasePath)
    const set = (given: Budget) => control.budgets({ job, budgets: [given], isTrial: false })
    await sleep(20_000)
    await set({ domain: 'site.test', ...budget })
    await ended(life)
    told.push(whyMissing(jobs, job, `${site}/in/page`))
    control.close()
  })
  expect(told).toEqual([`Not fetched: ${why}.`])
})

test('of what only parts of parts of parts load', async () => {
  const sheets = (path: string): Answer | undefined => {
    const depth = Number(/^\/in\/(\d+)\.css$/.exec(path)?.[1])
    if (path === '/in/') return { body: '<link rel="stylesheet" href="1.css">' }
    return depth > 0 ? { body: `@import "${depth + 1}.css";`, mediaType: 'text/css' } : undefined
  }
  const { jobs, job } = await lived(trial({}, { answer: sheets }), ended)
  expect(whyMissing(jobs, job, `${site}/in/5.css`)).toBe('Fetched, but the capture is not in this view.')
  const why = 'out of scope (loaded by parts of parts, more than 5 deep)'
  expect(whyMissing(jobs, job, `${site}/in/6.css`)).toBe(`Not fetched: ${why}.`)
})

test('a pattern is told as it was written, also where an expression writes itself otherwise', async () => {
  const rules = { exclude: ['/in/n[e]ver', '\\/in\\/refused$'], include: ['/in/page', 'hangs/?$'] }
  const { jobs, job } = await lived(trial(rules), ended)
  const told = ['never', 'refused', 'other'].map((path) => whyMissing(jobs, job, `${site}/in/${path}`))
  expect(told).toEqual([
    'Not fetched: matches an exclude pattern (/in/n[e]ver).',
    'Not fetched: matches an exclude pattern (\\/in\\/refused$).',
    'Not fetched: matches no include pattern (/in/page | hangs/?$).',
  ])
})
