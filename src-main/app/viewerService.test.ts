/** The contract's words of a viewing, over a real viewer: what is asked, what is refused in which sentence, what comes back. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Loupe } from '../contract/contract.ts'
import { contract } from '../contract/contract.ts'
import { Fault } from '../contract/faults.ts'
import { memoryLink, servicesOver } from '../contract/service.ts'
import type { Jobs } from '../crawl/crawl.ts'
import { madeArchive, type MadeArchive } from '../indexes/madeArchive.ts'
import { openIndexes } from '../indexes/indexes.ts'
import { askOver, viewerOver } from '../viewer/madeViewer.ts'
import type { Viewer } from '../viewer/viewer.ts'
import { openBrowsers, type BrowserToStart, type StartedBrowser } from './browserBeside.ts'
import { missingService, viewerService } from './viewerService.ts'

const page = 'http://site.example/'
const html = [['Content-Type', 'text/html']] as const
let made: MadeArchive
let viewer: Viewer
let services: Pick<Loupe, 'viewer' | 'missing'>

const bug = (error: unknown) => {
  throw error
}
/** As far as the viewer asks them. */
const summary = (job: number) => ({ ended: job === 3 ? null : page, status: 'Running', seeds: [page] })
const jobs = {
  summary,
  known: (job: number) => (job === 99 ? undefined : summary(job)),
  whyMissing: (job: number, url: string) =>
    job === 1 && url.endsWith('/refused') ? 'not fetched: robots.txt (Disallow: /refused)' : undefined,
} as unknown as Jobs

/** Of each browser that was started: for whom, and how it is ended. */
const started: { wanted: BrowserToStart; browser: StartedBrowser }[] = []
let cannotStart: Fault | undefined
async function start(wanted: BrowserToStart): Promise<StartedBrowser> {
  if (cannotStart) throw cannotStart
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const browser = { ended, end: async () => resolve() }
  started.push({ wanted, browser })
  return browser
}

beforeAll(async () => {
  made = await madeArchive()
  const rows = ['2020', '2021'].map((year) => ({
    ...{ url: page, at: `${year}-01-01T00:00:00Z`, fields: html, body: `<title>In ${year}</title>` },
  }))
  const gone = { url: `${page}gone`, at: '2021-01-01T00:00:00Z', status: 404, fields: html, body: 'gone' }
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [...rows, gone] })
  const { world, archive, folder } = made
  const indexes = await openIndexes({ folder: `${folder}/indexes`, world, archive })
  viewer = await viewerOver(made, { indexes })
  const browsers = openBrowsers({ proxyPort: 4712, spkiSha256: 'aGFzaA==', start })
  const { viewer: viewing, missing } = contract
  const parts = {
    viewer: viewerService({ viewer, browsers, jobs, indexes }),
    missing: missingService({ viewer, jobs, indexes }),
  }
  services = servicesOver({ viewer: viewing, missing }, memoryLink({ viewer: viewing, missing }, parts, bug))
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

test('what cannot be viewed is refused with its reason, and nothing is shown', async () => {
  await expect(services.viewer.open({ jobs: [3] })).rejects.toThrow('Job 3 cannot be viewed yet: it is "Running"')
  await expect(services.viewer.open({ jobs: [1], withinDays: 3 })).rejects.toThrow('A limit in days needs a moment')
  await expect(services.viewer.keep({ name: 'x' })).rejects.toThrow('Nothing is being viewed: choose jobs first.')
  await expect(services.viewer.explain({ url: page })).rejects.toThrow('Nothing is being viewed')
  await expect(services.viewer.leave({ user: 'nobody' })).rejects.toThrow('There is no viewing of the name nobody.')
  expect(await services.viewer.current({})).toBeNull()
  expect(await services.missing.list({})).toEqual([])
})

test('a view: opened, told, kept under a name, and opened again by it', async () => {
  const heard: number[] = []
  services.viewer.changed(({ view }) => heard.push(view))
  const early = { jobs: [1], at: '2020-03-01T00:00:00Z', withinDays: 90, isExact: true }
  const opened = await services.viewer.open({ ...early, untilWhole: true })
  expect(heard).toEqual([opened.view])
  expect(opened).toMatchObject({
    ...{ jobs: [1], at: '2020-03-01T00:00:00.000Z', withinDays: 90, isExact: true, captures: 3, url: page },
    isRecording: true,
    growth: { isGrowing: false, filesDone: 1, filesTotal: 1, jobsDone: 1, jobsFound: [1] },
    ...{
      name: null,
      jobsMissing: [],
      filesMissing: { count: 0, first: [] },
      quarantined: { count: 0, first: [] },
      misses: 0,
      errors: 0,
    },
  })
  expect(await services.viewer.keep({ name: 'early' })).toMatchObject({ name: 'early' })
  const [kept] = await services.viewer.kept({})
  expect(kept).toEqual({ ...early, name: 'early', at: '2020-03-01T00:00:00.000Z' })
  const { name: _, ...choice } = kept ?? { jobs: [], name: '' }
  expect((await services.viewer.open(choice)).view).toBe(opened.view)
  expect(await services.viewer.open({ ...choice, isExact: false })).toMatchObject({
    view: opened.view + 1,
    isExact: false,
  })
  await services.viewer.forget({ name: 'early' })
  expect(await services.viewer.kept({})).toEqual([])
})

test('pages have their titles, by address and a part at a time', async () => {
  await services.viewer.open({ jobs: [1], at: 'oldest' })
  const pages = await services.viewer.pages({ text: 'site', limit: 1 })
  expect(pages).toMatchObject({ total: 1, rows: [{ url: page, title: 'In 2021' }] })
})

test('captures over time: years, their days, and the captures of one', async () => {
  expect(await services.viewer.timeline({ url: page })).toEqual(
    ['2020', '2021'].map((year) => ({
      year: Number(year),
      captures: 1,
      days: [{ day: `${year}-01-01`, captures: 1 }],
    })),
  )
  expect(await services.viewer.captures({ url: page, day: '2021-01-01' })).toMatchObject([
    { captured: '2021-01-01T00:00:00.000Z', job: 1 },
  ])
  expect(await services.viewer.captures({ url: page, day: '2021-01-02' })).toEqual([])
})

test.each([
  ['the newest', page, '2021-01-01T00:00:00Z', 'In 2021'],
  ['an earlier one', page, '2020-01-01T00:00:00Z', 'In 2020'],
  ['what has none', `${page}gone`, '2021-01-01T00:00:00Z', null],
  ['what was never captured', `${page}unseen`, '2021-01-01T00:00:00Z', null],
])('the title of one capture: %s', async (_, url, captured, title) => {
  await services.viewer.open({ jobs: [1] })
  expect(await services.viewer.title({ url, captured })).toEqual({ title })
})

test('a miss has its reason, an archived error too, and both are gone when they are cleared', async () => {
  await services.viewer.open({ jobs: [1] })
  for (const name of ['refused', 'unknown', 'gone']) await askOver(viewer.proxy, `${page}${name}`)
  const missed = await services.missing.list({})
  expect(missed.map(({ why }) => why)).toEqual([
    'not fetched: robots.txt (Disallow: /refused)',
    'never found by this job: no page that was fetched links to it in a way that is read',
  ])
  expect(await services.viewer.errors({})).toMatchObject([
    { kind: 'archivedError', status: 404, why: 'The server answered 404, and that is what was archived.' },
  ])
  const explained = await services.viewer.explain({ url: `${page}refused` })
  expect(explained).toMatchObject({
    answeredBy: 'missing',
    reasons: [{ job: 1, text: 'not fetched: robots.txt (Disallow: /refused)' }],
    sent: { status: 404 },
    archived: null,
  })
  expect((await services.missing.clear({})).cleared).toBe(3)
  expect(await services.viewer.current({})).toMatchObject({ misses: 0, errors: 0 })
})

test.each([
  ['refused', 'GET', 'not fetched: robots.txt (Disallow: /refused)'],
  ['unknown', 'GET', 'never found by this job: no page that was fetched links to it in a way that is read'],
  ['refused', 'POST', 'asked with POST, which is not harvested'],
  ['unknown', 'PUT', 'asked with PUT, which is not harvested'],
])('the list and the explanation give one reason for one miss: %s with %s', async (name, method, why) => {
  await services.viewer.open({ jobs: [1] })
  const url = `${page}${name}`
  await services.missing.clear({})
  await askOver(viewer.proxy, url, { method })
  expect(await services.missing.list({})).toMatchObject([{ url, method, why }])
  const { reasons } = await services.viewer.explain({ url, method })
  expect(reasons).toEqual([{ job: 1, text: why }])
  await services.missing.clear({})
})

test('a viewing of its own is told with what a browser needs, and left', async () => {
  const own = await services.viewer.openOwn({ jobs: [1], at: 'oldest' })
  expect(own.enter).toBe(`http://${viewer.commandHost}/enter?url=${encodeURIComponent(page)}`)
  expect((await askOver(viewer.proxy, page, { as: own })).body.toString()).toContain('2020')
  expect(await services.viewer.own({})).toEqual([own])
  await services.viewer.leave({ user: own.user })
  expect(await services.viewer.own({})).toEqual([])
})

test('a browser is started for one viewing with its name, once at a time, and ends with it', async () => {
  const { user } = await services.viewer.openOwn({ jobs: [1] })
  const open = () => services.viewer.openBrowser({ user })
  cannotStart = new Fault('refused', 'No Chromium was found.')
  await expect(open()).rejects.toThrow('No Chromium was found.')
  cannotStart = undefined
  await open()
  const [own] = await services.viewer.own({})
  expect(started[0]?.wanted).toEqual({
    ...{ proxyPort: 4712, spkiSha256: 'aGFzaA==' },
    ...{ user, password: own?.password, enter: own?.enter },
  })
  await expect(open()).rejects.toThrow(`A browser shows ${user} already: close it first.`)
  await started[0]?.browser.end()
  await open()
  expect(started).toHaveLength(2)
  await services.viewer.leave({ user })
  await started[1]?.browser.ended
  await expect(open()).rejects.toThrow(`There is no viewing of the name ${user}.`)
})

test('a shell that starts no browser says what to do instead', async () => {
  const own = await viewer.openOwn({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined }, page)
  const none = openBrowsers({ proxyPort: 1, spkiSha256: '', start: undefined })
  await expect(none.begin(own)).rejects.toThrow('This Loupe starts no browser: type the command line')
  viewer.leave(own.user)
})

test.each([
  ['of the Web', 'http://a.example/deep?q=1', 'http://a.example/deep?q=1'],
  [
    'of a folder, under the name that a browser can ask for',
    'file:///a/b.html',
    'http://files.viewerproxy.invalid/a/b.html',
  ],
])('a viewing of its own begins where it is told to: at an address %s', async (_, url, asked) => {
  const own = await services.viewer.openOwn({ jobs: [1], url })
  expect(own.enter).toBe(`http://${viewer.commandHost}/enter?url=${encodeURIComponent(asked)}`)
  await services.viewer.leave({ user: own.user })
})

test('who asked is told with each answer, since several may look at one view', async () => {
  const own = await services.viewer.openOwn({ jobs: [1] })
  await askOver(viewer.proxy, page, { as: own })
  await askOver(viewer.proxy, page)
  const answers = await services.viewer.answers({})
  expect(answers.slice(-2).map(({ viewing }) => viewing)).toEqual([own.user, ''])
  await services.viewer.leave({ user: own.user })
})

test('viewings of one choice have each their own lists, asked for by name and gone with it', async () => {
  await services.viewer.open({ jobs: [1] })
  const [one, two] = [await services.viewer.openOwn({ jobs: [1] }), await services.viewer.openOwn({ jobs: [1] })]
  for (const as of [one, two])
    for (const name of ['refused', 'gone']) await askOver(viewer.proxy, `${page}${name}`, { as })
  expect(await services.missing.list({ viewing: one.user })).toMatchObject([
    { viewing: one.user, view: one.view, why: 'not fetched: robots.txt (Disallow: /refused)' },
  ])
  expect(await services.viewer.errors({ viewing: two.user })).toMatchObject([{ viewing: two.user, status: 404 }])
  expect([await services.missing.list({}), await services.missing.list({ viewing: '' })]).toEqual([[], []])
  expect(await services.missing.clear({ viewing: one.user })).toEqual({ cleared: 2 })
  expect(await services.viewer.own({})).toMatchObject([
    { misses: 0, errors: 0 },
    { misses: 1, errors: 1 },
  ])
  for (const { user } of [one, two]) await services.viewer.leave({ user })
  const asked = { view: two.view, viewing: two.user }
  await expect(services.missing.list(asked)).rejects.toThrow(`There is no viewing of the name ${two.user}.`)
})

test('recording stops and goes on', async () => {
  expect(await services.viewer.record({ isRecording: false })).toMatchObject({ isRecording: false })
  await askOver(viewer.proxy, `${page}unseen`)
  expect(await services.missing.list({})).toEqual([])
  expect(await services.viewer.record({ isRecording: true })).toMatchObject({ isRecording: true })
})

test('a command of the proxy may choose a job that there is not: it is told as missing', async () => {
  const heard: number[][] = []
  const off = services.viewer.changed(({ jobsMissing }) => heard.push(jobsMissing))
  const returnURL = encodeURIComponent('http://loupe.viewer.invalid/getStatus')
  const path = `/changeIndex?jobID=1&jobID=99&label=both&returnURL=${returnURL}`
  expect((await askOver(viewer.proxy, `http://loupe.viewer.invalid${path}`)).status).toBe(303)
  expect(await services.viewer.current({})).toMatchObject({ jobs: [1, 99], jobsMissing: [99], seeds: [page] })
  expect(heard.at(-1)).toEqual([99])
  off()
})
