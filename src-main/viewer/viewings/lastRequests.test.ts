/** An explanation uses the request as it was made: its content, range and date, and the session that made it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArchive, type ArchiveFixture, type Row } from '../../indexes/testing/archiveFixture.ts'
import { openLastRequests } from './lastRequests.ts'
import { answersMax, sentKeptBytesMax } from '../model/limits.ts'
import { askOver, viewerOver, type Asking, operator } from '../testing/viewerFixture.ts'
import type { Question } from './question.ts'
import type { Viewer } from '../viewer.ts'

const url = 'http://site.example/search'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const text = [['Content-Type', 'text/plain']] as const
const at = (second: number) => `2024-02-29T12:30:${String(second).padStart(2, '0')}Z`

/** The records of a response and of the request with this content. */
const posted = (second: number, content: string): Row[] => [
  { url, at: at(second), fields: text, body: `of ${content}` },
  {
    ...{ url, at: at(second), type: 'request', contentType: 'application/http;msgtype=request' },
    block: Buffer.from(
      `POST /search HTTP/1.1\r\nHost: site.example\r\nContent-Type: ${form['content-type']}\r\nContent-Length: ${content.length}\r\n\r\n${content}`,
    ),
  },
]

describe('over an archive', () => {
  let made: ArchiveFixture
  let viewer: Viewer
  beforeAll(async () => {
    made = await createArchive()
    const page: Row = { url: 'http://site.example/', at: at(1), fields: text, body: 'the page of 2024' }
    await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [...posted(1, 'q=cats'), ...posted(2, 'q=dogs'), page] })
    await made.add({ name: '2-1-a.warc.gz', job: 2, rows: [{ ...page, body: 'of job 2' }] })
    viewer = await viewerOver(made)
    await viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
  })
  afterAll(async () => {
    await viewer.close()
    await made[Symbol.asyncDispose]()
  })
  /** Sends a request and returns the number of its reply. */
  const ask = async (address: string, asking: Asking) => {
    await askOver(viewer.proxy, address, asking)
    return viewer.answers(0).at(-1)?.id
  }
  const explain = (method: string, answer?: number, address = url) =>
    viewer.explain({ url: address, method, isPage: false, answer }, operator)

  test('explains a request with the content that it sent', async () => {
    const cats = await ask(url, { method: 'POST', headers: form, content: 'q=cats' })
    const dogs = await ask(url, { method: 'POST', headers: form, content: 'q=dogs' })
    const mice = await ask(url, { method: 'POST', headers: form, content: 'q=mice' })
    const found = (second: number) => ({ isMissing: false, candidates: [{ isUsed: true, capture: { timestampMs: Date.parse(at(second)) } }] }) // prettier-ignore
    expect(await explain('POST', cats)).toMatchObject({ ...found(1), key: expect.stringContaining('q=cats') as string })
    expect(await explain('POST', dogs)).toMatchObject({ ...found(2), key: expect.stringContaining('q=dogs') as string })
    expect(await explain('POST', mice)).toMatchObject({ isMissing: true, answeredBy: 'missing', candidates: [] })
    // A finding has no reply number: it refers to the latest such request.
    expect(await explain('POST')).toMatchObject({ isMissing: true, key: expect.stringContaining('q=mice') as string })
  })

  test('refuses requests that were not made or were too large to be kept, with the reason', async () => {
    const refusal = /the content of this PUT request is no longer stored/
    await expect(explain('PUT')).rejects.toThrow(refusal)
    const long = await ask(url, { method: 'PUT', headers: form, content: 'x'.repeat(2_000_000) })
    await expect(explain('PUT', long)).rejects.toThrow(refusal)
  })

  test('explains a request with its own range, condition and date', async () => {
    const page = 'http://site.example/'
    const part = await ask(page, { headers: { range: 'bytes=4-7' } })
    expect(await explain('GET', part, page)).toMatchObject({
      sent: { status: 206, fields: expect.arrayContaining([['Content-Range', 'bytes 4-7/16']]) as unknown },
    })
    const beyond = await ask(page, { headers: { range: 'bytes=99-' } })
    expect((await explain('GET', beyond, page))?.sent.status).toBe(416)
    const tag = (await askOver(viewer.proxy, page)).headers.etag ?? ''
    const unchanged = await ask(page, { headers: { 'if-none-match': tag } })
    expect((await explain('GET', unchanged, page))?.sent.status).toBe(304)
    const head = await ask(page, { method: 'HEAD' })
    expect(await explain('HEAD', head, page)).toMatchObject({ method: 'HEAD', sent: { status: 200 } })
    expect((await explain('GET', undefined, page))?.sent.status).toBe(200)
  })

  test('explains a reply of a viewing session in that session, as long as it exists', async () => {
    const page = 'http://site.example/'
    const own = await viewer.openOwn({ jobs: [2], moment: { kind: 'newest' }, withinMs: undefined }, page)
    const answer = await ask(page, { as: own })
    expect(await explain('GET', answer, page)).toMatchObject({ view: { jobs: [2] }, candidates: [{ capture: { job: 2 } }] }) // prettier-ignore
    expect(await explain('GET', undefined, page)).toMatchObject({ view: { jobs: [1] } })
    viewer.leave(own.user)
    await expect(explain('GET', answer, page)).rejects.toThrow('The viewing that made this request was closed.')
  })
})

test('keeps the newest requests within the limits', async () => {
  const requests = openLastRequests()
  const sent = new Uint8Array(sentKeptBytesMax / 4)
  const question = (method: string, content: Uint8Array) =>
    ({ ...{ method, url, fields: {}, viewing: { user: '' } }, content: async () => content }) as unknown as Question
  for (let id = 1; id <= 6; id += 1) requests.note(id, question('POST', sent))
  await Promise.resolve()
  const kept = [1, 2, 3, 4, 5, 6].map((answer) => requests.of({ answer, method: 'POST', url })?.content?.length)
  expect(kept).toEqual([undefined, undefined, ...Array<number>(4).fill(sent.length)])
  for (let id = 7; id <= answersMax + 3; id += 1) requests.note(id, question('GET', new Uint8Array(0)))
  expect(requests.of({ answer: 3, method: 'POST', url })).toBeUndefined()
  expect(requests.of({ answer: 4, method: 'POST', url })).toBeDefined()
  // Requests that were dropped from the ring buffer free their space.
  for (let id = 10_000; id < 10_004; id += 1) requests.note(id, question('POST', sent))
  await Promise.resolve()
  expect(requests.of({ answer: 10_000, method: 'POST', url })?.content).toBeDefined()
})
