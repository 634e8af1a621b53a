/** What a search among URLs lists, the viewer opens, and what the archive has of a match is listed: random archives, patterns and page
 *  sizes. */
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { urlMatches, type UrlMatch } from '../contract/services/search.ts'
import { surt } from '../formats/cdx/surt.ts'
import { openIndexes, type CaptureIndex } from '../indexes/indexes.ts'
import { createArchive, type Row } from '../indexes/testing/archiveFixture.ts'
import { askOver, viewerOver } from './testing/viewerFixture.ts'

const hosts = ['a.test', 'www.a.test', 'b.a.test', 'a.test:8080', 'aa.test', 'c.example']
const paths = ['/', '/x', '/x/', '/x/y.html', '/x/y.html?b=2&a=1', '/X/Y.html', '/xy', '/z.pdf']
const url = fc
  .tuple(fc.constantFrom('http', 'https'), fc.constantFrom(...hosts), fc.constantFrom(...paths))
  .map(([scheme, host, path]) => `${scheme}://${host}${path}`)
const capture = fc.record({ url, minute: fc.nat({ max: 50 }) })
const archives = fc.array(fc.array(capture, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 })
const asked = fc.record({
  url: fc.oneof(url, fc.constantFrom('a.test', 'a.test/x', '*.a.test', 'a.test/x*', '*/x/*', '*.pdf', '*y.html*', '*')),
  match: fc.constantFrom(...urlMatches),
  limit: fc.integer({ min: 1, max: 4 }),
})

/** All URLs of a search, page by page. */
async function allOf(
  index: CaptureIndex,
  { url: text, match, limit }: { url: string; match: UrlMatch; limit: number },
) {
  const found: Awaited<ReturnType<CaptureIndex['urls']>>['urls'] = []
  for (let after: string | undefined; ;) {
    const page = await index.urls({ text, match, limit, ...(after !== undefined && { after }) })
    expect(page.urls.length).toBeLessThanOrEqual(limit)
    found.push(...page.urls)
    if (page.next === undefined) return found
    after = page.next
  }
}

/** Whether a captured URL is meant, said in another way than the search reads it. */
function isMeant(captured: string, { url: text, match }: { url: string; match: UrlMatch }): boolean {
  const [key, of] = [surt(captured), surt(text)]
  const hostOf = (each: string) => each.slice(0, each.indexOf(')'))
  const plain = (each: string) =>
    each
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/^www\./, '')
  switch (match) {
    case 'exact':
      return key === of
    case 'host':
      return of.includes(')') && hostOf(key) === hostOf(of)
    case 'domain': {
      const [host, parent] = [hostOf(key).replace(/:\d+$/, ''), hostOf(of).replace(/:\d+$/, '')]
      return of.includes(')') && (host === parent || host.startsWith(`${parent},`))
    }
    case 'prefix':
      return key.startsWith(text.endsWith('/') && !of.endsWith('/') && !text.includes('?') ? `${of}/` : of)
    case 'pattern': {
      const pattern = plain(text)
      const bare = pattern.startsWith('*.') ? [pattern.slice(2)] : []
      const whole = [pattern, ...bare].flatMap((each) => (pattern.includes('/') ? [each] : [each, `${each}/*`]))
      const escaped = (each: string) => each.replace(/[.?]/g, '\\$&').replaceAll('*', '.*')
      return whole.some((each) => new RegExp(`^${escaped(each)}$`, 's').test(plain(captured)))
    }
  }
}

const minuteMs = (minute: number) => Date.UTC(2024, 0, 1, 0, minute)

test('what a search among URLs lists, the viewer opens', async () => {
  await fc.assert(
    fc.asyncProperty(archives, fc.array(asked, { minLength: 3, maxLength: 3 }), async (jobs, searches) => {
      const made = await createArchive()
      const { folder, world, archive, tasks } = made
      const indexes = await openIndexes({ folder: join(folder, 'indexes'), world, archive, tasks })
      const viewer = await viewerOver(made, { indexes })
      try {
        for (const [at, captures] of jobs.entries())
          await made.add({ name: `${at + 1}-1.warc.gz`, job: at + 1, rows: captures.map(rowOf) })
        const numbers = jobs.map((_, at) => at + 1)
        const index = await indexes.captureIndexFor({ jobs: numbers })
        try {
          for (const search of searches) {
            const listed = await allOf(index, search)
            expect(listed.map(({ key }) => key)).toEqual(listed.map(({ key }) => key).toSorted())
            const all = Map.groupBy(jobs.flat(), (each) => surt(each.url))
            // A key is judged by the URL of its newest capture, and those of one minute are in no order that a reader could know.
            const expected = [...all].filter(([, of]) => {
              const newest = Math.max(...of.map(({ minute }) => minute))
              const last = of.filter(({ minute }) => minute === newest)
              return last.every((each) => isMeant(each.url, search))
            })
            const keys = new Set(listed.map(({ key }) => key))
            for (const [key] of expected) expect(keys).toContain(key)
            for (const { key, url: shown, captures, firstMs, lastMs } of listed) {
              const of = all.get(key) ?? []
              expect(isMeant(shown, search)).toBe(true)
              const minutes = of.map(({ minute }) => minute)
              expect({ captures, firstMs, lastMs }).toEqual({
                ...{ captures: of.length, firstMs: minuteMs(Math.min(...minutes)) },
                lastMs: minuteMs(Math.max(...minutes)),
              })
              for (const atMs of [firstMs, lastMs]) {
                await viewer.open({ jobs: numbers, moment: { kind: 'nearest', atMs }, withinMs: 0 })
                const { status, body } = await askOver(viewer.proxy, shown)
                expect(status).toBe(200)
                expect(of.filter(({ minute }) => minuteMs(minute) === atMs).map(textOf)).toContain(body.toString())
              }
            }
          }
        } finally {
          index.close()
        }
      } finally {
        await viewer.close()
        await made[Symbol.asyncDispose]()
      }
    }),
    { numRuns: 20 },
  )
})

const textOf = ({ url: of, minute }: { url: string; minute: number }) => `${of} at ${minute}`

function rowOf(each: { url: string; minute: number }): Row {
  return {
    ...{ url: each.url, at: new Date(minuteMs(each.minute)).toISOString(), body: textOf(each) },
    fields: [['Content-Type', 'text/plain']],
  }
}
