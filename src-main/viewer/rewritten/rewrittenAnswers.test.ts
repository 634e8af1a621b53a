import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArchive, type ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { rewrittenOver, viewerOver } from '../testing/viewerFixture.ts'
import type { Viewer } from '../viewer.ts'

const at = '2024-02-29T12:30:05Z'
const page = 'http://site.example/'

let made: ArchiveFixture
let viewer: Viewer
let rewritten: Awaited<ReturnType<typeof rewrittenOver>>

beforeAll(async () => {
  made = await createArchive()
  const html = [['Content-Type', 'text/html']] as const
  const rows = [
    { url: page, at, fields: html, body: 'the page' },
    { url: page, at: '2023-01-01T00:00:00Z', fields: html, body: 'the page before' },
    { url: `${page}coded`, at, fields: [...html, ['Content-Encoding', 'gzip']] as const, body: gzipSync('decoded') },
    { url: `${page}moved`, at, status: 301, fields: [['Location', '/']] as const, body: '' },
    { url: `${page}film`, at, fields: [['Content-Type', 'video/webm']] as const, body: '0123456789' },
  ]
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows })
  // Others reach the proxy, so that every connection to it has to log in.
  viewer = await viewerOver(made, { needsCredentials: true })
  await viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined, isExact: false, overlays: [] })
  rewritten = await rewrittenOver(viewer)
})
afterAll(async () => {
  await rewritten.close()
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

test('the capture that the proxy shows, with its time', async () => {
  const answer = await rewritten.ask(page)
  expect(await answer.text()).toBe('the page')
  expect(answer.headers.get('memento-datetime')).toBe(new Date(at).toUTCString())
})

test('content is decoded, and a range counts decoded bytes', async () => {
  const coded = await rewritten.ask(`${page}coded`, { headers: { 'accept-encoding': 'gzip' } })
  expect([coded.headers.get('content-encoding'), await coded.text()]).toEqual([null, 'decoded'])
  const part = await rewritten.ask(`${page}film`, { headers: { range: 'bytes=3-5' } })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 3-5/10', '345'])
})

test('a redirect is one of the page, not of the worker', async () => {
  const answer = await rewritten.ask(`${page}moved`)
  expect([answer.status, answer.headers.get('x-redirect-status')]).toEqual([200, '301'])
  expect(answer.headers.get('x-orig-location')).toBe(page)
})

test('what is missing is recorded in the list of the shared viewing, with the page that the worker names', async () => {
  const url = `${page}absent.png`
  const headers = { 'x-proxy-referer': page, accept: 'image/avif,image/*', 'sec-fetch-dest': 'empty', cookie: 'a=1' }
  const answer = await rewritten.ask(url, { headers })
  expect([answer.status, answer.headers.get('x-loupe')]).toEqual([404, 'not-in-archive'])
  // No links to commands: all archived pages have one origin here.
  expect(await answer.text()).not.toContain('href')
  const missed = viewer.misses(viewer.current()?.view ?? 0)
  expect(missed).toMatchObject([{ url, referrer: page, viewing: '', resourceType: 'image', method: 'GET' }])
})

const refused: [string, string][] = [
  ['a command that reads', 'http://loupe.viewer.invalid/getStatus'],
  ['a command under the name of NetarchiveSuite', 'http://viewerproxy.invalid/getRecordedURIs'],
  ['a command whose name has escapes', 'http://loupe.viewer.%69nvalid/getStatus'],
  ['a URL of another scheme', 'ftp://site.example/'],
  ['a path', 'page'],
]
for (const [what, url] of refused)
  test(`refuses ${what}`, async () => {
    const answer = await rewritten.ask(url)
    expect([answer.status, answer.headers.get('x-loupe')]).toEqual([404, null])
    expect(viewer.misses(viewer.current()?.view ?? 0).map((miss) => miss.url)).not.toContain(url)
  })

test('another method finds no capture of the page, and its content is read', async () => {
  const answer = await rewritten.ask(`${page}form`, { method: 'POST', body: 'q=1' })
  expect(answer.status).toBe(404)
  expect(viewer.misses(viewer.current()?.view ?? 0)).toMatchObject([{}, { url: `${page}form`, method: 'POST' }])
})
