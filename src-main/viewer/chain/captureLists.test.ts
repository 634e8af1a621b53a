import { describe, expect, test } from 'vitest'
import { y2021, y2022, page, rows, viewer, newest, nearest, ask, command, withChain } from './testing/chainFixture.ts'

withChain()

/** Number of rows that an access rule hides. */
const keptBack = 3

describe('captures over time', () => {
  test('a TimeGate redirects to the nearest memento, which runs no scripts', async () => {
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

  test('TimeGates and mementos return no captures beyond the time limit of the session', async () => {
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

  test('returns pages and the number of pages', async () => {
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
  ])('a wildcard in the URL is equivalent to matchType: %s', async (starred, plain) => {
    const found = await lines(`url=${starred}`)
    expect(found.length).toBeGreaterThan(1)
    expect(found).toEqual(await lines(`url=${plain}`))
  })

  test('the media type selects the output except for a wildcard', async () => {
    expect(await lines('url=site.example/*&matchType=exact')).toEqual([])
  })

  test('returns the selected fields in order, by either of their names', async () => {
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
