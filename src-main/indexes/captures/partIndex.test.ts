import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'
import type { CaptureIndex } from './captureIndex.ts'
import { partOf, type IsShown } from './partIndex.ts'

const startMs = Date.UTC(2020, 0, 1)
const hourMs = 3_600_000
const urls = ['http://a.test/', 'http://a.test/x', 'http://b.test/', 'http://b.test/y?z=1'] as const
const jobs = [1, 2, 3] as const

/** An index of two captures of each URL in each job. */
async function openedWhole(): Promise<CaptureIndex> {
  const atOf = (ms: number) => new Date(startMs + ms).toISOString()
  const made = await archiveWith(
    ...jobs.map((job) => ({
      ...{ name: `${job}-1-a.warc.gz`, job },
      rows: urls.flatMap((each, at) =>
        [at * 1_000, 9 * hourMs].map((afterMs) => ({
          ...{ url: each, at: atOf(job * 30 * hourMs + afterMs), body: `<title>${each}</title>` },
          fields: [['Content-Type', 'text/html']] as const,
        })),
      ),
    })),
  )
  const whole = await (await indexesOver(made)).captureIndexFor({ all: true })
  onTestFinished(() => whole.close())
  return whole
}

const shownTo =
  (hidden: ReadonlySet<string>): IsShown =>
  ({ job, url }) =>
    !hidden.has(`${job} ${url}`)
const hidden = fc.subarray(jobs.flatMap((job) => urls.map((url) => `${job} ${url}`))).map((places) => new Set(places))
const url = fc.constantFrom(...urls)
const atMs = fc.integer({ min: startMs, max: startMs + 200 * hourMs })

test('every lookup and list has exactly the captures that are shown', async () => {
  const whole = await openedWhole()
  await fc.assert(
    fc.asyncProperty(hidden, url, atMs, async (hiding, asked, moment) => {
      const isShown = shownTo(hiding)
      const part = partOf(whole, isShown)
      const visible = whole.captures(asked).filter(isShown)
      const nearest = { url: asked, moment: { kind: 'nearest', atMs: moment } } as const
      expect(part.captures(asked)).toEqual(visible)
      expect(part.candidates(nearest, 100)).toEqual(whole.candidates(nearest, 100).filter(isShown))
      expect(part.nearest(nearest)).toEqual(part.candidates(nearest, 1)[0])
      const days = part.timeline(asked).flatMap((year) => year.days)
      expect(days.reduce((sum, day) => sum + day.captures, 0)).toBe(visible.length)
      expect((await part.query({ url: asked, matchType: 'exact', limit: 100 })).captures).toEqual(visible)
      const listed = (await part.urls({ text: '*', match: 'pattern', limit: 100 })).urls
      expect(new Map(listed.map((row) => [row.url, [row.captures, row.lastMs]]))).toEqual(
        new Map(
          urls.flatMap((each) => {
            const of = whole.captures(each).filter(isShown)
            return of.length > 0 ? [[each, [of.length, of.at(-1)?.timestampMs]]] : []
          }),
        ),
      )
      const among = { jobs: [1, 2, 3], limit: 1 }
      expect(part.newestOf(asked, among)).toEqual(visible.slice(-1))
    }),
  )
})

test('what is hidden is not suggested, and a page has the time of a capture that is shown', async () => {
  const whole = await openedWhole()
  const [first] = urls
  const isShown = shownTo(new Set([`3 ${first}`, ...jobs.map((job) => `${job} ${urls[1]}`)]))
  const pages = await partOf(whole, isShown).pages({ text: '', limit: 100 })
  expect(pages.map((page) => page.url)).not.toContain(urls[1])
  const newest = whole.captures(first).findLast(isShown)?.timestampMs
  expect(pages.find((page) => page.url === first)?.timestampMs).toBe(newest)
})

test('a growing index stays current', async () => {
  const growing = Object.create(await openedWhole(), { isGrowing: { get: () => isGrowing } }) as CaptureIndex
  let isGrowing = true
  const part = partOf(growing, () => true)
  expect(part.isGrowing).toBe(true)
  isGrowing = false
  expect(part.isGrowing).toBe(false)
})
