import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArchive, type ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import type { AccessRule } from '../model/accessRules.ts'
import { titleCharactersMax, titlesAtOnce } from '../model/limits.ts'
import { viewerOver } from '../testing/viewerFixture.ts'
import type { TitlesRead } from './pageList.ts'
import type { Chosen, Viewer } from '../viewer.ts'

const pagesCount = titlesAtOnce * 2 + 50
const at = '2020-01-01T00:00:00Z'
const url = (name: string) => `http://site.example/${name}`
const titled = (name: string, title: string) => ({ url: url(name), at, body: `<!doctype html><title>${title}</title>` })
const job = (number: number): Chosen => ({ jobs: [number], moment: { kind: 'newest' }, withinMs: undefined })
let made: ArchiveFixture
let viewer: Viewer
const rules: AccessRule[] = []
const problems: unknown[] = []

beforeAll(async () => {
  made = await createArchive()
  const pages = Array.from({ length: pagesCount }, (_, number) => titled(`page-${1000 + number}`, `Story ${number}`))
  const special = [
    titled('far-behind-all-others', 'The Needle &amp; the Hay'),
    titled('needle', 'Of another name'),
    titled('secret-thing', 'A needle in secret'),
    titled('endless', 'x'.repeat(1_000)),
    { url: url('untitled'), at, body: '<!doctype html><p>no title' },
  ]
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [...pages, ...special] })
  await made.add({ name: '2-1-a.warc.gz', job: 2, rows: [titled('other', 'Of another job')] })
  viewer = await viewerOver(made, { accessRules: () => rules, onProblem: (error) => problems.push(error) })
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

const asked = async (text: string, limit = 10) => {
  const listed = await viewer.pages({ text, offset: 0, limit })
  return listed?.rows.map((row) => [row.url, row.title])
}

/** Resolves with all progress reports once the titles of all pages are read. A list is empty before its pages are known. */
function allRead(): Promise<TitlesRead[]> {
  const told: TitlesRead[] = []
  return new Promise((resolve) => {
    const end = viewer.onTitlesRead((titles) => {
      told.push(titles)
      if (titles.total === 0 || titles.read < titles.total) return
      end()
      resolve(told)
    })
  })
}

test('lists no pages when no view is open', async () => {
  expect(await viewer.pages({ text: '', offset: 0, limit: 1 })).toBeUndefined()
})

test('finds a title as soon as it is read, after URLs that contain the text', async () => {
  await viewer.open(job(1))
  const reading = allRead()
  const total = pagesCount + 5
  const first = await viewer.pages({ text: '', offset: 3, limit: 2 })
  expect(first).toMatchObject({ total, titles: { read: 2, total } })
  const told = await reading
  expect(told.map(({ read }) => read)).toEqual(told.map(({ read }) => read).toSorted((a, b) => a - b))
  expect(told.at(-1)).toEqual({ read: total, total })
  expect(told.length).toBeGreaterThanOrEqual(3)
  expect(await asked(' NEEDLE')).toEqual([
    [url('needle'), 'Of another name'],
    [url('secret-thing'), 'A needle in secret'],
    [url('far-behind-all-others'), 'The Needle & the Hay'],
  ])
  expect(await asked('story 249')).toEqual([[url('page-1249'), 'Story 249']])
  expect(await viewer.pages({ text: 'story', offset: 248, limit: 50 })).toMatchObject({
    total: pagesCount,
    rows: [{ title: 'Story 248' }, { title: 'Story 249' }],
  })
  expect(await asked('endless')).toEqual([[url('endless'), 'x'.repeat(titleCharactersMax)]])
  expect(await asked('untitled')).toEqual([[url('untitled'), null]])
})

test('does not find excluded pages by their titles either', async () => {
  rules.push({ surtPrefix: 'example,site)/secret', effect: 'exclude' })
  expect((await asked('needle'))?.map(([found]) => found)).toEqual([url('needle'), url('far-behind-all-others')])
  rules.pop()
})

test('when another view is opened or closed, reading titles stops without a problem', async () => {
  await viewer.open(job(1))
  const listed = viewer.pages({ text: '', offset: 0, limit: 1 })
  await viewer.open(job(2))
  expect(await listed).toMatchObject({ rows: [{ url: url('needle') }] })
  await viewer.open(job(1))
  await viewer.pages({ text: '', offset: 0, limit: 1 })
  await viewer.close()
  expect(problems).toEqual([])
  viewer = await viewerOver(made)
})

test('a page that was only captured as a revisit has the title of the original', async () => {
  await viewer.open(job(1))
  const payloadDigest = viewer.captures(url('needle'))[0]?.payloadDigest ?? ''
  const warcFields = [['WARC-Payload-Digest', payloadDigest]] as const
  await made.add({ name: '3-1-a.warc.gz', job: 3, rows: [{ url: url('again'), at, type: 'revisit', warcFields }] })
  await viewer.open({ ...job(1), jobs: [1, 3] })
  expect(await asked('again')).toEqual([[url('again'), 'Of another name']])
})

test('a page whose content is in another job is added to the list, with its title', async () => {
  await viewer.open(job(1))
  const payloadDigest = viewer.captures(url('needle'))[0]?.payloadDigest ?? ''
  const warcFields = [
    ['WARC-Payload-Digest', payloadDigest],
    ['WARC-Refers-To-Filename', '1-1-a.warc.gz'],
  ] as const
  await made.add({ name: '4-1-a.warc.gz', job: 4, rows: [{ url: url('unchanged'), at, type: 'revisit', warcFields }] })
  await viewer.open(job(4))
  const told = allRead()
  await viewer.pages({ text: '', offset: 0, limit: 1 })
  expect((await told).at(-1)).toEqual({ read: 1, total: 1 })
  expect(await asked('')).toEqual([[url('unchanged'), 'Of another name']])
})
