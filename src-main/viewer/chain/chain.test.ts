/** The links of the chain, asked through the proxy as a browser does: many viewings at once, the commands of NetarchiveSuite's viewer
 *  proxy, captures over time, rules of access, inexact answers, what is written down, and the explanation of each. */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArchive, type ArchiveFixture, type Row } from '../../indexes/testing/archiveFixture.ts'
import type { AccessRule } from '../model/accessRules.ts'
import { fuzzyCapturesMax } from '../model/limits.ts'
import { askOver, viewerOver, type Asking, type Received } from '../testing/viewerFixture.ts'
import type { Chosen, Located, OwnView, Viewer } from '../viewer.ts'

const html = [['Content-Type', 'text/html']] as const
const script = [['Content-Type', 'text/javascript']] as const
const saved = [
  ['Content-Type', 'text/plain'],
  ['Content-Disposition', 'Attachment; filename="a.txt"'],
] as const
const [y2020, y2021, y2022] = ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z', '2022-01-01T00:00:00Z']
const y2023 = '2023-01-01T00:00:00Z'
const page = 'http://site.example/'

/** 12,800 bytes that deflate leaves about as long as they are. */
const incompressible = Array.from({ length: 200 }, (_, at) =>
  createHash('sha384').update(`${at}`).digest('base64'),
).join('')

const rows: Row[] = [
  { url: page, at: y2020, fields: html, body: '<title>The first</title>2020' },
  { url: page, at: y2021, fields: html, body: '<title>The second &amp; last</title>2021' },
  { url: page, at: y2022, fields: html, body: '<p>2022' },
  { url: 'http://site.example/app.js?v=1&_=1700000000000', at: y2021, fields: script, body: 'version 1' },
  { url: 'http://site.example/show?id=1&utm_source=x', at: y2021, fields: html, body: 'thread 1' },
  { url: 'http://site.example/gone', at: y2021, status: 410, reason: 'Gone', fields: html, body: 'gone then' },
  { url: 'http://site.example/blocked/a', at: y2021, fields: html, body: '<title>never shown</title>' },
  { url: 'http://site.example/kept.js?v=1', at: y2021, fields: script, body: 'never shown' },
  { url: 'http://site.example/excluded/a', at: y2021, fields: html, body: 'never shown' },
  { url: 'http://site.example/torn', at: y2022, fields: html, body: incompressible },
  { url: 'http://site.example/torn', at: y2020, fields: html, body: 'the one before' },
  {
    url: 'http://site.example/same',
    at: y2022,
    type: 'revisit',
    fields: html,
    body: '',
    warcFields: [
      ['WARC-Refers-To-Target-URI', page],
      ['WARC-Refers-To-Date', y2020],
    ],
  },
  ...[
    ['moved', '/gone?a=1#part'],
    ['moved-outside', 'https://other.example/"x"'],
    ['moved-nowhere', 'http://'],
  ].map(([name, target]) => ({
    ...{ url: `http://site.example/${name}`, at: y2021, status: 301, reason: 'Moved Permanently', body: '' },
    fields: [['Location', target]] as [string, string][],
  })),
  ...['http', 'https'].map((scheme) => ({
    ...{ url: `${scheme}://site.example/both.js?v=1`, at: y2021, fields: script, body: `over ${scheme}` },
  })),
  { url: 'http://site.example/save', at: y2021, fields: saved, body: 'saved' },
]
/** Pages of a forum, the last but one with what does not count. */
const threads = Array.from({ length: fuzzyCapturesMax + 100 }, (_, id): Row => {
  const more = id === fuzzyCapturesMax + 98 ? '&utm_source=post' : ''
  return { url: `http://many.example/show?id=${id}${more}`, at: y2021, fields: html, body: `thread ${id}` }
})
/** Rows that a rule keeps back. */
const keptBack = 3
const elsewhere: Located = {
  ...{ url: 'http://site.example/in-another-job', timestampMs: 0, job: 7, filename: '7-1.warc.gz', offset: 5 },
  ...{ status: 200, recordType: 'response' },
}
const accessRules: AccessRule[] = [
  { surtPrefix: 'example,site)/blocked', effect: 'block' },
  { surtPrefix: 'example,site)/excluded', effect: 'exclude' },
  { surtPrefix: 'example,site)/kept.js?v=1', effect: 'exclude' },
]

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const search = 'http://site.example/search'
/** An answer, and the form that was sent for it. */
const sent: Row[] = [
  { url: search, at: y2021, fields: html, body: 'of cats' },
  {
    ...{ url: search, at: y2021, type: 'request', contentType: 'application/http;msgtype=request' },
    block: Buffer.from(
      `POST /search HTTP/1.1\r\nHost: site.example\r\nContent-Type: ${form['content-type']}\r\nContent-Length: 10\r\n\r\nq=cats&_=1`,
    ),
  },
]

/** The last compressed bytes of a member become nonsense: of a body longer than one piece that is unpacked at a time, its record's head
 *  can always be read. */
const tear = (bytes: Buffer) => void bytes.fill(0xaa, bytes.length - 24, bytes.length - 8)

let made: ArchiveFixture
/** Of the first rows. */
let offsets: number[]
let viewer: Viewer
const newest = (jobs: number[]): Chosen => ({ jobs, moment: { kind: 'newest' }, withinMs: undefined })
const nearest = (at: string, withinMs?: number): Chosen => ({
  jobs: [1],
  moment: { kind: 'nearest', atMs: Date.parse(at) },
  withinMs,
})
const ask = (url: string, asking?: Asking) => askOver(viewer.proxy, url, asking)
const text = async (url: string, asking?: Asking) => (await ask(url, asking)).body.toString()
const command = (path: string, asking?: Asking) => ask(`http://${viewer.commandHost}${path}`, asking)
/** As a script of NetarchiveSuite's users asks: with GET, and the command token as the password of the proxy connection. */
const change = (path: string, own?: OwnView) => command(path, { as: commanding(own) })
const commanding = (own?: OwnView) =>
  own ? { user: own.user, password: own.commandToken } : { user: viewer.commandUser, password: viewer.commandToken }
const explain = (url: string, isPage = false) => viewer.explain({ url, method: 'GET', isPage })
/** The fields with which a browser requests a page. */
const asPage = { headers: { 'upgrade-insecure-requests': '1', accept: 'text/html' } }
const current = () => viewer.current()?.view ?? 0

beforeAll(async () => {
  made = await createArchive()
  offsets = await made.add({ name: '1-1-a.warc.gz', job: 1, rows: rows.slice(0, 9) })
  await made.add({ name: '1-2-a.warc.gz', job: 1, rows: rows.slice(9, 10), spoil: tear })
  await made.add({ name: '1-3-a.warc.gz', job: 1, rows: rows.slice(10) })
  await made.add({ name: '2-1-a.warc.gz', job: 2, rows: [{ url: page, at: y2020, fields: html, body: 'of job 2' }] })
  await made.add({ name: '3-1-a.warc.gz', job: 3, rows: threads })
  await made.add({ name: '4-1-a.warc.gz', job: 4, rows: sent })
  await made.add({ name: 'up.warc.gz', job: null, rows: [{ url: page, at: y2023, fields: html, body: 'uploaded' }] })
  viewer = await viewerOver(made, {
    accessRules: () => accessRules,
    otherCaptures: (url) => ({ captures: url === elsewhere.url ? [elsewhere] : [], notSearched: [] }),
  })
  await viewer.open(newest([1]))
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

describe('viewing sessions', () => {
  test('with other names, times and jobs do not mix on one port', async () => {
    const first = await viewer.openOwn(nearest(y2020), page)
    const second = await viewer.openOwn(newest([2]), page)
    expect(await text(page, { as: first })).toContain('2020')
    expect(await text(page, { as: second })).toBe('of job 2')
    expect(await text(page)).toContain('2022')
    await Promise.all([ask(`${page}a`, { as: first }), ask(`${page}b`, { as: second }), ask(`${page}c`)])
    const missed = [first, second].map(({ view, user }) => viewer.misses(view, user).map(({ url }) => url))
    expect(missed).toEqual([[`${page}a`], [`${page}b`]])
    expect(viewer.own().map(({ user, jobs }) => [user, jobs])).toEqual([
      [first.user, [1]],
      [second.user, [2]],
    ])
    expect(viewer.leave(first.user)).toBe(true)
    expect((await ask(page, { as: first })).status).toBe(407)
    expect(viewer.leave(first.user)).toBe(false)
    viewer.leave(second.user)
  })

  test('of one selection have separate lists and counts, as has the interface', async () => {
    const shared = viewer.current()
    const first = await viewer.openOwn(newest([1]), page)
    const second = await viewer.openOwn(newest([1]), page)
    expect([first.view, second.view]).toEqual([shared?.view, shared?.view])
    const before = [viewer.misses(current()), viewer.errors(current())]
    for (const as of [first, first, second]) await ask(`${page}in-both`, { as, headers: { referer: page } })
    await ask(`${page}alone`, { as: first })
    await ask('http://site.example/gone', { as: second })
    const rows = ({ view, user }: { view: number; user: string }) =>
      viewer.misses(view, user).map(({ url, times, viewing }) => [url, times, viewing])
    expect(rows(first)).toEqual([
      [`${page}in-both`, 2, first.user],
      [`${page}alone`, 1, first.user],
    ])
    expect(rows(second)).toEqual([[`${page}in-both`, 1, second.user]])
    expect(viewer.own()).toMatchObject([
      { misses: 2, errors: 0 },
      { misses: 1, errors: 1 },
    ])
    expect([viewer.misses(current()), viewer.errors(current())]).toEqual(before)

    expect(viewer.clearFindings(first.view, first.user)).toBe(2)
    expect([rows(first), rows(second)]).toEqual([[], [[`${page}in-both`, 1, second.user]]])
    expect(viewer.errors(second.view, second.user)).toMatchObject([{ kind: 'archivedError', viewing: second.user }])
    for (const { user } of [first, second]) viewer.leave(user)
    expect([viewer.misses(current()), viewer.errors(current())]).toEqual(before)
  })

  test('make no requests on behalf of the pages of another', async () => {
    const first = await viewer.openOwn(newest([1]), page)
    const second = await viewer.openOwn(newest([1]), page)
    const style = `${page}style.css`
    await ask(style, { as: first, headers: { referer: `${page}of-the-first` } })
    await ask(style, { as: second, headers: { referer: `${page}of-the-second` } })
    await ask(`${page}font.woff`, { as: first, headers: { referer: style } })
    expect(viewer.misses(first.view, first.user).at(-1)).toMatchObject({ initiator: `${page}of-the-first` })
    for (const { user } of [first, second]) viewer.leave(user)
  })

  test('take their lists with them when they end', async () => {
    const own = await viewer.openOwn(newest([1]), page)
    await ask(`${page}absent`, { as: own })
    expect(viewer.misses(own.view, own.user)).toHaveLength(1)
    viewer.leave(own.user)
    expect(viewer.misses(own.view, own.user)).toEqual([])
  })

  test('a wrong password is refused with a new challenge and shows nothing', async () => {
    const own = await viewer.openOwn(newest([2]), page)
    const got = await ask(page, { as: { ...own, password: 'guessed' } })
    expect([got.status, got.body.length, got.headers['proxy-authenticate']]).toEqual([
      407,
      0,
      'Basic realm="Loupe", charset="UTF-8"',
    ])
    viewer.leave(own.user)
  })

  test('no tunnel is opened for a wrong password, since browsers expect no challenge inside', async () => {
    const socket = connect(viewer.proxy.port, viewer.proxy.host)
    const wrong = Buffer.from('nobody:knows').toString('base64')
    socket.end(`CONNECT site.example:443 HTTP/1.1\r\nHost: site.example\r\nProxy-Authorization: Basic ${wrong}\r\n\r\n`)
    let said = ''
    for await (const chunk of socket) said += String(chunk)
    expect(said).toMatch(/^HTTP\/1\.1 407 [^\r]*\r\nProxy-Authenticate: Basic realm="Loupe"/)
  })

  test('the first page of a browser challenges for its name and then redirects', async () => {
    const own = await viewer.openOwn(newest([2]), page)
    expect((await ask(own.enter)).status).toBe(407)
    const entered = await ask(own.enter, { as: own })
    expect([entered.status, entered.headers.location]).toEqual([303, page])
    viewer.leave(own.user)
  })

  test('a session that cannot be opened leaves nothing behind', async () => {
    await expect(viewer.openOwn(newest([99]), page)).rejects.toMatchObject({ code: 'notFound' })
    expect(viewer.own()).toEqual([])
  })

  test('a selection is saved under a unique name', async () => {
    const { view } = await viewer.open(nearest(y2021, 86_400_000))
    viewer.keep(view, 'spring')
    const other = await viewer.open(newest([1]))
    expect(viewer.kept()).toEqual([
      { view, name: 'spring', isExact: false, files: [], all: false, ...nearest(y2021, 86_400_000) },
    ])
    viewer.keep(other.view, 'spring')
    expect(viewer.kept().map((kept) => kept.view)).toEqual([other.view])
    viewer.forget('spring')
    expect(viewer.kept()).toEqual([])
  })
})

describe('which capture answers', () => {
  test('the oldest', async () => {
    await viewer.open({ ...newest([1]), moment: { kind: 'oldest' } })
    expect(await text(page)).toContain('2020')
    await viewer.open(newest([1]))
  })

  test('none beyond the limit, and the answer says which exist', async () => {
    await viewer.open(nearest('2021-06-01T00:00:00Z', 30 * 86_400_000))
    expect((await ask(page)).status).toBe(404)
    const explained = await explain(page)
    expect(explained).toMatchObject({ isMissing: true, answeredBy: 'missing' })
    expect(explained?.elsewhere.map(({ timestampMs }) => timestampMs)).toContain(Date.parse(y2021))
    await viewer.open(newest([1]))
  })

  test('an answer names its URL, its time, other captures and the rule that chose it (RFC 7089, 4.1.2)', async () => {
    const base = `http://${viewer.commandHost}`
    const expected = {
      vary: 'accept-datetime',
      link: `<${page}>; rel="original", <${base}/timegate/${page}>; rel="timegate", <${base}/timemap/link/${page}>; rel="timemap"; type="application/link-format"`,
      'memento-datetime': new Date(y2022).toUTCString(),
    }
    const whole = await ask(page)
    expect([whole.status, whole.headers]).toMatchObject([200, expected])
    const again = { headers: { 'if-none-match': String(whole.headers.etag) } }
    const same = await ask(page, again)
    expect([same.status, same.headers]).toMatchObject([304, expected])
    expect((await ask(page, { headers: { 'if-match': '"other"' } })).headers.vary).toBe(expected.vary)
  })

  test('a request may name the time itself (RFC 7089)', async () => {
    const got = await ask(page, { headers: { 'accept-datetime': new Date(y2020).toUTCString() } })
    expect(got.body.toString()).toContain('2020')
    expect(got.headers['memento-datetime']).toBe(new Date(y2020).toUTCString())
  })
})

test.each(['soon', '', '2020', '2020-01-01T00:00:00Z', `${new Date(y2020).toUTCString()}, then`])(
  'refuses an invalid Accept-Datetime with an explanation and shows no capture (RFC 7089, 4.5.3): %j',
  async (moment) => {
    const asking = { headers: { 'accept-datetime': moment } }
    for (const got of [await ask(page, asking), await command(`/timegate/${page}`, asking)])
      expect([got.status, got.body.toString()]).toEqual([400, `Accept-Datetime is not a valid HTTP date: ${moment}.\n`])
    expect((await command('/getStatus', asking)).status).toBe(200)
  },
)

describe('commands of NetarchiveSuite', () => {
  const back = encodeURIComponent('http://tools.example/done')
  const commands = ['/startRecordingURIs', '/stopRecordingURIs', '/clearRecordedURIs']

  test.each(commands)('%s redirects back, and only to an http or https URL', async (path) => {
    const got = await change(`${path}?returnURL=${back}`)
    expect([got.status, got.headers.location]).toEqual([303, 'http://tools.example/done'])
    expect((await change(path)).status).toBe(400)
    expect((await change(`${path}?returnURL=javascript:alert(1)`)).status).toBe(400)
    await change(`/startRecordingURIs?returnURL=${back}`)
  })

  test('missing URLs are listed once, in order, while recording is on', async () => {
    await change(`/clearRecordedURIs?returnURL=${back}`)
    for (const name of ['z', 'a', 'z']) await ask(`${page}${name}`)
    await change(`/stopRecordingURIs?returnURL=${back}`)
    await ask(`${page}unrecorded`)
    const got = await command('/getRecordedURIs')
    expect([got.headers['content-type'], got.body.toString()]).toEqual([
      'text/plain; charset=utf-8',
      `${page}a\n${page}z\n`,
    ])
    expect(JSON.parse((await command('/getRecordedURIs?format=json')).body.toString())).toEqual([
      `${page}a`,
      `${page}z`,
    ])
    const details = JSON.parse((await command('/getRecordedURIs?format=details')).body.toString()) as unknown[]
    const time = expect.stringMatching(/^\d{4}-.*Z$/) as string
    const asked = { method: 'GET', referrer: '', initiator: '', resourceType: '', first: time, last: time }
    expect(details).toEqual([
      { ...asked, url: `${page}z`, times: 2 },
      { ...asked, url: `${page}a`, times: 1 },
    ])
    expect((await command('/getStatus?format=details')).status).toBe(400)
    expect(await text(`http://netarchivesuite.viewerproxy.invalid/getStatus`)).toBe(
      "Not collecting missing URLs: 2 collected.\nUsing index 'job 1', built on jobs: 1\n",
    )
    await change(`/startRecordingURIs?returnURL=${back}`)
    await change(`/clearRecordedURIs?returnURL=${back}`)
    expect(await text('http://viewerproxy.invalid/getRecordedURIs')).toBe('')
  })

  test('with name and password, commands concern that session alone, though another has the same view', async () => {
    const one = await viewer.openOwn(newest([1]), page)
    const other = await viewer.openOwn(newest([1]), page)
    const all = [one, other, undefined]
    const recorded = async (as?: Asking['as']) =>
      JSON.parse((await command('/getRecordedURIs?format=json', as && { as })).body.toString()) as string[]
    const statuses = async () => {
      const told: unknown[] = []
      for (const as of all) {
        const { body } = await command('/getStatus?format=json', as && { as })
        const { isRecording, view } = JSON.parse(body.toString()) as { isRecording: boolean; view: { misses: number } }
        told.push([isRecording, view.misses])
      }
      return told
    }
    await change(`/clearRecordedURIs?returnURL=${back}`)
    await change(`/stopRecordingURIs?returnURL=${back}`, one)
    for (const as of all) await ask(`${page}first`, as && { as })
    expect(await statuses()).toEqual([
      [false, 0],
      [true, 1],
      [true, 1],
    ])
    await change(`/startRecordingURIs?returnURL=${back}`, one)
    await change(`/stopRecordingURIs?returnURL=${back}`)
    for (const as of all) await ask(`${page}second`, as && { as })
    expect([await recorded(one), await recorded(other), await recorded()]).toEqual([
      [`${page}second`],
      [`${page}first`, `${page}second`],
      [`${page}first`],
    ])
    await change(`/clearRecordedURIs?returnURL=${back}`, other)
    expect(await statuses()).toEqual([
      [true, 1],
      [true, 0],
      [false, 1],
    ])
    await change(`/clearRecordedURIs?returnURL=${back}`)
    expect(await statuses()).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
    ])
    await change(`/startRecordingURIs?returnURL=${back}`)
    for (const { user } of [one, other]) viewer.leave(user)
  })

  test('changeIndex views existing jobs, names them, and reports missing ones', async () => {
    const got = await change(`/changeIndex?jobID=2&jobID=77&jobID=x&label=two&returnURL=${back}`)
    expect(got.status).toBe(303)
    expect(await text(page)).toBe('of job 2')
    expect(await text(`http://${viewer.commandHost}/getStatus`)).toBe(
      "Collecting missing URLs: 0 collected.\nUsing index 'two', built on jobs: 2\nWARNING: requested 2 77, only 2 available, missing 77\n",
    )
    const json: unknown = JSON.parse(await text(`http://${viewer.commandHost}/getStatus?format=json`))
    expect(json).toMatchObject({ isRecording: true, view: { label: 'two', requested: [2, 77], missing: [77] } })
    const none = await change(`/changeIndex?jobID=77&label=none&returnURL=${back}`)
    expect([none.status, none.body.toString()]).toEqual([404, 'The archive has no files of job 77.\n'])
    expect(await text(page)).toBe('of job 2')
    await viewer.open(newest([1]))
  })

  test('changeIndex views files by name, and everything', async () => {
    const to = `&label=more&returnURL=${back}`
    const status = async () =>
      JSON.parse(await text(`http://${viewer.commandHost}/getStatus?format=json`)) as { view: object }
    expect((await change(`/changeIndex?file=up.warc.gz${to}`)).status).toBe(303)
    expect([await text(page), viewer.current()?.captures]).toEqual(['uploaded', 1])
    expect(await text(`http://${viewer.commandHost}/getStatus`)).toContain('built on files: up.warc.gz\n')
    expect((await change(`/changeIndex?jobID=2&file=up.warc.gz${to}`)).status).toBe(303)
    expect(await text(`http://${viewer.commandHost}/getStatus`)).toContain('built on jobs: 2 and files: up.warc.gz\n')
    expect(await status()).toMatchObject({ view: { requested: [2], files: ['up.warc.gz'], all: false } })
    expect((await change(`/changeIndex?all=true${to}`)).status).toBe(303)
    expect(await status()).toMatchObject({ view: { requested: [1, 2, 3, 4], available: [1, 2, 3, 4], all: true } })
    expect(await text(page)).toBe('uploaded')
    const refused: [string, number, string][] = [
      ['file=never.warc.gz', 404, 'The archive has no file named never.warc.gz.\n'],
      ['all=yes', 400, 'The parameter all must be true or false, not yes.\n'],
      ['all=false', 400, 'The parameter jobID is missing.\n'],
    ]
    for (const [parameters, code, sentence] of refused) {
      const got = await change(`/changeIndex?${parameters}${to}`)
      expect([got.status, got.body.toString()]).toEqual([code, sentence])
    }
    expect(viewer.current()).toMatchObject({ all: true, jobs: [], files: [] })
    await viewer.open(newest([1]))
  })

  test.each([
    ['/nothing', 404],
    ['/getStatus?format=xml', 400],
    ['/timegate/nonsense', 400],
    [`/memento/99/${page}`, 404],
  ])('%s: %i', async (path, status) => {
    expect((await command(path)).status).toBe(status)
  })

  test('a job that is no number: 400', async () => {
    const got = await change(`/changeIndex?jobID=abc&jobID=1e3&label=none&returnURL=${back}`)
    expect(got.status).toBe(400)
  })
})

describe('commands that change the viewing', () => {
  const back = 'http://tools.example/done'
  const path = `/stopRecordingURIs?returnURL=${encodeURIComponent(back)}`
  const isRecording = () => viewer.current()?.isRecording
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', accept: 'text/html' }
  const window = { ...browser, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  /** With GET the form is in the URL. */
  const post = (fields: Record<string, string>, more: Asking = {}) =>
    command('/stopRecordingURIs', {
      ...{ method: 'POST', content: new URLSearchParams({ returnURL: back, ...fields }).toString() },
      ...more,
      headers: { ...form, ...more.headers },
    })

  /** Everything but the token can be had by an archived page: it leads a browser anywhere, and a browser gives the password of its viewing
   *  with every request. */
  const unproven: [string, () => Promise<Received>][] = [
    ['a script that gives nothing', () => command(path)],
    ['a typed address, or an archived redirect', () => command(path, { headers: window })],
    ['a page of another site', () => command(path, { headers: { ...window, 'sec-fetch-site': 'cross-site' } })],
    ['a page of the command host', () => command(path, { headers: { ...window, 'sec-fetch-site': 'same-origin' } })],
    ['a browser over http, which does not say from where', () => command(path, { headers: browser })],
    ['a browser that has the token as its password', () => command(path, { headers: browser, as: commanding() })],
    ['a browser without a name that sends Sec-Fetch-Site', () => command(path, { headers: { 'sec-fetch-site': 'none' }, as: commanding() })], // prettier-ignore
    ['a form without a token', () => post({})],
    ['a form with another token', () => post({ token: 'guessed' })],
    ['a form with another token, sent by a script with the right password', () => post({ token: 'x' }, { as: commanding() })], // prettier-ignore
    ['a token in the URL', () => command(`${path}&token=${viewer.commandToken}`)],
    ['a form with an empty token', () => post({ token: '' })],
  ]
  test.each(unproven)('refuses %s and changes nothing', async (_, asked) => {
    const got = await asked()
    expect([got.status, got.headers['x-loupe'], isRecording()]).toEqual([403, 'unproven', true])
    expect(got.body.toString()).not.toContain(viewer.commandToken)
  })

  test('the token of one session is invalid for another', async () => {
    const own = await viewer.openOwn(newest([1]), page)
    const other = await viewer.openOwn(newest([1]), page)
    const { user, password } = own
    expect((await command(path, { as: { user, password } })).status).toBe(403)
    expect((await command(path, { as: { user, password: other.commandToken } })).status).toBe(407)
    expect((await command(path, { as: { user: viewer.commandUser, password: own.commandToken } })).status).toBe(407)
    expect((await post({ token: own.commandToken })).status).toBe(403)
    expect((await post({ token: own.commandToken }, { as: other })).status).toBe(403)
    expect([isRecording(), viewer.own().map((each) => each.isRecording)]).toEqual([true, [true, true]])
    expect((await post({ token: own.commandToken }, { as: own })).status).toBe(303)
    expect([isRecording(), viewer.own().map((each) => each.isRecording)]).toEqual([true, [false, true]])
    for (const each of [own, other]) viewer.leave(each.user)
  })

  const proven: [string, () => Promise<Received>][] = [
    ['a GET with the token as the password of the proxy', () => change(path)],
    ['a POST with the token as the password of the proxy', () => post({}, { as: commanding() })],
    ['a form with the token', () => post({ token: viewer.commandToken })],
    ['a form with the token in a window', () => post({ token: viewer.commandToken }, { headers: window })],
    [
      'a form with the token whose other fields stand in the address',
      () => command(path, { method: 'POST', headers: form, content: `token=${viewer.commandToken}` }),
    ],
  ]
  test.each(proven)('%s is carried out', async (_, asked) => {
    const got = await asked()
    expect([got.status, got.headers.location, isRecording()]).toEqual([303, back, false])
    await change(`/startRecordingURIs?returnURL=${back}`)
  })

  test('a window gets a form that repeats the request and cannot be framed', async () => {
    const asked = `/changeIndex?jobID=1&jobID=2&label=${encodeURIComponent('<"both">')}&returnURL=${encodeURIComponent(back)}`
    const got = await command(asked, { headers: window })
    expect([got.status, got.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    expect(got.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const shown = got.body.toString()
    expect(shown).toContain('<form method="post" action="/changeIndex">')
    expect(shown.match(/<input type="hidden"[^>]*>/g)).toEqual([
      '<input type="hidden" name="jobID" value="1">',
      '<input type="hidden" name="jobID" value="2">',
      '<input type="hidden" name="label" value="&#60;&#34;both&#34;&#62;">',
      `<input type="hidden" name="returnURL" value="${back}">`,
    ])
  })

  test.each([
    ['PUT', form, '', 405],
    ['HEAD', {}, undefined, 405],
    ['POST', { 'content-type': 'text/plain' }, 'returnURL=http://tools.example/', 415],
  ])('refuses %s of %j', async (method, headers, content, status) => {
    const got = await command(path, { method, headers, as: commanding(), ...(content !== undefined && { content }) })
    expect([got.status, isRecording()]).toEqual([status, true])
  })

  test('explaining a command does not carry it out', async () => {
    await explain(`http://${viewer.commandHost}${path}`, true)
    expect(isRecording()).toBe(true)
  })
})

test('a denied resource of a good page is no archived error', async () => {
  const { view } = await viewer.open(newest([2]))
  expect((await ask(page, { headers: { range: 'bytes=500-' } })).status).toBe(416)
  expect(viewer.errors(view)).toEqual([])
  await viewer.open(newest([1]))
})

describe('captures over time', () => {
  test('a TimeGate redirects to the nearest memento, which carries out nothing', async () => {
    const asked = { headers: { 'accept-datetime': new Date('2021-02-01').toUTCString() } }
    const gate = await command(`/timegate/${page}`, asked)
    const at = `http://${viewer.commandHost}/memento/20210101000000/${page}`
    expect([gate.status, gate.headers.location, gate.headers.vary]).toEqual([302, at, 'accept-datetime'])
    const memento = await ask(at)
    expect([memento.status, memento.headers['memento-datetime']]).toEqual([200, new Date(y2021).toUTCString()])
    expect(memento.headers['content-security-policy']).toContain('sandbox')
    expect(memento.headers.link).toContain(`<${page}>; rel="original"`)
    expect((await command(`/timegate/http://nobody.example/`)).status).toBe(404)
  })

  test('neither returns captures beyond the limit of the session', async () => {
    const dayMs = 86_400_000
    await viewer.open(nearest('2021-01-20T00:00:00Z', 30 * dayMs))
    const said = async (path: string, at?: string) => {
      const headers: Record<string, string> = at === undefined ? {} : { 'accept-datetime': new Date(at).toUTCString() }
      const got = await command(`${path}/${page}`, { headers })
      return [got.status, got.headers.location ?? got.body.toString()]
    }
    const memento = `http://${viewer.commandHost}/memento/20210101000000/${page}`
    const none = [404, `The view has no capture of ${page} close enough to the requested time.\n`]
    expect(await said('/timegate')).toEqual([302, memento])
    expect(await said('/timegate', '2020-12-31')).toEqual([302, memento])
    expect(await said('/timegate', '2021-06-01')).toEqual(none)
    expect(await said('/memento/20201231')).toEqual([200, '<title>The second &amp; last</title>2021'])
    expect(await said('/memento/20210601')).toEqual(none)
    await viewer.open(newest([1]))
    expect(await said('/memento/20210601')).toEqual([200, '<title>The second &amp; last</title>2021'])
  })

  test.each([
    ['moved', 'http://site.example/gone?a=1#part'],
    ['moved-outside', 'https://other.example/"x"'],
    ['moved-nowhere', undefined],
  ])('a memento of an archived redirect stays within the archive: %s', async (name, target) => {
    const base = `http://${viewer.commandHost}/memento/20210101000000`
    const got = await ask(`${base}/http://site.example/${name}`)
    const expected = target && `${base}/${target.replaceAll('"', '%22')}`
    expect([got.status, got.headers.location]).toEqual([301, expected])
  })

  test('a TimeMap lists captures, the oldest first', async () => {
    const lines = (await command(`/timemap/link/${page}`)).body.toString().trim().split(',\n')
    expect(lines).toHaveLength(6)
    expect(lines.slice(3).map((line) => /rel="([\w ]+)"/.exec(line)?.[1])).toEqual([
      'first memento',
      'memento',
      'last memento',
    ])
    const json = JSON.parse((await command(`/timemap/json/${page}`)).body.toString()) as {
      mementos: { list: unknown[] }
    }
    expect(json.mementos.list).toMatchObject([{ datetime: '2020-01-01T00:00:00.000Z', job: 1 }, {}, {}])
  })
})

describe('the CDX server', () => {
  const lines = async (query: string) => (await command(`/cdx?${query}`)).body.toString().split('\n').slice(0, -1)
  const moments = async (query: string) => (await lines(query)).map((line) => line.split(' ')[1])
  const all = ['20200101000000', '20210101000000', '20220101000000']

  test('lists captures of a URL by time, reversed, and by distance', async () => {
    expect(await moments(`url=${page}`)).toEqual(all)
    expect(await moments(`url=${page}&sort=reverse`)).toEqual(all.toReversed())
    expect((await moments(`url=${page}&closest=20210301&limit=2`))[0]).toBe(all[1])
    expect(await moments(`url=${page}&from=2021&to=2021`)).toEqual([all[1]])
    expect(await moments(`url=${page}&from=202101&to=202212`)).toEqual(all.slice(1))
  })

  test('lists captures of a host, filtered and in pages', async () => {
    const gone = await lines('url=site.example&matchType=host&filter==status:410&output=json')
    expect(gone.map((line) => JSON.parse(line) as object)).toMatchObject([{ url: 'http://site.example/gone', job: 1 }])
    const first = await command('/cdx?url=site.example&matchType=domain&limit=4')
    const key = String(first.headers['x-resume-key'])
    const rest = await lines(`url=site.example&matchType=domain&resumeKey=${encodeURIComponent(key)}`)
    expect(rest).toHaveLength(rows.length - 4 - keptBack)
    expect((await lines(`url=${page}&output=cdx11`))[0]).toBe(' CDX N b a m s k r M S V g')
  })

  test('returns pages and their number', async () => {
    const of = 'url=site.example&matchType=domain'
    const count = await command(`/cdx?${of}&showNumPages=true`)
    expect(count.headers['content-type']).toContain('application/json')
    expect(JSON.parse(count.body.toString())).toEqual({ pages: 1, pageSize: 1, blocks: 1 })
    expect(await lines(`${of}&page=0`)).toEqual(await lines(of))
    expect(await lines(`${of}&page=0&pageSize=3&filter==status:410`)).toEqual(await lines(`${of}&filter==status:410`))
    expect(await lines('url=nothing.example&page=0')).toEqual([])
    expect((await command(`/cdx?${of}&page=1`)).body.toString()).toContain(
      'There is no page 1. Pages are numbered from 0; the result has 1 page.',
    )
  })

  test.each([
    ['page=one', 'page must be a number'],
    ['pageSize=0', 'from 1 to 3'],
    ['pageSize=4', 'from 1 to 3'],
    ['page=0&sort=reverse', 'cannot be combined with sort or closest'],
    ['page=0&closest=2020', 'cannot be combined with sort or closest'],
    ['page=0&resumeKey=x', 'exclude each other'],
    ['showNumPages=yes', 'true or false'],
  ])('refuses invalid paging parameters: %s', async (parameters, sentence) => {
    const { status, body } = await command(`/cdx?url=site.example&${parameters}`)
    expect([status, body.toString()]).toEqual([400, expect.stringContaining(sentence)])
  })

  test.each([
    ['site.example/*', 'site.example/&matchType=prefix'],
    ['site.example/s*', 'site.example/s&matchType=prefix'],
    ['*.site.example', 'site.example&matchType=domain'],
    ['*.example', 'example&matchType=domain'],
  ])('a star means the same as the parameters: %s', async (starred, plain) => {
    const found = await lines(`url=${starred}`)
    expect(found.length).toBeGreaterThan(1)
    expect(found).toEqual(await lines(`url=${plain}`))
  })

  test('the media type selects the output except for a wildcard', async () => {
    expect(await lines('url=site.example/*&matchType=exact')).toEqual([])
  })

  test('returns chosen fields in their order, by either name', async () => {
    const [first] = await lines(`url=${page}&fields=status,job,url&limit=1`)
    expect(first).toBe(`example,site)/ 20200101000000 {"status": "200", "job": "1", "url": "${page}"}`)
    expect(await lines(`url=${page}&fl=timestamp,%20status,method&output=json&limit=1`)).toEqual([
      '{"timestamp":"20200101000000","status":"200"}',
    ])
    expect(await lines(`url=${page}&fl=url,method,timestamp&output=text&limit=2`)).toEqual([
      `${page} - 20200101000000`,
      `${page} - 20210101000000`,
    ])
  })

  test('returns all fields as text, and as links to the mementos', async () => {
    const [text = ''] = await lines(`url=${page}&output=text&limit=1`)
    expect(text).toMatch(
      /^example,site\)\/ 20200101000000 http:\/\/site\.example\/ text\/html 200 \S+ \d+ 0 1-1-a\.warc\.gz -$/,
    )
    const got = await command(`/cdx?url=${page}&output=link&from=2021`)
    expect(got.headers['content-type']).toMatch(/^application\/link-format/)
    expect(got.body.toString()).toBe(
      [y2021, y2022]
        .map(
          (at) =>
            `<http://${viewer.commandHost}/memento/${at.slice(0, 4)}0101000000/${page}>; rel="memento"; datetime="${new Date(at).toUTCString()}"`,
        )
        .join(',\n') + '\n',
    )
    expect((await command('/cdx?url=http://nobody.example/&output=link')).body.toString()).toBe('')
  })

  test.each([
    ['', 'The parameter url is missing.'],
    ['url=a&matchType=all', 'The parameter matchType must be one of exact, prefix, host, domain, not all.'],
    ['url=a&limit=0', 'The parameter limit must be a number above 0: 0.'],
    ['url=a&from=x', 'The parameters from and to must be times: YYYYMMDDhhmmss, or the beginning of one.'],
    ['url=a&sort=up', 'The parameter sort must be one of ascending, reverse, closest, not up.'],
    ['url=a&sort=closest', 'To sort by closest, give a time in the parameter closest.'],
    ['url=*', 'The parameter url must contain more than a star: *.'],
    ['url=*.', 'The parameter url must contain more than a star: *..'],
    [
      'url=a&fields=url,color',
      'The parameter fields must be one of urlkey, timestamp, url, mime, status, digest, length, offset, filename, method, job, not url,color.',
    ],
    ['url=a&fields=url&fl=url', 'The parameters fields and fl mean the same. Give one of them.'],
    [
      'url=a&fields=url&output=link',
      'The output link has fixed fields. Outputs with selectable fields: cdxj, json, text.',
    ],
    ['url=a&output=xml', 'The parameter output must be one of cdxj, json, text, link, cdx11, cdx9, not xml.'],
  ])('/cdx?%s: %s', async (query, sentence) => {
    const got = await command(`/cdx?${query}`)
    expect([got.status, got.body.toString()]).toEqual([400, `${sentence}\n`])
  })

  test('reports an invalid filter or expression', async () => {
    expect((await command('/cdx?url=a&filter=colour:red')).status).toBe(400)
    expect((await command('/cdx?url=a&filter=~status:(')).status).toBe(400)
  })
})

describe('access rules', () => {
  test('a blocked URL is answered as such, an excluded one as absent, and neither counts as missing', async () => {
    const before = viewer.misses(current()).length
    expect((await ask('http://site.example/blocked/a')).status).toBe(451)
    expect((await ask('https://www.site.example/excluded/a')).status).toBe(404)
    expect(viewer.misses(current())).toHaveLength(before)
  })

  test('nor does it appear as a memento, in a list of captures, or as a substitute for another URL', async () => {
    const blocked = 'http://site.example/blocked/a'
    expect((await command(`/memento/2021/${blocked}`)).status).toBe(451)
    expect((await command(`/timegate/${blocked}`)).status).toBe(451)
    expect((await command('/timemap/link/http://site.example/excluded/a')).status).toBe(404)
    const listed = (await command('/cdx?url=site.example&matchType=host&limit=100')).body.toString()
    expect(listed).toContain('site.example/gone')
    expect(listed).not.toMatch(/blocked|excluded/)
    // The rule is of the query that was captured; what is asked is another.
    expect((await ask('http://site.example/kept.js?v=2')).status).toBe(404)
  })

  test.each([
    ['http://site.example/blocked/a', 451, 'blocked'],
    ['http://site.example/excluded/a', 404, 'excluded'],
  ])('nor as a record of its file, by any URL: %s', async (url, status, effect) => {
    const offset = offsets[rows.findIndex((row) => row.url === url)]
    for (const path of ['/getRecord?arcFile=1-1-a.warc.gz&arcOffset', '/getPayload?file=1-1-a.warc.gz&offset']) {
      const got = await command(`${path}=${offset}`)
      expect([got.status, got.headers['x-loupe']]).toEqual([status, effect])
      expect(got.body.toString()).not.toContain('never shown')
    }
    expect((await command('/getRecord?arcFile=1-1-a.warc.gz&arcOffset=0')).status).toBe(200)
  })

  test('nor does it appear in suggestions, in lists of pages and captures, or by its title', async () => {
    const blocked = 'http://site.example/blocked/a'
    const suggested = async (typed: string, limit = 100) => (await viewer.suggest(typed, limit)).map(({ url }) => url)
    for (const typed of ['', 'site', 'xample']) {
      expect(await suggested(typed)).toContain(page)
      expect((await suggested(typed)).join()).not.toMatch(/blocked|excluded/)
    }
    // Resources that are no pages are offered after those, where a URL is typed.
    expect(await suggested('app.js')).toEqual([])
    expect(await suggested('site.example/app')).toEqual(['http://site.example/app.js?v=1&_=1700000000000'])
    expect(await suggested('https://site.example/both')).toEqual(
      ['http', 'https'].map((scheme) => `${scheme}://site.example/both.js?v=1`),
    )
    const all = await suggested('http://site.example/')
    expect([all[0], new Set(all).size]).toEqual([page, all.length])
    expect(all).toContain('http://site.example/torn')
    expect(all.join()).not.toMatch(/blocked|excluded|kept/)
    expect(await suggested('http://site.example/', all.length - 1)).toEqual(all.slice(0, -1))
    // It takes no place of another.
    expect(await suggested('a', (await suggested('a')).length)).toEqual(await suggested('a'))
    expect(await viewer.title({ url: blocked, timestampMs: Date.parse(y2021) })).toBeNull()
    expect([viewer.captures(blocked), viewer.timeline(blocked)]).toEqual([[], []])
  })
})

describe('inexact matches', () => {
  test.each(['http', 'https'])(
    'of two equally similar URLs, chooses the one with the requested scheme: %s',
    async (scheme) => {
      expect(await text(`${scheme}://site.example/both.js?v=2`)).toBe(`over ${scheme}`)
    },
  )

  test('a resource is answered by one that differs only in insignificant parameters, and marked', async () => {
    const got = await ask('http://site.example/app.js?v=2&_=1711111111111')
    expect([got.body.toString(), got.headers['x-loupe-inexact']]).toEqual(['version 1', 'staticFile'])
    expect(viewer.answers(0).at(-1)).toMatchObject({
      by: 'fuzzyCapture',
      inexact: ['staticFile'],
      capturedUrl: 'http://site.example/app.js?v=1&_=1700000000000',
    })
    expect(viewer.misses(current()).map(({ url }) => url)).not.toContain(got.headers.location)
  })

  test('a page is answered only by one that differs in its referral parameters', async () => {
    expect(await text('http://site.example/show?id=1&utm_source=mail', asPage)).toBe('thread 1')
    expect((await ask('http://site.example/show?id=2', asPage)).status).toBe(404)
    const other = 'http://site.example/app.js?v=3'
    expect((await explain(other))?.answeredBy).toBe('fuzzyCapture')
    expect((await explain(other, true))?.answeredBy).toBe('missing')
    expect((await ask(other, asPage)).status).toBe(404)
  })

  test('limits the URLs compared for one path', async () => {
    const own = await viewer.openOwn(newest([3]), page)
    const asked = (id: number, more: string) => text(`http://many.example/show?${more}id=${id}`, { as: own, ...asPage })
    const last = fuzzyCapturesMax + 99
    expect(await asked(last, 'utm_source=mail&')).toBe(`thread ${last}`)
    expect(await asked(last - 1, '')).toBe(`thread ${last - 1}`)
    viewer.leave(own.user)
  })

  test('a session without inexact matches records their requests as missing', async () => {
    const inexact = 'http://site.example/app.js?v=9'
    const own = await viewer.openOwn({ ...newest([1]), isExact: true }, page)
    expect((await ask(inexact, { as: own })).status).toBe(404)
    const { id } = viewer.answers(0).at(-1)!
    expect(await text('http://site.example/app.js?v=1&_=1700000000000', { as: own })).toBe('version 1')
    expect(viewer.misses(own.view, own.user).map(({ url }) => url)).toEqual([inexact])
    const explained = await viewer.explain({ url: inexact, method: 'GET', isPage: false, answer: id })
    expect(explained?.steps).toContainEqual({
      link: 'fuzzyCapture',
      message: { code: 'viewer.step.inexact.off' },
    })
    // Outside of it nothing has changed, although the jobs and the date are the same.
    expect(own.view).not.toBe(current())
    expect((await ask(inexact)).status).toBe(200)
    viewer.leave(own.user)
  })

  test.each([
    [false, 200, 'fuzzyCapture', []],
    [true, 404, 'missing', [search]],
  ] as const)('what was sent, where a viewing wants none: %s', async (isExact, status, answeredBy, missed) => {
    const own = await viewer.openOwn({ ...newest([4]), isExact }, page)
    const asking = { as: own, method: 'POST', headers: form, content: 'q=cats&_=2' }
    expect((await ask(search, asking)).status).toBe(status)
    expect(viewer.misses(own.view, own.user).map(({ url }) => url)).toEqual(missed)
    const asked = { url: search, method: 'POST', isPage: false, answer: viewer.answers(0).at(-1)!.id }
    const explained = await viewer.explain(asked)
    expect(explained?.answeredBy).toBe(answeredBy)
    // The list shows what the jobs know about it; this shows why no inexact match was given.
    const off = { link: 'fuzzyCapture', message: { code: 'viewer.step.inexact.off' } }
    expect(explained?.steps.filter(({ message }) => message.code === off.message.code)).toEqual(isExact ? [off] : [])
    viewer.leave(own.user)
  })

  test('a command switches them on and off', async () => {
    const own = await viewer.openOwn(newest([1]), page)
    const choose = (exact: string) =>
      change(`/changeIndex?jobID=1&label=one&exact=${exact}&returnURL=${encodeURIComponent(page)}`, own)
    const statuses = async (exact: string) => [
      (await choose(exact)).status,
      (await ask('http://site.example/app.js?v=9', { as: own })).status,
      (await command('/getStatus?format=json', { as: own })).body.includes('"isExact":true'),
    ]
    expect(await statuses('true')).toEqual([303, 404, true])
    expect(await statuses('false')).toEqual([303, 200, false])
    expect(await statuses('perhaps')).toEqual([400, 200, false])
    viewer.leave(own.user)
  })
})

describe('what is recorded', () => {
  test('a missing URL: who requested it, for which page, and as what', async () => {
    const style = 'http://site.example/style.css'
    await ask(page, asPage)
    await ask(style, { headers: { referer: page, accept: 'text/css,*/*' } })
    await ask('http://site.example/font.woff', { headers: { referer: style, 'sec-fetch-dest': 'font' } })
    const missed = viewer.misses(current())
    expect(missed.find(({ url }) => url === style)).toMatchObject({
      referrer: page,
      initiator: page,
      resourceType: 'style',
    })
    expect(missed.at(-1)).toMatchObject({ referrer: style, initiator: page, resourceType: 'font', times: 1 })
  })

  describe('the page that requested a cross-origin resource, when the browser sends only its origin', () => {
    const part = 'http://other.example/part.png'
    const [error, same] = [`${page}gone`, `${page}same`]
    const visit = (url: string, as: Asking['as'], referer?: string, further: Record<string, string> = {}) =>
      ask(url, {
        ...(as && { as }),
        headers: { ...asPage.headers, ...(referer !== undefined && { referer }), ...further },
      })
    const askPart = (url: string, as: Asking['as'], referer: string) =>
      ask(url, { ...(as && { as }), headers: { referer } })
    /** Fields that browsers send over https. */
    const frame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }
    const rows: [string, (as: Asking['as']) => Promise<unknown>, string][] = [
      ['the current page, not the front page', (as) => visit(same, as), same],
      ['the front page, when that is the current page', (as) => visit(page, as), page],
      [
        'the page opened by a link, although it has requested nothing yet',
        (as) => visit(page, as).then(() => visit(same, as, page)),
        same,
      ],
      ['the later of two pages', (as) => visit(same, as).then(() => visit(error, as)), error],
      [
        'a page that requested its own URL by script',
        (as) => visit(page, as).then(() => askPart(page, as, page)),
        page,
      ],
      [
        'the page around a frame that has requested nothing yet',
        (as) => visit(page, as).then(() => visit(same, as, page, frame)),
        page,
      ],
      [
        'the latest frame, once it has requested something',
        async (as) => {
          await visit(page, as)
          await visit(same, as, page, frame)
          await askPart(`${page}x.png`, as, same)
        },
        same,
      ],
      [
        'the page around a frame, which went on asking after the frame had come',
        async (as) => {
          await visit(page, as)
          await visit(same, as, page, frame)
          await askPart(`${page}x.png`, as, page)
        },
        page,
      ],
      [
        'the target of a link in the frame of the interface, where browsers request every page as a frame',
        async (as) => {
          await visit(page, as, undefined, { ...frame, 'sec-fetch-site': 'cross-site' })
          await visit(same, as, page, { ...frame, 'sec-fetch-user': '?1' })
        },
        same,
      ],
      ['a page that the browser has still', (as) => visit(page, as).then(() => visitAgain(page, as)), page],
      ['no page is known', async () => undefined, ''],
      ['no page that is missing', (as) => visit(page, as).then(() => visit(`${page}none`, as)), page],
      [
        'a page from which another was opened, and which goes on asking, is shown still',
        async (as) => {
          await visit(page, as)
          await visit(same, as, page)
          await askPart(`${page}x.png`, as, page)
        },
        same,
      ],
    ]
    async function visitAgain(url: string, as: Asking['as']): Promise<void> {
      const { headers } = await visit(url, as)
      const again = await visit(url, as, undefined, { 'if-none-match': String(headers.etag) })
      expect(again.status).toBe(304)
    }
    test.each(rows)('%s', async (_, before, initiator) => {
      const own = await viewer.openOwn(newest([1]), page)
      await before(own)
      await ask(part, { as: own, headers: { referer: page } })
      const style = 'http://other.example/style.css'
      await ask(style, { as: own, headers: { referer: page } })
      await ask('http://other.example/font.woff', { as: own, headers: { referer: style } })
      const missed = viewer.misses(own.view, own.user).filter(({ url }) => url.startsWith('http://other.example/'))
      expect(missed.map((miss) => miss.initiator)).toEqual([initiator, initiator, initiator])
      viewer.leave(own.user)
    })

    test('requests by a style sheet: cross-origin, and one that the browser still has from the page before', async () => {
      const as = await viewer.openOwn(newest([1]), page)
      const sheet = 'http://styles.example/a.css'
      const initiatorOf = (url: string) => viewer.misses(as.view, as.user).find((miss) => miss.url === url)?.initiator
      await visit(page, as)
      await askPart(sheet, as, page)
      await ask('http://fonts.example/a.woff', { as, headers: { referer: 'http://styles.example/' } })
      expect(initiatorOf('http://fonts.example/a.woff')).toBe(page)
      await visit(same, as)
      await ask('http://styles.example/b.png', { as, headers: { referer: sheet } })
      expect(initiatorOf('http://styles.example/b.png')).toBe(same)
      viewer.leave(as.user)
    })
  })

  test('downloads are marked, and a revalidation has the status of the capture', async () => {
    const { headers } = await ask('http://site.example/save')
    const told = { mediaType: 'text/plain', isAttachment: true }
    expect(viewer.answers(0).at(-1)).toMatchObject({ ...told, status: 200, bytes: 5 })
    const revalidated = await ask('http://site.example/save', { headers: { 'if-none-match': String(headers.etag) } })
    expect(revalidated.status).toBe(304)
    expect(viewer.answers(0).at(-1)).toMatchObject({ ...told, status: 200, bytes: null })
    await ask(page)
    expect(viewer.answers(0).at(-1)).toMatchObject({ isAttachment: false })
  })

  test('archived errors and unreadable bodies are findings, not missing URLs', async () => {
    expect((await ask('http://site.example/gone')).status).toBe(410)
    expect(await text('http://site.example/torn')).toBe('the one before')
    const errors = viewer.errors(current())
    expect(errors).toMatchObject([
      { kind: 'archivedError', url: 'http://site.example/gone', status: 410, file: '1-1-a.warc.gz' },
      { kind: 'unreadable', url: 'http://site.example/torn', file: '1-2-a.warc.gz', offset: 0 },
    ])
    expect(errors[1]?.detail).toMatch(/1-2-a\.warc\.gz/)
    expect(viewer.misses(current()).map(({ url }) => url)).not.toContain('http://site.example/gone')
  })
})

describe('explanations', () => {
  test('name every link of the chain, the captures, and the headers as archived and as sent', async () => {
    const explained = await explain(page)
    expect(explained).toMatchObject({ answeredBy: 'exactCapture', key: 'example,site)/', isMissing: false })
    expect(explained?.steps.map(({ link }) => link)).toEqual([
      ...['controlCommands', 'dataCommands', 'timeCommands', 'unknownCommand', 'refusals', 'noView', 'access'],
      ...['preflight', 'exactCapture'],
    ])
    expect(explained?.candidates.map(({ capture, isUsed }) => [capture.timestampMs, isUsed])).toEqual([
      [Date.parse(y2022), true],
      [Date.parse(y2021), false],
      [Date.parse(y2020), false],
    ])
    expect(explained?.archived).toMatchObject({ status: 200, fields: [['Content-Type', 'text/html']] })
    expect(explained?.sent.fields.map(([name]) => name)).toContain('Memento-Datetime')
  })

  test('of a revisit name the capture with its content', async () => {
    expect(await text('http://site.example/same')).toContain('2020')
    const explained = await explain('http://site.example/same')
    expect(explained?.revisitHops).toMatchObject([
      { capture: { url: page, timestampMs: Date.parse(y2020) }, isUsed: true, why: null },
    ])
  })

  test('of an unreadable capture give the reason and the substitute', async () => {
    const explained = await explain('http://site.example/torn')
    expect(explained?.candidates).toMatchObject([
      {
        isUsed: false,
        why: { code: 'viewer.record.damaged', values: { place: { values: { file: '1-2-a.warc.gz' } } } },
      },
      { isUsed: true, why: null },
    ])
  })

  test('of a missing URL name the jobs that have it, and record nothing', async () => {
    const before = viewer.misses(current()).length
    const explained = await explain(elsewhere.url)
    expect(explained).toMatchObject({ answeredBy: 'missing', elsewhere: [elsewhere], isMissing: true })
    expect(viewer.misses(current())).toHaveLength(before)
    expect(await text(elsewhere.url, asPage)).toContain('It was captured in job 7, which you can add to the view.')
  })
})

test('titles of pages are read from their records', async () => {
  const pages = [y2020, y2021, y2022].map((at) => ({
    ...{ url: page, status: 200, mediaType: 'text/html' },
    timestampMs: Date.parse(at),
  }))
  const titles = Promise.all(pages.map(viewer.title))
  // What is shown meanwhile is something else.
  await viewer.open(newest([2]))
  expect(await titles).toEqual(['The first', 'The second & last', null])
  await viewer.open(newest([1]))
})
