/** Records that are too large to be read before they are sent and turn out to be damaged midway. The viewer reports the damage once,
 *  with its position, and afterwards treats them as it treats small damaged records. */
import { textOf } from '../../contract/words/render.ts'
import { message, messageFrom } from '../../contract/words/message.ts'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sha1Base32 } from '../../formats/bytes/digest.ts'
import { createArchive, type ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { plain, host, noise, ways, type Way } from '../testing/conformance/case.ts'
import { openWire, type RawReply } from '../testing/conformance/rawClient.ts'
import { askOver, viewerOver, operator } from '../testing/viewerFixture.ts'
import type { Viewer } from '../viewer.ts'

const [y2020, y2021, y2022] = ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z', '2022-01-01T00:00:00Z']
const body = noise()
const damaged = (path: string) => ({ url: `http://${host}${path}`, at: y2022, fields: plain, body })
/** Makes the checksum after the content wrong (RFC 1952, 2.3.1). */
const spoil = (bytes: Buffer) => void bytes.fill(0xaa, bytes.length - 8, bytes.length - 4)
const before = (path: string) => ({ ...damaged(path), at: y2020, body: 'the one before' })
const original = { url: `http://${host}/original`, at: y2020, fields: plain, body }
const revisit = {
  ...({ url: `http://${host}/revisit`, at: y2022, type: 'revisit', fields: plain, body: '' } as const),
  warcFields: [
    ['WARC-Refers-To-Target-URI', original.url],
    ['WARC-Refers-To-Date', y2020],
    ['WARC-Payload-Digest', sha1Base32([body])],
  ] as const,
}

let made: ArchiveFixture
let viewer: Viewer
const problems: string[] = []
const explain = (path: string) =>
  viewer.explain({ url: `http://${host}${path}`, method: 'GET', isPage: false }, operator)
const errorsOf = (path: string) => {
  const { view = 0 } = viewer.current() ?? {}
  return viewer.errors(view).filter(({ url }) => new URL(url).pathname === path)
}

beforeAll(async () => {
  made = await createArchive()
  for (const way of ways) await made.add({ name: `1-1-${way}.warc.gz`, job: 1, rows: [damaged(`/${way}`)], spoil })
  await made.add({ name: '1-2-alone.warc.gz', job: 1, rows: [damaged('/alone')], spoil })
  await made.add({ name: '1-2-original.warc.gz', job: 1, rows: [original], spoil })
  const copy = { ...original, url: `http://mirror.example/copy`, at: y2021 }
  await made.add({ name: '1-3-good.warc.gz', job: 1, rows: [...ways.map((way) => before(`/${way}`)), revisit, copy] })
  viewer = await viewerOver(made, {
    onProblem: (error, failure) => problems.push(textOf(failure(message('text', { text: String(error) })))),
  })
  await viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

async function askBy(way: Way, path: string): Promise<RawReply> {
  const ca = await readFile(viewer.certificate.path, 'latin1')
  const wire = await openWire(way, { ...viewer.proxy, ca })
  try {
    return await wire.ask({ path })
  } finally {
    wire.close()
  }
}

test.each(ways)(
  'over %s the response is cut off and the damage reported, and the next request gets the previous capture',
  async (way) => {
    const path = `/${way}`
    const file = `1-1-${way}.warc.gz`
    const damage = {
      code: 'viewer.record.damaged',
      values: { place: message('viewer.record.place', { file, offset: 0 }) },
    }
    expect(await askBy(way, path)).toMatchObject({ status: 200, isWhole: false })
    expect(errorsOf(path)).toMatchObject([{ kind: 'unreadable', file, offset: 0, times: 1 }])
    expect(errorsOf(path).map(({ detail }) => messageFrom(detail ?? ''))).toMatchObject([damage])
    const problem = `The record in ${file} at offset 0 is damaged.`
    expect(problems.filter((text) => text.includes(problem))).toHaveLength(1)

    const again = await askBy(way, path)
    expect([again.status, again.body.toString(), again.isWhole]).toEqual([200, 'the one before', true])
    expect(errorsOf(path)).toMatchObject([{ times: 2 }])
    expect((await explain(path))?.candidates).toMatchObject([
      { capture: { filename: file }, isUsed: false, why: damage },
      { capture: { filename: '1-3-good.warc.gz' }, isUsed: true, why: null },
    ])
  },
)

test('a URL whose only capture is damaged midway is unreadable, not missing', async () => {
  expect((await askBy('plain', '/alone')).isWhole).toBe(false)
  const again = await askBy('plain', '/alone')
  expect([again.status, again.fields]).toEqual([503, expect.arrayContaining([['X-Loupe', 'unreadable']])])
  expect(viewer.misses(viewer.current()?.view ?? 0)).toEqual([])
})

test('when one original is damaged midway, the revisit uses another original', async () => {
  expect((await askBy('plain', '/revisit')).isWhole).toBe(false)
  expect(errorsOf('/revisit')).toMatchObject([{ file: '1-3-good.warc.gz' }])
  const [detail] = errorsOf('/revisit').map((error) => textOf(messageFrom(error.detail ?? '')))
  expect(detail).toContain('1-2-original.warc.gz at offset 0 is damaged')
  expect((await askBy('plain', '/revisit')).body.equals(body)).toBe(true)
  expect((await explain('/revisit'))?.revisitHops.slice(0, 2)).toMatchObject([
    { capture: { url: original.url }, isUsed: false },
    { capture: { url: 'http://mirror.example/copy' }, isUsed: true },
  ])
})

test('the problem of a truncated record names its position', async () => {
  const asked = `http://${viewer.commandHost}/getRecord?arcFile=1-2-alone.warc.gz&arcOffset=0`
  await expect(askOver(viewer.proxy, asked)).rejects.toThrow('aborted')
  await vi.waitFor(() =>
    expect(problems.at(-1)).toMatch(
      /^http:.*getRecord.* could not be answered\. Error: The record in 1-2-alone\.warc\.gz at offset 0 cannot be decompressed: /,
    ),
  )
})
