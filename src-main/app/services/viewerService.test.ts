/** The contract of the viewer service, with a real viewer: inputs, refusals with their messages, and results. */
import { reasonMessage } from '../../contract/states/outcomes.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../contract/calls/caller.ts'
import type { Loupe } from '../../contract/contract.ts'
import { contract } from '../../contract/contract.ts'
import { leastRoles } from '../../contract/roles.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { memoryLink, servicesOver } from '../../contract/calls/service.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import { createArchive, type ArchiveFixture, type Row } from '../../indexes/testing/archiveFixture.ts'
import { openIndexes } from '../../indexes/indexes.ts'
import type { Quality } from '../../quality/quality.ts'
import { askOver, operator, viewerOver } from '../../viewer/testing/viewerFixture.ts'
import type { Viewer } from '../../viewer/viewer.ts'
import { openBrowsers, type BrowserToStart, type StartedBrowser } from '../given/separateBrowsers.ts'
import { missingService } from './viewFindings.ts'
import { viewerService } from './viewerService.ts'

const page = 'http://site.example/'
const html = [['Content-Type', 'text/html']] as const
let made: ArchiveFixture
let viewer: Viewer
let services: Pick<Loupe, 'viewer' | 'missing'>
/** The same for an account on another machine. */
let ofOtherMachine: typeof services

const ofDeleted = 'http://deleted.example/'
const uploaded = 'http://uploaded.example/'
/** A crawl log as Loupe writes it to the metadata of a job. */
const crawlLog: Row = {
  url: 'metadata://loupe/crawl/logs/crawl.log?harvestid=5&jobid=5',
  ...{ at: '2021-01-01T00:00:00Z', type: 'resource', contentType: 'text/plain' },
  block: Buffer.from(`2021-01-01T00:00:00.000Z -9998 - ${ofDeleted}private L ${ofDeleted} unknown #001 - - - -\n`),
}

const bug = (error: unknown) => {
  throw error
}
/** Job 5 has files in the archive, job 99 has none. */
const deleted = [5, 99]
/** The reason that job 1 knows. */
const refusedByRobots = message('missing.excluded', { why: reasonMessage('robots') })
/** The parts of jobs that the viewer uses. */
const summary = (job: number) => ({ ended: job === 3 ? null : page, status: 'Running', seeds: [page] })
const jobs = {
  summary,
  known: (job: number) => (deleted.includes(job) ? undefined : { ...summary(job), kind: 'event' }),
  exists: (job: number) => !deleted.includes(job),
  whyMissing: (job: number, url: string) => (job === 1 && url.endsWith('/refused') ? refusedByRobots : undefined),
} as unknown as Jobs

/** Whether job 5 is shown over job 1. */
let isOverlaid = false
const overlay = { patches: 1, job: 5, name: 'Patch', isOn: true, created: page, changed: page }
const overlays = {
  over: (asked: readonly number[]) => (isOverlaid && asked.includes(1) && !asked.includes(5) ? [5] : []),
  shown: (asked: readonly number[]) => (isOverlaid && asked.includes(1) ? [overlay] : []),
} as Quality['overlays']

/** Started browsers, with the order and the handle of each. */
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
  made = await createArchive()
  const rows = ['2020', '2021'].map((year) => ({
    ...{ url: page, at: `${year}-01-01T00:00:00Z`, fields: html, body: `<title>In ${year}</title>` },
  }))
  const gone = { url: `${page}gone`, at: '2021-01-01T00:00:00Z', status: 404, fields: html, body: 'gone' }
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [...rows, gone] })
  await made.add({ name: '5-1-a.warc.gz', job: 5, rows: [{ ...gone, url: ofDeleted, status: 200 }] })
  await made.add({ name: '5-metadata-1.warc', job: 5, kind: 'metadata', rows: [crawlLog] })
  await made.add({ name: 'up.warc.gz', job: null, rows: [{ ...gone, url: uploaded, status: 200 }] })
  const { world, archive, folder, tasks } = made
  const indexes = await openIndexes({ folder: `${folder}/indexes`, world, archive, tasks })
  viewer = await viewerOver(made, { indexes })
  const setting = { rewrittenAddress: () => 'http://secret.replay.localhost:4713/' }
  const browsers = openBrowsers({ proxyPort: 4712, spkiSha256: 'aGFzaA==', start })
  const { viewer: viewing, missing } = contract
  const parts = {
    viewer: viewerService({ viewer, browsers, jobs, archive, indexes, quality: { overlays }, setting }),
    missing: missingService({ viewer, jobs, archive, indexes }),
  }
  const offered = { viewer: viewing, missing }
  const over = (caller: Caller) =>
    servicesOver(offered, memoryLink({ contract: offered, services: parts, leastRoles, onBug: bug }, caller))
  services = over(operator)
  ofOtherMachine = over({ account: 'anna', roles: ['administrator'], shell: 'window', address: '192.0.2.7' })
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

test('the address of the rewritten replay is given on this machine only', async () => {
  expect(await services.viewer.rewritten({})).toEqual({ address: 'http://secret.replay.localhost:4713/' })
  expect(await ofOtherMachine.viewer.rewritten({})).toEqual({ address: null })
})

test('refuses what cannot be viewed with the reason, and shows nothing', async () => {
  await expect(services.viewer.open({ jobs: [3] })).rejects.toThrow(
    'Job 3 cannot be viewed yet, because it has not ended: it is "Running"',
  )
  await expect(services.viewer.open({ jobs: [1], withinDays: 3 })).rejects.toThrow('A limit in days needs a time')
  await expect(services.viewer.keep({ name: 'x' })).rejects.toThrow(
    'Nothing is being viewed: choose jobs or files first.',
  )
  await expect(services.viewer.explain({ url: page })).rejects.toThrow('Nothing is being viewed')
  await expect(services.viewer.leave({ user: 'nobody' })).rejects.toThrow('There is no viewing named nobody.')
  expect(await services.viewer.current({})).toBeNull()
  expect(await services.missing.list({})).toEqual([])
})

test('a view is opened, reported, saved under a name, and opened again by it', async () => {
  const heard: number[] = []
  services.viewer.changed(({ view }) => heard.push(view))
  const early = { jobs: [1], files: [], all: false, at: '2020-03-01T00:00:00Z', withinDays: 90, isExact: true }
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
  const { name: _, ...choice } = kept ?? { name: '' }
  expect((await services.viewer.open(choice)).view).toBe(opened.view)
  expect(await services.viewer.open({ ...choice, isExact: false })).toMatchObject({
    view: opened.view + 1,
    isExact: false,
  })
  await services.viewer.forget({ name: 'early' })
  expect(await services.viewer.kept({})).toEqual([])
})

test('pages have their titles, filtered by address and returned in pages', async () => {
  await services.viewer.open({ jobs: [1], at: 'oldest' })
  const pages = await services.viewer.pages({ text: 'site', limit: 1 })
  expect(pages).toMatchObject({ total: 1, rows: [{ url: page, title: 'In 2021' }] })
})

test('captures over time: years, their days, and the captures of a day', async () => {
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
  ['a URL without captures', `${page}unseen`, '2021-01-01T00:00:00Z', null],
])('the title of one capture: %s', async (_, url, captured, title) => {
  await services.viewer.open({ jobs: [1] })
  expect(await services.viewer.title({ url, captured })).toEqual({ title })
})

test('a missing resource has its reason, an archived error too, and clearing removes both', async () => {
  await services.viewer.open({ jobs: [1] })
  for (const name of ['refused', 'unknown', 'gone']) await askOver(viewer.proxy, `${page}${name}`)
  const missed = await services.missing.list({})
  expect(missed.map(({ why }) => textOf(why))).toEqual([
    'Not fetched: disallowed by robots.txt.',
    'Never found by this job: no fetched page links to it in a way that Loupe can read.',
  ])
  expect(await services.viewer.errors({})).toMatchObject([
    { kind: 'archivedError', status: 404, why: { code: 'view.archivedError', values: { status: 404 } } },
  ])
  const explained = await services.viewer.explain({ url: `${page}refused` })
  expect(explained).toMatchObject({
    answeredBy: 'missing',
    reasons: [{ job: 1, message: refusedByRobots }],
    sent: { status: 404 },
    archived: null,
  })
  expect((await services.missing.clear({})).cleared).toBe(3)
  expect(await services.viewer.current({})).toMatchObject({ misses: 0, errors: 0 })
})

test.each([
  ['refused', 'GET', 'Not fetched: disallowed by robots.txt.'],
  ['unknown', 'GET', 'Never found by this job: no fetched page links to it in a way that Loupe can read.'],
  ['refused', 'POST', 'Requests with POST are not harvested.'],
  ['unknown', 'PUT', 'Requests with PUT are not harvested.'],
])('the list and the explanation give one reason for one miss: %s with %s', async (name, method, why) => {
  await services.viewer.open({ jobs: [1] })
  const url = `${page}${name}`
  await services.missing.clear({})
  await askOver(viewer.proxy, url, { method })
  const [miss, ...more] = await services.missing.list({})
  expect([miss && { ...miss, why: textOf(miss.why) }, more]).toMatchObject([{ url, method, why }, []])
  const { reasons } = await services.viewer.explain({ url, method })
  expect(reasons).toEqual([{ job: 1, message: miss?.why }])
  await services.missing.clear({})
})

test('a viewing session has what a browser needs, and ends', async () => {
  const own = await services.viewer.openOwn({ jobs: [1], at: 'oldest' })
  expect(own.enter).toBe(`http://${viewer.commandHost}/enter?url=${encodeURIComponent(page)}`)
  expect((await askOver(viewer.proxy, page, { as: own })).body.toString()).toContain('2020')
  expect(await services.viewer.own({})).toEqual([own])
  await services.viewer.leave({ user: own.user })
  expect(await services.viewer.own({})).toEqual([])
})

test('starts one browser for a named viewing, one at a time, and ends with it', async () => {
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
  await expect(open()).rejects.toThrow(`There is no viewing named ${user}.`)
})

test('a shell that cannot start a browser explains the alternative', async () => {
  const own = await viewer.openOwn({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined }, page)
  const none = openBrowsers({ proxyPort: 1, spkiSha256: '', start: undefined })
  await expect(none.begin(own)).rejects.toThrow('This Loupe starts no browser: type the command line')
  viewer.leave(own.user)
})

test.each([
  ['of the Web', 'http://a.example/deep?q=1', 'http://a.example/deep?q=1'],
  [
    'of a folder, under a host that a browser can request',
    'file:///a/b.html',
    'http://files.viewerproxy.invalid/a/b.html',
  ],
])('a separate view starts at the given URL: %s', async (_, url, asked) => {
  const own = await services.viewer.openOwn({ jobs: [1], url })
  expect(own.enter).toBe(`http://${viewer.commandHost}/enter?url=${encodeURIComponent(asked)}`)
  await services.viewer.leave({ user: own.user })
})

test('each answer names its viewing, since several may share a view', async () => {
  const own = await services.viewer.openOwn({ jobs: [1] })
  await askOver(viewer.proxy, page, { as: own })
  await askOver(viewer.proxy, page)
  const answers = await services.viewer.answers({})
  expect(answers.slice(-2).map(({ viewing }) => viewing)).toEqual([own.user, ''])
  await services.viewer.leave({ user: own.user })
})

test('viewings of one selection have separate lists, which are removed with them', async () => {
  await services.viewer.open({ jobs: [1] })
  const [one, two] = [await services.viewer.openOwn({ jobs: [1] }), await services.viewer.openOwn({ jobs: [1] })]
  for (const as of [one, two])
    for (const name of ['refused', 'gone']) await askOver(viewer.proxy, `${page}${name}`, { as })
  expect(await services.missing.list({ viewing: one.user })).toMatchObject([
    { viewing: one.user, view: one.view, why: refusedByRobots },
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
  await expect(services.missing.list(asked)).rejects.toThrow(`There is no viewing named ${two.user}.`)
})

test('recording can be stopped and continued', async () => {
  expect(await services.viewer.record({ isRecording: false })).toMatchObject({ isRecording: false })
  await askOver(viewer.proxy, `${page}unseen`)
  expect(await services.missing.list({})).toEqual([])
  expect(await services.viewer.record({ isRecording: true })).toMatchObject({ isRecording: true })
})

test('a command of the proxy may choose a missing job, which is reported as missing', async () => {
  const heard: number[][] = []
  const off = services.viewer.changed(({ jobsMissing }) => heard.push(jobsMissing))
  const returnURL = encodeURIComponent('http://loupe.viewer.invalid/getStatus')
  const path = `/changeIndex?jobID=1&jobID=99&label=both&returnURL=${returnURL}`
  const as = { user: viewer.commandUser, password: viewer.commandToken }
  expect((await askOver(viewer.proxy, `http://loupe.viewer.invalid${path}`, { as })).status).toBe(303)
  expect(await services.viewer.current({})).toMatchObject({ jobs: [1, 99], jobsMissing: [99], seeds: [page] })
  expect(heard.at(-1)).toEqual([99])
  off()
})

const opening = async (asked: Parameters<Loupe['viewer']['open']>[0]) =>
  services.viewer.open({ ...asked, untilWhole: true })
const shown = async (url: string) => (await askOver(viewer.proxy, url)).status

test('a deleted job is viewed by its number, from its first page, and its crawl log explains what is missing', async () => {
  const view = await opening({ jobs: [5] })
  expect(view).toMatchObject({ jobs: [5], jobsMissing: [], captures: 1, seeds: [], url: ofDeleted })
  expect([await shown(ofDeleted), await shown(page), await shown(`${ofDeleted}private`)]).toEqual([200, 404, 404])
  const why = async (url: string) => {
    // A busy machine may take longer than one request waits.
    for (;;) {
      const found = (await services.missing.list({})).find((miss) => miss.url === url)?.why
      if (found && found.code !== 'missing.reading') return textOf(found)
    }
  }
  expect(await why(`${ofDeleted}private`)).toMatch(/^Not fetched: disallowed by robots.txt. Crawl log: status -9998/)
  expect(await why(page)).toBe('Never queued: it is not in the crawl log of this job.')
  const { reasons } = await services.viewer.explain({ url: page })
  expect(reasons).toMatchObject([{ job: 5, message: { code: 'missing.unnamed' } }])
})

test('a file is viewed by its name, with or without a job', async () => {
  expect(await opening({ files: ['up.warc.gz'] })).toMatchObject({
    ...{ jobs: [], files: ['up.warc.gz'], all: false, captures: 1, url: uploaded },
    growth: { jobsFound: [], jobsDone: 0, filesDone: 1, filesTotal: 1 },
  })
  expect([await shown(uploaded), await shown(page)]).toEqual([200, 404])
  const [answer] = (await services.viewer.answers({})).filter(({ url }) => url === uploaded)
  expect(answer).toMatchObject({ job: null, file: 'up.warc.gz' })
  const unknown = { code: 'missing.noJob' }
  expect(await services.missing.list({})).toMatchObject([{ url: page, why: unknown }])
  expect((await services.viewer.explain({ url: page })).reasons).toEqual([{ job: null, message: unknown }])
  expect(await opening({ files: ['1-1-a.warc.gz'] })).toMatchObject({ captures: 3 })
  expect(await shown(`${page}refused`)).toBe(404)
  const [refused] = await services.missing.list({})
  expect(refused?.why).toEqual(refusedByRobots)
})

test('everything can be viewed, stays one view, and is saved as everything', async () => {
  const before = await opening({ all: true })
  expect(before).toMatchObject({ jobs: [], files: [], all: true, captures: 5, growth: { jobsFound: [1, 5] } })
  for (const url of [page, ofDeleted, uploaded]) expect(await shown(url)).toBe(200)
  await services.viewer.keep({ name: 'all' })
  await made.add({ name: 'up-2.warc.gz', job: null, rows: [{ url: `${uploaded}2`, at: '2021-01-01T00:00:00Z' }] })
  const [{ name: _, ...kept } = { name: '' }] = await services.viewer.kept({})
  expect(kept).toMatchObject({ jobs: [], files: [], all: true })
  expect(await opening(kept)).toMatchObject({ view: before.view, captures: 6 })
  await services.viewer.forget({ name: 'all' })
})

test('a viewing session starts at the first page where no seeds are known', async () => {
  const own = await services.viewer.openOwn({ files: ['up.warc.gz'], untilWhole: true })
  expect(new URL(own.enter).searchParams.get('url')).toBe(uploaded)
  await services.viewer.leave({ user: own.user })
})

test.each<[string, Parameters<Loupe['viewer']['locate']>[0], string | null]>([
  ['a deleted job', { jobs: [5], url: ofDeleted }, '5-1-a.warc.gz'],
  ['a file', { files: ['up.warc.gz'], url: uploaded }, 'up.warc.gz'],
  ['everything', { all: true, url: ofDeleted }, '5-1-a.warc.gz'],
  ['another job', { jobs: [1], url: ofDeleted }, null],
])('locates a capture in %s', async (_, asked, file) => {
  expect((await services.viewer.locate(asked))?.file ?? null).toBe(file)
})

test.each<[string, Parameters<Loupe['viewer']['open']>[0], string]>([
  [
    'a job that never was',
    { jobs: [1, 99] },
    'There is no job 99, and the archive has no files of a deleted job with this number.',
  ],
  ['a job without files', { jobs: [4] }, 'Job 4 has no files in the archive.'],
  ['a missing file', { files: ['no.warc'] }, 'The archive has no file named no.warc.'],
])('%s is not found', async (_, asked, sentence) => {
  await expect(services.viewer.open(asked)).rejects.toMatchObject({ code: 'notFound', message: sentence })
  await expect(services.viewer.locate({ ...asked, url: page })).rejects.toMatchObject({ code: 'notFound' })
})

test('refuses an empty selection and names what can be selected', async () => {
  await expect(services.viewer.open({})).rejects.toMatchObject({
    ...{ code: 'badInput', message: 'viewer.open: The input must select jobs, files, or everything ("all").' },
  })
})

test('overlays that are on are part of the view, which says so; they are left out if asked, and saved selections have none', async () => {
  isOverlaid = true
  const { patches, job, name } = overlay
  const shown = (isShown: boolean) => [{ patches, job, name, isShown }]
  try {
    const plain = await services.viewer.open({ jobs: [1], untilWhole: true, withOverlays: false })
    expect(plain).toMatchObject({ jobs: [1], captures: 3, overlays: shown(false) })
    expect((await askOver(viewer.proxy, ofDeleted)).status).toBe(404)
    const whole = await services.viewer.open({ jobs: [1], untilWhole: true })
    expect(whole).toMatchObject({ jobs: [1], captures: 4, overlays: shown(true) })
    expect(whole.view).not.toBe(plain.view)
    expect((await askOver(viewer.proxy, ofDeleted)).status).toBe(200)
    expect(await services.viewer.captures({ url: ofDeleted })).toMatchObject([{ job: 5 }])
    await services.viewer.keep({ name: 'one' })
    expect((await services.viewer.kept({})).find((kept) => kept.name === 'one')).toMatchObject({ jobs: [1] })
    // Chosen by the user, it is no overlay.
    expect(await services.viewer.open({ jobs: [1, 5], untilWhole: true })).toMatchObject({ jobs: [1, 5], overlays: [] })
    await services.viewer.forget({ name: 'one' })
  } finally {
    isOverlaid = false
  }
})
