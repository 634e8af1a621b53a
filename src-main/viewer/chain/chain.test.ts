import { operator } from '../testing/viewerFixture.ts'
import { describe, expect, test } from 'vitest'
import { fuzzyCapturesMax } from '../model/limits.ts'
import {
  y2020,
  y2021,
  y2022,
  page,
  rows,
  elsewhere,
  form,
  search,
  offsets,
  viewer,
  newest,
  nearest,
  ask,
  text,
  command,
  change,
  explain,
  asPage,
  current,
  withChain,
} from './testing/chainFixture.ts'

withChain()

describe('the selected capture', () => {
  test('is the oldest if the view asks for it', async () => {
    await viewer.open({ ...newest([1]), moment: { kind: 'oldest' } })
    expect(await text(page)).toContain('2020')
    await viewer.open(newest([1]))
  })

  test('is never beyond the time limit, and the reply lists the captures that exist', async () => {
    await viewer.open(nearest('2021-06-01T00:00:00Z', 30 * 86_400_000))
    expect((await ask(page)).status).toBe(404)
    const explained = await explain(page)
    expect(explained).toMatchObject({ isMissing: true, answeredBy: 'missing' })
    expect(explained?.elsewhere.map(({ timestampMs }) => timestampMs)).toContain(Date.parse(y2021))
    await viewer.open(newest([1]))
  })

  test('is described in the reply: URL, date, other captures and the rule that selected it (RFC 7089, 4.1.2)', async () => {
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

  test('is the nearest to the Accept-Datetime of the request (RFC 7089)', async () => {
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

describe('access rules', () => {
  test('a blocked URL returns 451, an excluded URL returns 404, and neither is recorded as missing', async () => {
    const before = viewer.misses(current()).length
    expect((await ask('http://site.example/blocked/a')).status).toBe(451)
    expect((await ask('https://www.site.example/excluded/a')).status).toBe(404)
    expect(viewer.misses(current())).toHaveLength(before)
  })

  test('blocked and excluded URLs do not appear as mementos, in lists of captures, or as substitutes', async () => {
    const blocked = 'http://site.example/blocked/a'
    expect((await command(`/memento/2021/${blocked}`)).status).toBe(451)
    expect((await command(`/timegate/${blocked}`)).status).toBe(451)
    expect((await command('/timemap/link/http://site.example/excluded/a')).status).toBe(404)
    const listed = (await command('/cdx?url=site.example&matchType=host&limit=100')).body.toString()
    expect(listed).toContain('site.example/gone')
    expect(listed).not.toMatch(/blocked|excluded/)
    // The rule applies to the captured query. The request has another query.
    expect((await ask('http://site.example/kept.js?v=2')).status).toBe(404)
  })

  test.each([
    ['http://site.example/blocked/a', 451, 'blocked'],
    ['http://site.example/excluded/a', 404, 'excluded'],
  ])('blocked and excluded records cannot be requested by file and offset: %s', async (url, status, effect) => {
    const offset = offsets[rows.findIndex((row) => row.url === url)]
    for (const path of ['/getRecord?arcFile=1-1-a.warc.gz&arcOffset', '/getPayload?file=1-1-a.warc.gz&offset']) {
      const got = await command(`${path}=${offset}`)
      expect([got.status, got.headers['x-loupe']]).toEqual([status, effect])
      expect(got.body.toString()).not.toContain('never shown')
    }
    expect((await command('/getRecord?arcFile=1-1-a.warc.gz&arcOffset=0')).status).toBe(200)
  })

  test('blocked and excluded URLs do not appear in suggestions, in lists of pages and captures, or by title', async () => {
    const blocked = 'http://site.example/blocked/a'
    const suggested = async (typed: string, limit = 100) => (await viewer.suggest(typed, limit)).map(({ url }) => url)
    for (const typed of ['', 'site', 'xample']) {
      expect(await suggested(typed)).toContain(page)
      expect((await suggested(typed)).join()).not.toMatch(/blocked|excluded/)
    }
    // When a URL is typed, other resources are suggested after pages.
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
    // Excluded URLs do not count towards the limit of suggestions.
    expect(await suggested('a', (await suggested('a')).length)).toEqual(await suggested('a'))
    expect(await viewer.title({ url: blocked, timestampMs: Date.parse(y2021) })).toBeNull()
    expect([viewer.captures(blocked), viewer.timeline(blocked)]).toEqual([[], []])
  })
})

describe('inexact matches', () => {
  test.each(['http', 'https'])('prefer the requested scheme of two equally similar URLs: %s', async (scheme) => {
    expect(await text(`${scheme}://site.example/both.js?v=2`)).toBe(`over ${scheme}`)
  })

  test('replace a resource by one that differs only in insignificant parameters, and mark it', async () => {
    const got = await ask('http://site.example/app.js?v=2&_=1711111111111')
    expect([got.body.toString(), got.headers['x-loupe-inexact']]).toEqual(['version 1', 'staticFile'])
    expect(viewer.answers(0).at(-1)).toMatchObject({
      by: 'fuzzyCapture',
      inexact: ['staticFile'],
      capturedUrl: 'http://site.example/app.js?v=1&_=1700000000000',
    })
    expect(viewer.misses(current()).map(({ url }) => url)).not.toContain(got.headers.location)
  })

  test('replace a page only by one that differs in its referral parameters', async () => {
    expect(await text('http://site.example/show?id=1&utm_source=mail', asPage)).toBe('thread 1')
    expect((await ask('http://site.example/show?id=2', asPage)).status).toBe(404)
    const other = 'http://site.example/app.js?v=3'
    expect((await explain(other))?.answeredBy).toBe('fuzzyCapture')
    expect((await explain(other, true))?.answeredBy).toBe('missing')
    expect((await ask(other, asPage)).status).toBe(404)
  })

  test('compare a limited number of URLs per path', async () => {
    const own = await viewer.openOwn(newest([3]), page)
    const asked = (id: number, more: string) => text(`http://many.example/show?${more}id=${id}`, { as: own, ...asPage })
    const last = fuzzyCapturesMax + 99
    expect(await asked(last, 'utm_source=mail&')).toBe(`thread ${last}`)
    expect(await asked(last - 1, '')).toBe(`thread ${last - 1}`)
    viewer.leave(own.user)
  })

  test('can be off in a session, which then records the requests as missing', async () => {
    const inexact = 'http://site.example/app.js?v=9'
    const own = await viewer.openOwn({ ...newest([1]), isExact: true }, page)
    expect((await ask(inexact, { as: own })).status).toBe(404)
    const { id } = viewer.answers(0).at(-1)!
    expect(await text('http://site.example/app.js?v=1&_=1700000000000', { as: own })).toBe('version 1')
    expect(viewer.misses(own.view, own.user).map(({ url }) => url)).toEqual([inexact])
    const explained = await viewer.explain({ url: inexact, method: 'GET', isPage: false, answer: id }, operator)
    expect(explained?.steps).toContainEqual({
      link: 'fuzzyCapture',
      message: { code: 'viewer.step.inexact.off' },
    })
    // Other sessions with the same jobs and date are not affected.
    expect(own.view).not.toBe(current())
    expect((await ask(inexact)).status).toBe(200)
    viewer.leave(own.user)
  })

  test.each([
    [false, 200, 'fuzzyCapture', []],
    [true, 404, 'missing', [search]],
  ] as const)('apply to request content unless switched off: %s', async (isExact, status, answeredBy, missed) => {
    const own = await viewer.openOwn({ ...newest([4]), isExact }, page)
    const asking = { as: own, method: 'POST', headers: form, content: 'q=cats&_=2' }
    expect((await ask(search, asking)).status).toBe(status)
    expect(viewer.misses(own.view, own.user).map(({ url }) => url)).toEqual(missed)
    const asked = { url: search, method: 'POST', isPage: false, answer: viewer.answers(0).at(-1)!.id }
    const explained = await viewer.explain(asked, operator)
    expect(explained?.answeredBy).toBe(answeredBy)
    // The list shows which URLs are missing. The explanation shows why a URL has no inexact match.
    const off = { link: 'fuzzyCapture', message: { code: 'viewer.step.inexact.off' } }
    expect(explained?.steps.filter(({ message }) => message.code === off.message.code)).toEqual(isExact ? [off] : [])
    viewer.leave(own.user)
  })

  test('are switched on and off by a command', async () => {
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

describe('explanations', () => {
  test('list every link of the chain, the captures, and the headers as archived and as sent', async () => {
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

  test('of a missing URL list the jobs that have it, and record nothing', async () => {
    const before = viewer.misses(current()).length
    const explained = await explain(elsewhere.url)
    expect(explained).toMatchObject({ answeredBy: 'missing', elsewhere: [elsewhere], isMissing: true })
    expect(viewer.misses(current())).toHaveLength(before)
    expect(await text(elsewhere.url, asPage)).toContain('It was captured in job 7, which you can add to the view.')
  })
})

test('page titles are read from the records', async () => {
  const pages = [y2020, y2021, y2022].map((at) => ({
    ...{ url: page, status: 200, mediaType: 'text/html' },
    timestampMs: Date.parse(at),
  }))
  const titles = Promise.all(pages.map(viewer.title))
  // Another view is opened in the meantime.
  await viewer.open(newest([2]))
  expect(await titles).toEqual(['The first', 'The second & last', null])
  await viewer.open(newest([1]))
})
