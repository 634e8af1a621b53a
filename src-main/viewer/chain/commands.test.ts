import { describe, expect, test } from 'vitest'
import type { Asking, Received } from '../testing/viewerFixture.ts'
import {
  page,
  form,
  viewer,
  newest,
  ask,
  text,
  command,
  change,
  commanding,
  explain,
  withChain,
} from './testing/chainFixture.ts'

withChain()

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

  test('with name and password, commands apply to that session only, even if another has the same view', async () => {
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

  test('changeIndex opens files by name, and the whole archive', async () => {
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

  test('a job that is not a number returns 400', async () => {
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
  /** With GET, the form is in the query of the URL. */
  const post = (fields: Record<string, string>, more: Asking = {}) =>
    command('/stopRecordingURIs', {
      ...{ method: 'POST', content: new URLSearchParams({ returnURL: back, ...fields }).toString() },
      ...more,
      headers: { ...form, ...more.headers },
    })

  /** An archived page can provide everything except the token: it can send a browser to any URL, and the browser sends the password of its
   *  viewing with each request. */
  const unproven: [string, () => Promise<Received>][] = [
    ['a script without a token', () => command(path)],
    ['a typed URL or an archived redirect', () => command(path, { headers: window })],
    ['a page of another site', () => command(path, { headers: { ...window, 'sec-fetch-site': 'cross-site' } })],
    ['a page of the command host', () => command(path, { headers: { ...window, 'sec-fetch-site': 'same-origin' } })],
    ['a browser over http, which sends no Sec-Fetch-Site', () => command(path, { headers: browser })],
    ['a browser with the token as its password', () => command(path, { headers: browser, as: commanding() })],
    ['a browser without User-Agent that sends Sec-Fetch-Site', () => command(path, { headers: { 'sec-fetch-site': 'none' }, as: commanding() })], // prettier-ignore
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
      'a form with the token and its other fields in the URL',
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
