import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArchive, type ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { askOver, viewerOver } from '../testing/viewerFixture.ts'
import type { Viewer } from '../viewer.ts'

/** Requests that get no cross-origin access. For those that do, see `conformance/requests.ts`. */
const [page, url, at] = ['https://page.example', 'http://site.example/', '2020-01-01T00:00:00Z']
const interfaceOrigin = 'http://127.0.0.1:4711'
let made: ArchiveFixture
let viewer: Viewer

beforeAll(async () => {
  made = await createArchive()
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [{ url, at, body: 'x' }] })
  viewer = await viewerOver(made, { allowedOrigins: [interfaceOrigin] })
  await viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

const command = 'http://loupe.viewer.invalid'
test.each([
  ['an archived response', url, page, page],
  ['an archived response, the interface', url, interfaceOrigin, undefined],
  ['the status of the viewer', `${command}/getStatus`, page, undefined],
  ['a memento of the command host', `${command}/memento/20200101000000/${url}`, page, undefined],
  ['a record', `${command}/getRecord?arcFile=1-1-a.warc.gz&arcOffset=0`, page, undefined],
])('grants %s to the permitted origins', async (_, asked, origin, granted) => {
  const { status, headers } = await askOver(viewer.proxy, asked, { headers: { origin } })
  expect([status, headers['access-control-allow-origin']]).toEqual([200, granted])
})
