/** Misses of a job with the whole engine: noticed while browsing and by the harvest, ignored, patched, and solved by themselves. */
import { expect, test } from 'vitest'
import type { Archive } from '../archive/store/archive.ts'
import { linksTo, lived, type Answer, type EngineTrial, type Life } from '../crawl/loops/testing/engineFixture.ts'
import { textOf } from '../contract/words/render.ts'
import type { JobMiss } from '../contract/services/misses.ts'
import { openQuality, type Quality } from './quality.ts'

const site = 'http://site.test'
const start = `${site}/in/`
const pages: Record<string, Answer> = {
  '/in/': linksTo('/in/broken.png', '/in/page'),
  '/in/page': linksTo('/in/broken.png'),
  '/out/late.png': { body: 'picture', mediaType: 'image/png' },
  '/out/gone.png': { status: 404, body: 'gone' },
}
/** Pages that the site has from a time on. */
const trial = (definition: object = {}): EngineTrial => ({
  ...{ seed: 1, answer: (path) => pages[path] },
  definition: { seeds: [start], scope: 'prefix', robots: 'ignore', delayMs: 0, ...definition },
})
const ended = ({ until }: Life) => until(/^INACTIVE$/)

/** The floor over an engine. View 1 shows `viewed`. */
function qualityOver({ store, world, jobs }: Life, viewed: number[]): Quality {
  const crawlLogs = async () => ({ lookUp: async () => [], close: () => undefined })
  const selectionOf = () => ({ jobs: viewed, files: [], all: false, overlays: [] })
  const archive = { jobsWithFiles: () => viewed } as Archive
  return openQuality({
    ...{ store, world, jobs, archive, indexes: { crawlLogs }, selectionOf, software: 'Loupe/test', isEngine: false },
    ...{ folder: '/archive/quality', quarantineFolder: '/archive/quarantine', ready: Promise.resolve() },
    onProblem: (error) => expect.unreachable(String(error)),
  })
}

const missed = (path: string, more: object = {}) => ({
  ...{
    view: 1,
    url: `${site}${path}`,
    page: start,
    method: 'GET',
    resourceType: 'image',
    firstMs: 1,
    lastMs: 2,
    times: 1,
  },
  ...more,
})
const order = { sort: 'url', descending: false, offset: 0, limit: 100 } as const
const shown = ({ url, state, reason }: JobMiss) => [url.slice(site.length), state, reason]

async function untilEnded({ jobs, sleep }: Life, job: number): Promise<void> {
  while (jobs.summary(job).ended === null) await sleep(1_000)
}

test('misses of browsing and failures of the harvest are in one list, each with its pages and its reason', async () => {
  await lived(trial(), async (life) => {
    const { job } = life
    await ended(life)
    const { misses, noteBrowsed } = qualityOver(life, [job])
    noteBrowsed([missed('/out/late.png'), missed('/out/late.png', { page: `${start}page`, lastMs: 9 })])
    noteBrowsed([missed('/in/page'), missed('/form', { method: 'POST' }), missed('/in/broken.png')])
    const { rows, total } = await misses.list({ jobs: [job], ...order })
    expect(total).toBe(3)
    expect(rows.map(shown)).toEqual([
      ['/form', 'OPEN', 'method'],
      ['/in/broken.png', 'OPEN', 'emptyAnswer'],
      ['/out/late.png', 'OPEN', 'neverFound'],
    ])
    expect(rows[2]).toMatchObject({
      ...{ type: 'image', source: 'browsing', host: 'site.test', path: '/out/*.png', times: 2 },
      pages: [start, `${start}page`],
      last: '1970-01-01T00:00:00.009Z',
    })
    expect(textOf(rows[1]!.why)).toMatch(/^Failed: /)
    expect(textOf(rows[2]!.why)).toMatch(/^Never found/)
    // Asked again, nothing is counted twice.
    expect((await misses.list({ jobs: [job], ...order })).rows.map(({ times }) => times)).toEqual([1, 1, 2])
    const by = async (property: 'path' | 'page') =>
      (await misses.groups({ jobs: [job], by: property })).map((group) => [group.value, group.misses])
    expect(await by('path')).toEqual([['/*', 1], ['/in/*.png', 1], ['/out/*.png', 1]]) // prettier-ignore
    expect(await by('page')).toEqual([[start, 3], [`${start}page`, 1]]) // prettier-ignore
    expect((await misses.list({ jobs: [job], ...order, page: `${start}page` })).total).toBe(1)
    expect(misses.jobs()).toEqual([{ job, name: 'site.test', open: 3, total: 3 }])
  })
})

test('failures of a run are read before it is browsed, and again after the next run', async () => {
  let isMended = false
  const answer = (path: string) => (path === '/in/broken.png' && isMended ? { body: 'picture' } : pages[path])
  await lived({ ...trial(), answer }, async (life) => {
    const { job, jobs, sleep } = life
    await ended(life)
    const { misses } = qualityOver(life, [job])
    const list = async () => (await misses.list({ jobs: [job], ...order })).rows
    expect((await list()).map(shown)).toEqual([['/in/broken.png', 'OPEN', 'emptyAnswer']])
    isMended = true
    jobs.act(job, 'start')
    await sleep(2_000)
    await ended(life)
    expect((await list()).map(shown)).toEqual([['/in/broken.png', 'SOLVED', 'emptyAnswer']])
  })
})

test('a user adds what is captured badly; only a patch job solves it', async () => {
  await lived(trial(), async (life) => {
    const { job } = life
    await ended(life)
    const { misses, patches } = qualityOver(life, [job])
    const captured = `${site}/in/page`
    expect(misses.add({ job, urls: [captured, `${captured}#part`, `${site}/out/late.png`], page: start })).toBe(2)
    const list = async () => (await misses.list({ jobs: [job], ...order })).rows
    const rows = await list()
    expect(rows.map(shown)).toEqual([
      ['/in/broken.png', 'OPEN', 'emptyAnswer'],
      ['/in/page', 'OPEN', 'recapture'],
      ['/out/late.png', 'OPEN', 'neverFound'],
    ])
    expect(rows[1]).toMatchObject({ source: 'user', pages: [start] })
    expect(textOf(rows[1]!.why)).toBe('captured, to be captured again')
    const [patch] = patches.create([rows[1]!.id], {})
    await untilEnded(life, patch!.job)
    expect((await list())[1]).toMatchObject({ url: captured, state: 'SOLVED', patch: { job: patch!.job } })
    expect(misses.add({ job, urls: [captured], page: '' })).toBe(1)
    expect((await list())[1]).toMatchObject({ state: 'OPEN', patch: null })
    for (const url of ['mailto:a@site.test', 'no url', 'file:///etc/passwd'])
      expect(() => misses.add({ job, urls: [url], page: '' })).toThrow('is not a URL with http or https')
    expect(() => misses.add({ job: 99, urls: [captured], page: '' })).toThrow('There is no job 99')
  })
})

test('ignore rules apply to what is missing and to what is missed later, until they are removed', async () => {
  await lived(trial(), async (life) => {
    const { job } = life
    await ended(life)
    const { misses, noteBrowsed, patches } = qualityOver(life, [job])
    noteBrowsed([missed('/out/late.png')])
    const states = async () => (await misses.list({ jobs: [job], ...order })).rows.map(({ state }) => state)
    expect(await states()).toEqual(['OPEN', 'OPEN'])
    const rule = misses.ignore(job, '/out/')
    expect(rule).toMatchObject({ job, pattern: '/out/', misses: 1 })
    noteBrowsed([missed('/out/gone.png')])
    expect(await states()).toEqual(['OPEN', 'IGNORED', 'IGNORED'])
    const { rows } = await misses.list({ jobs: [job], ...order, state: 'IGNORED' })
    expect(rows.map(({ ignoredBy }) => ignoredBy)).toEqual(['/out/', '/out/'])
    expect(() =>
      patches.create(
        rows.map(({ id }) => id),
        {},
      ),
    ).toThrow('None of these URLs can be patched')
    misses.ignore(job, 'gone')
    expect(misses.rules([job])).toMatchObject([{ pattern: '/out/', misses: 2 }, { pattern: 'gone', misses: 0 }]) // prettier-ignore
    // The other rule still matches one.
    expect(misses.unignore(rule.rule)).toBe(1)
    expect(await states()).toEqual(['OPEN', 'IGNORED', 'OPEN'])
    expect(() => misses.unignore(rule.rule)).toThrow('There is no ignore rule')
    expect(
      misses.note(
        rows.map(({ id }) => id),
        'tracker',
      ),
    ).toBe(2)
    expect((await misses.list({ jobs: [job], ...order })).rows.map(({ note }) => note)).toEqual([
      '',
      'tracker',
      'tracker',
    ])
  })
})

test('a patch job captures its misses; they are solved by themselves, or open again with the reason', async () => {
  await lived(trial({ exclude: ['late'] }), async (life) => {
    const { job, jobs } = life
    await ended(life)
    const { misses, noteBrowsed, patches } = qualityOver(life, [job])
    noteBrowsed([missed('/out/late.png'), missed('/out/gone.png')])
    const list = async () => (await misses.list({ jobs: [job], ...order })).rows
    const [made] = patches.create(
      (await list()).map(({ id }) => id),
      {},
    )
    expect(made).toMatchObject({ patches: job, misses: 3 })
    expect(patches.list([job])).toEqual([made])
    expect((await list()).map(({ state }) => state)).toEqual(['PATCHING', 'PATCHING', 'PATCHING'])
    await untilEnded(life, made!.job)
    const rows = await list()
    expect(rows.map(shown)).toEqual([
      ['/in/broken.png', 'OPEN', 'emptyAnswer'],
      ['/out/gone.png', 'OPEN', 'neverFound'],
      ['/out/late.png', 'SOLVED', 'neverFound'],
    ])
    expect(rows.map(({ patch }) => patch?.why && textOf(patch.why))).toEqual([
      expect.stringMatching(/^Failed: /),
      'The server answered with status 404.',
      null,
    ])
    // Only those: nothing else of the site was fetched.
    expect(
      jobs.documents({ job: made!.job, outcome: 'fetched', offset: 0, limit: 9 }).rows.map(({ url }) => url),
    ).toEqual([`${site}/out/late.png`, `${site}/out/gone.png`])
    // A view without the patch job still lacks it, which opens nothing again.
    noteBrowsed([missed('/out/late.png')])
    expect((await list())[2]?.state).toBe('SOLVED')
    qualityOver(life, [job, made!.job]).noteBrowsed([missed('/out/late.png')])
    expect((await list())[2]?.state).toBe('OPEN')
  })
})

test('a patch job that is made for later waits until it is started', async () => {
  await lived(trial(), async (life) => {
    const { job, jobs, sleep } = life
    await ended(life)
    const { misses, noteBrowsed, patches } = qualityOver(life, [job])
    noteBrowsed([missed('/out/late.png')])
    const { rows } = await misses.list({ jobs: [job], ...order, text: 'late' })
    const [made] = patches.create(
      rows.map(({ id }) => id),
      { later: true },
    )
    await sleep(60_000)
    expect(jobs.summary(made!.job)).toMatchObject({ started: null, ended: null })
    jobs.act(made!.job, 'start')
    await untilEnded(life, made!.job)
    expect((await misses.list({ jobs: [job], ...order, text: 'late' })).rows[0]?.state).toBe('SOLVED')
  })
})

test('one URL is harvested at once, as a patch of the newest harvest of the view', async () => {
  await lived(trial(), async (life) => {
    const { job } = life
    await ended(life)
    const { misses, patches, overlays } = qualityOver(life, [job])
    const late = `${site}/out/late.png`
    expect(() => patches.harvest({ jobs: [99], url: late }, {})).toThrow('No harvest job is in the view')
    expect(() => patches.harvest({ jobs: [job], url: 'urn:a' }, {})).toThrow('is not a URL with http or https')
    const made = patches.harvest({ jobs: [99, job], url: late }, {})
    expect(made).toMatchObject({ patches: job, misses: 1 })
    expect(() => patches.harvest({ jobs: [job], url: late }, {})).toThrow('None of these URLs can be patched')
    await untilEnded(life, made.job)
    const { rows } = await misses.list({ jobs: [job], ...order, state: 'SOLVED' })
    expect(rows.map(shown)).toEqual([['/out/late.png', 'SOLVED', 'neverFound']])
    expect(overlays.list([job])).toMatchObject([{ patches: job, job: made.job, isOn: true }])
  })
})
