/** What a job knows of an address that a viewing missed, after a harvest by the whole engine: each sentence, and in it the rule, the line or
 *  the limit that decided. */
import { expect, test } from 'vitest'
import { linksTo, lived, type Answer, type EngineTrial, type Life } from './madeEngine.ts'

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
const ended = ({ until }: Life) => until(/^INACTIVE$/)

test('of what a rule keeps out, and of what failed, the very rule, line or fault is told', async () => {
  const rules = { exclude: ['nev[e]r$'], include: ['page$', 'refused|never|hangs'], robots: 'obey' }
  const { jobs, job } = await lived(trial(rules), ended)
  const told = ['page', 'never', 'refused', 'other', 'hangs', '../out/', 'unknown'].map((path) => [
    path,
    jobs.whyMissing(job, new URL(path, `${site}/in/`).href),
  ])
  expect(Object.fromEntries(told)).toEqual({
    page: 'fetched, but its capture is not in this view',
    never: 'not fetched: matches an exclude pattern (nev[e]r$)',
    refused: 'not fetched: disallowed by robots.txt (line 3: Disallow: /in/refused)',
    other: 'not fetched: matches no include pattern (page$ | refused|never|hangs)',
    hangs: 'failed: the server closed the connection without an answer (the answer could not be read)',
    '../out/': 'not fetched: outside the scope of the harvest (outside the folders of the seeds)',
    unknown: undefined,
  })
  expect(jobs.whyMissing(job, 'no address')).toBeUndefined()
})

test('of what waits, of what was fetched, and of what a run that was stopped had only from an earlier one', async () => {
  const told: (string | undefined)[] = []
  await lived(trial({}, { settings: { delayMs: 60_000 } }), async (life) => {
    const { jobs, job, sleep } = life
    const tell = () => told.push(jobs.whyMissing(job, `${site}/in/page`))
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
    'still in the queue',
    'fetched, but its capture is not in this view',
    'known from an earlier run, and not looked at in the last',
  ])
})

test('of what a limit of the harvest kept out', async () => {
  const { jobs, job } = await lived(trial({ maxObjects: 1 }), ended)
  expect(jobs.whyMissing(job, `${site}/in/page`)).toBe('not fetched: the limit of objects was reached')
})
