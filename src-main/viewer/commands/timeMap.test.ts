import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArchive, type ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { askOver, viewerOver } from '../testing/viewerFixture.ts'
import type { Viewer } from '../viewer.ts'
import type { Question } from '../viewings/question.ts'
import { timeMap } from './timeMap.ts'

/** More captures than one page of a TimeMap has. */
const capturesCount = 10_010
const pageCount = 9_000
const url = 'http://often.example/?a=1'
const momentOf = (number: number) => new Date(Date.UTC(2020, 0, 1) + number * 60_000)

let made: ArchiveFixture
let viewer: Viewer

beforeAll(async () => {
  made = await createArchive()
  const rows = Array.from({ length: capturesCount }, (_, number) => ({ url, at: momentOf(number).toISOString() }))
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows })
  await made.add({ name: '2-1-a.warc.gz', job: 2, rows: [{ url, at: momentOf(0).toISOString() }] })
  viewer = await viewerOver(made)
  await viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
}, 60_000)
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

const here = () => `http://${viewer.commandHost}`
const map = async (path: string) => {
  const { status, body } = await askOver(viewer.proxy, `${here()}/timemap/${path}/${url}`)
  return { status, text: body.toString() }
}
/** Returns the link to a page of the TimeMap. */
const mapLink = (path: string, rel: string, [from, until]: [number, number]) =>
  `<${here()}/timemap/link/${path}${url}>; rel="${rel}"; type="application/link-format"; from="${momentOf(from).toUTCString()}"; until="${momentOf(until).toUTCString()}"`
const first: [number, number] = [0, pageCount - 1]
const last: [number, number] = [pageCount, capturesCount - 1]

test('a TimeMap of many captures is divided into pages by time, without gaps', async () => {
  const pages = [await map('link'), await map('link/2')].map(({ text }) => text.trim().split(',\n'))
  expect(pages.map((lines) => lines.slice(2, 4))).toEqual([
    [mapLink('', 'self', first), mapLink('2/', 'timemap', last)],
    [mapLink('', 'timemap', first), mapLink('2/', 'self', last)],
  ])
  const mementos = pages.flatMap((lines) => lines.slice(4))
  expect(mementos.map((line) => /datetime="(.*)"/.exec(line)?.[1])).toEqual(
    Array.from({ length: capturesCount }, (_, number) => momentOf(number).toUTCString()),
  )
  const named = mementos.flatMap((line, at) => (/rel="(?:first|last) memento"/.test(line) ? [at] : []))
  expect(named).toEqual([0, capturesCount - 1])
  expect(await map('link/1')).toEqual(await map('link'))
})

test('has the same pages in JSON', async () => {
  const read = async (path: string) => JSON.parse((await map(path)).text) as { mementos: { list: { uri: string }[] } }
  const second = await read('json/2')
  expect(second.mementos.list).toHaveLength(capturesCount - pageCount)
  const iso = (number: number) => momentOf(number).toISOString()
  expect(second).toMatchObject({
    original_uri: url,
    timemap_index: [
      { from: iso(first[0]), until: iso(first[1]), uri: `${here()}/timemap/json/${url}` },
      { from: iso(last[0]), until: iso(last[1]), uri: `${here()}/timemap/json/2/${url}` },
    ],
  })
  expect((await read('json')).mementos.list).toHaveLength(pageCount)
})

test('has no page after the last, and only one for few captures', async () => {
  expect(await map('link/3')).toEqual({ status: 404, text: 'There is no page 3. Pages are numbered from 1 to 2.\n' })
  expect((await map('link/0')).status).toBe(400)
  await viewer.open({ jobs: [2], moment: { kind: 'newest' }, withinMs: undefined })
  expect((await map('link')).text.trim().split(',\n').slice(2)).toEqual([
    mapLink('', 'self', [0, 0]),
    expect.stringContaining('rel="first last memento"'),
  ])
  expect((await map('json')).text).not.toContain('timemap_index')
})

test('escapes the original URL in the URLs of a JSON TimeMap', async () => {
  const index = { parts: async () => [{ fromMs: 0, toMs: 0 }], query: async () => ({ captures: [] }) }
  const question = { shown: { index } } as unknown as Question
  const reply = await timeMap(question, { url: 'http://a.example/a "b"', format: 'json', page: 1 })
  if (!(reply?.body instanceof Uint8Array)) throw new Error('the TimeMap is in memory')
  expect(JSON.parse(Buffer.from(reply.body).toString())).toMatchObject({
    original_uri: 'http://a.example/a "b"',
    timegate_uri: `${here()}/timegate/http://a.example/a%20%22b%22`,
  })
})
