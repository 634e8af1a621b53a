import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordWhole } from '../../contract/services/records.ts'
import { realWorld } from '../../world/real.ts'
import { madeAnswer, madeInfo, madeRecord, packed } from '../testing/recordFixtures.ts'
import { recordLists } from './recordLists.ts'

let folder: string
const lists = recordLists(realWorld())

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-records-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function written(file: string, bytes: Uint8Array) {
  const path = join(folder, file)
  await writeFile(path, bytes)
  return { file, path }
}

const records = Array.from({ length: 25 }, (_, index) =>
  index === 0
    ? madeInfo()
    : index % 5 === 0
      ? madeRecord({ type: 'request', url: `http://a.example/${index}`, block: `GET /${index} HTTP/1.1\r\n\r\n` })
      : madeAnswer(`http://a.example/${index}`, `page ${index}`),
)

describe('lists page by page', () => {
  const forms = {
    'plain.warc': Buffer.concat(records),
    'packed.warc.gz': packed(...records),
    'one-member.warc.gz': gzipSync(Buffer.concat(records)),
  }
  test.each(Object.entries(forms))('%s: every record once, whatever the length of a page', async (file, bytes) => {
    const copy = await written(file, bytes)
    for (const limit of [1, 7, 25, 500]) {
      const numbers: number[] = []
      let after = 0
      for (;;) {
        const { rows, next } = await lists.page(copy, { after, limit, type: undefined })
        expect(rows.length).toBeLessThanOrEqual(limit)
        numbers.push(...rows.map(({ number }) => number))
        if (next === null) break
        after = next
      }
      expect(numbers).toEqual(records.map((_, index) => index + 1))
    }
  })
  test('a page in the middle is correct without the pages before it', async () => {
    const copy = await written('late.warc.gz', packed(...records))
    const { rows, next } = await recordLists(realWorld()).page(copy, { after: 20, limit: 2, type: undefined })
    expect(rows.map(({ number, url }) => [number, url])).toEqual([
      [21, 'http://a.example/20'],
      [22, 'http://a.example/21'],
    ])
    expect(next).toBe(22)
  })
  test('lists one record type only', async () => {
    const copy = await written('types.warc.gz', packed(...records))
    const { rows, next } = await lists.page(copy, { after: 6, limit: 2, type: 'request' })
    expect(rows.map(({ number, type }) => [number, type])).toEqual([
      [11, 'request'],
      [16, 'request'],
    ])
    expect(next).toBeGreaterThanOrEqual(16)
  })
  test('a row contains the fields of its record', async () => {
    const copy = await written('rows.warc.gz', packed(...records))
    const { rows, findings } = await lists.page(copy, { after: 0, limit: 6, type: undefined })
    expect(findings).toEqual([])
    expect(rows[0]).toMatchObject({ type: 'warcinfo', offset: 0, url: null, status: null, findings: 0 })
    expect(rows[0]?.mediaType).toBe('application/warc-fields')
    expect(rows[1]).toMatchObject({ type: 'response', status: 200, mediaType: 'text/html', addressable: true })
    expect(rows[1]?.offset).toBe(rows[0]?.length)
    expect(rows[1]?.date).toMatch(/^2026-11-20T12:00:\d\dZ$/)
    expect(rows[5]).toMatchObject({ type: 'request', status: null, mediaType: 'application/http' })
  })
  test('findings have their rule and position', async () => {
    const [info, first] = [packed(madeInfo()), packed(madeAnswer('http://a.example/', 'x'))]
    const junk = Buffer.from('this is no record\n')
    const copy = await written('junk.warc.gz', Buffer.concat([info, junk, first]))
    const { rows, findings } = await lists.page(copy, { after: 0, limit: 10, type: undefined })
    expect(rows.map(({ type, number }) => [type, number])).toEqual([
      ['warcinfo', 1],
      ['response', 2],
    ])
    expect(findings[0]).toMatchObject({ severity: 'error', file: 'junk.warc.gz', offset: info.length })
    expect(findings[0]?.means.code).toMatch(/^rule\./)
  })
})

describe('one whole record', () => {
  async function shown(record: Uint8Array, file = 'whole.warc.gz') {
    const info = packed(madeInfo())
    const copy = await written(file, Buffer.concat([info, packed(record)]))
    const whole = await lists.whole(copy, { offset: info.length, number: 2 })
    // Parses the complete shape of the contract.
    return recordWhole.parse({ ...whole, job: null, replicas: [] })
  }

  test('returns header, HTTP head, text and digests', async () => {
    const whole = await shown(madeAnswer('http://a.example/', '<p>grüße</p>', 'Content-Type: text/html; charset=utf-8'))
    expect(whole).toMatchObject({ number: 2, format: 'warc', version: 'WARC/1.1', status: 200, text: '<p>grüße</p>' })
    expect(whole.http).toEqual({
      firstLine: 'HTTP/1.1 200 OK',
      fields: [['Content-Type', 'text/html; charset=utf-8']],
    })
    expect(whole.fields.map(([name]) => name)).toContain('WARC-Target-URI')
    expect(whole.digests.map(({ of, verdict }) => [of, verdict])).toContainEqual(['block', 'right'])
    expect(whole.hex).toBe(Buffer.from('<p>grüße</p>').toString('hex'))
    expect(whole).toMatchObject({ payloadBytes: 14, payloadCut: false, isImage: false })
  })
  test('decodes transfer and content codings', async () => {
    const body = brotliCompressSync('a page')
    const chunked = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
    const head = 'Content-Type: text/plain\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked'
    expect(await shown(madeAnswer('http://a.example/', chunked, head))).toMatchObject({ text: 'a page' })
  })
  test('decodes text by its charset, and shows undecodable bytes as such', async () => {
    const latin = Buffer.from('gr\u00fc\u00dfe', 'latin1')
    const head = 'Content-Type: text/plain; charset=iso-8859-1'
    expect((await shown(madeAnswer('http://a.example/', latin, head))).text).toBe('grüße')
    const bytes = Buffer.from([1, 2, 3, 0, 255])
    expect(await shown(madeAnswer('http://a.example/', bytes))).toMatchObject({ text: null, hex: '01020300ff' })
    expect(await shown(madeAnswer('http://a.example/', ''))).toMatchObject({ text: null, hex: '', payloadBytes: 0 })
  })
  test('recognises images by their bytes, and SVG by its root element', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    expect(await shown(madeAnswer('http://a.example/', png))).toMatchObject({ isImage: true, text: null })
    const svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'
    expect(await shown(madeAnswer('http://a.example/', svg))).toMatchObject({ isImage: true, text: svg })
    const html = '<html><svg></svg></html>'
    expect(await shown(madeAnswer('http://a.example/', html))).toMatchObject({ isImage: false })
    // As in getPayload: detected after a comment too, and not by its media type.
    const commented = `<!-- drawn by hand -->${svg}`
    expect(await shown(madeAnswer('http://a.example/', commented))).toMatchObject({ isImage: true })
    const disguised = madeAnswer('http://a.example/', '<html><script>alert(1)</script>', 'Content-Type: image/svg+xml')
    expect(await shown(disguised)).toMatchObject({ mediaType: 'image/svg+xml', isImage: false })
  })
  test('cuts large payloads, and verifies their digests over all bytes', async () => {
    const page = 'ä'.repeat(10 * 1024 * 1024)
    const whole = await shown(madeAnswer('http://a.example/', page, 'Content-Type: text/plain; charset=utf-8'))
    expect(whole.payloadCut).toBe(true)
    expect(whole.payloadBytes).toBe(8 * 1024 * 1024)
    expect(whole.text).toBe('ä'.repeat(32 * 1024))
    expect(whole.hex.length).toBe(2 * 4096)
    expect(whole.digests[0]).toMatchObject({ of: 'block', verdict: 'right' })
  })
  test('a digest that does not match is a finding', async () => {
    const fields: [string, string][] = [['WARC-Payload-Digest', 'sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']]
    const block = 'HTTP/1.1 200 OK\r\n\r\nx'
    const whole = await shown(madeRecord({ type: 'response', url: 'http://a.example/', block, fields }))
    expect(whole.digests).toContainEqual(expect.objectContaining({ of: 'payload', verdict: 'wrong' }))
    expect(whole.findingList).toContainEqual(expect.objectContaining({ rule: 'payloadDigestWrong', record: 2 }))
  })
  test('records that share a member are distinguished by their number', async () => {
    const copy = await written('shared.warc.gz', gzipSync(Buffer.concat(records)))
    for (const number of [1, 2, 25])
      expect(await lists.whole(copy, { offset: 0, number })).toMatchObject({
        number,
        url: number === 1 ? null : `http://a.example/${number - 1}`,
      })
    expect(await lists.whole(copy, { offset: 0, number: undefined })).toMatchObject({ number: null, type: 'warcinfo' })
  })
  test('an offset without a record is a fault notFound', async () => {
    const copy = await written('nothing.warc.gz', packed(madeInfo()))
    for (const offset of [3, 1_000_000])
      for (const number of [undefined, 2])
        await expect(lists.whole(copy, { offset, number })).rejects.toMatchObject({
          code: 'notFound',
          message: `No record begins at offset ${offset} in nothing.warc.gz.`,
        })
    const shared = await written('shared-not.warc.gz', gzipSync(Buffer.concat(records)))
    await expect(lists.whole(shared, { offset: 0, number: 26 })).rejects.toMatchObject({ code: 'notFound' })
  })
})
