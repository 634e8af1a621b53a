import { expect, onTestFinished, test } from 'vitest'
import { surt } from '../../formats/cdx/surt.ts'
import { openDerived } from '../../storage/storage.ts'
import { urlCapturesMax, urlKeysMax } from '../model/limits.ts'
import { buildStatements, captureSchema } from './captureIndex.sql.ts'
import { urlStatements } from './urlSearch.sql.ts'
import { searchUrls, type UrlsAsked } from './urlSearch.ts'

interface Added {
  url: string
  atMs?: number
  method?: string
  offset?: number
}

/** An index with these captures, and a function that searches in it. */
function indexWith(captures: readonly Added[]) {
  const store = openDerived(':memory:', captureSchema)
  onTestFinished(() => store.close())
  const { addFile, addCapture } = buildStatements(store)
  store.transaction(() => {
    const file = addFile.get({ name: '7-1.warc.gz', job: 7 })?.id ?? 0
    for (const { url, atMs = 0, method = '', offset = 0 } of captures)
      addCapture.run([surt(url), atMs, file, offset, 1, url, 'text/html', 200, '', 'response', method])
  })
  const statements = urlStatements(store)
  return (asked: Partial<UrlsAsked>) => searchUrls(statements, { text: '*', match: 'pattern', limit: 100, ...asked })
}

const urlsIn = ({ urls }: Awaited<ReturnType<typeof searchUrls>>) => urls.map(({ url }) => url)

test('variants of a URL are one, shown at the newest', async () => {
  const search = indexWith([
    { url: 'http://www.a.test/x', atMs: 5 },
    { url: 'https://a.test/X/', atMs: 9 },
    { url: 'http://a.test/x', atMs: 1 },
  ])
  const { urls } = await search({ text: 'a.test/x', match: 'exact' })
  expect(urls).toEqual([
    {
      ...{ key: 'test,a)/x', url: 'https://a.test/X/', mediaType: 'text/html', status: 200, job: 7 },
      ...{ firstMs: 1, lastMs: 9, captures: 3, hasMoreCaptures: false },
    },
  ])
})

test('requests with content are not listed', async () => {
  const search = indexWith([{ url: 'http://a.test/sign?__wb_method=POST', method: 'POST' }, { url: 'http://a.test/' }])
  expect(urlsIn(await search({}))).toEqual(['http://a.test/'])
})

test('captures are counted up to a limit', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, atMs) => ({ url: 'http://a.test/', atMs }))
  for (const [count, hasMoreCaptures] of [
    [urlCapturesMax, false],
    [urlCapturesMax + 1, true],
  ] as const) {
    const { urls } = await indexWith(many(count))({})
    expect(urls).toMatchObject([{ captures: urlCapturesMax, hasMoreCaptures, firstMs: 0, lastMs: count - 1 }])
  }
})

test('a search that matches rarely ends after a bounded number of URLs, and goes on there', async () => {
  const others = Array.from({ length: urlKeysMax }, (_, at) => ({ url: `http://a.test/${at}` }))
  const search = indexWith([...others, { url: 'http://z.test/found.pdf' }])
  const first = await search({ text: '*.pdf' })
  expect(first).toMatchObject({ urls: [], keysRead: urlKeysMax })
  const second = await search({ text: '*.pdf', ...(first.next !== undefined && { after: first.next }) })
  expect([urlsIn(second), second.keysRead, second.next]).toEqual([['http://z.test/found.pdf'], 1, undefined])
})

test('a search on one host reads the URLs of this host only', async () => {
  const search = indexWith(
    ['a.test', 'b.test', 'c.test'].flatMap((host) => [0, 1].map((at) => ({ url: `http://${host}/${at}` }))),
  )
  expect(await search({ text: 'b.test/*' })).toMatchObject({ keysRead: 2 })
  expect(await search({ text: 'b.test', match: 'domain' })).toMatchObject({ keysRead: 2 })
})

test('what the caller may not see is left out', async () => {
  const search = indexWith([{ url: 'http://a.test/' }, { url: 'http://b.test/' }])
  expect(urlsIn(await search({ isPermitted: (url) => !url.includes('a.test') }))).toEqual(['http://b.test/'])
})

test('its statements seek by the key and sort nothing', () => {
  const store = openDerived(':memory:', captureSchema)
  onTestFinished(() => store.close())
  const plans: string[] = []
  urlStatements({
    ...store,
    statement(sql) {
      const plan = store.statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      plans.push(plan.all({ key: '', from: '', to: '', limit: 1 }).map(({ detail }) => detail).join('; ')) // prettier-ignore
      return store.statement(sql)
    },
  })
  expect(plans).toHaveLength(4)
  for (const plan of plans) {
    expect(plan).toMatch(/SEARCH capture USING PRIMARY KEY \(key[=>]\?/)
    expect(plan).not.toContain('TEMP B-TREE')
  }
})
