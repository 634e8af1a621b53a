import { sourceOf } from '../../formats/bytes/testing/sourceOf.ts'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parseCdxjLine } from '../../formats/cdx/cdxj.ts'
import { newSigningKey, proveSignature, publicKeyOf } from '../../formats/wacz/signature.ts'
import { openWacz } from '../../formats/wacz/wacz.ts'
import { entryChunks, zipEntry } from '../../formats/wacz/zip.ts'
import type { ExportInput, WaczForm } from './export.ts'
import { textOf } from '../../contract/words/render.ts'
import { dateOf, record, answer, pageRecord, packed, type Given, exported, info } from './testing/exportFixture.ts'

describe('CSV tables', () => {
  test('a row for each capture, with its position', async () => {
    const first = gzipSync(info('i'))
    const file = Buffer.concat([
      first,
      packed(answer('a', 'http://a.test/?q=1,2'), record({ type: 'request', id: 'q', url: 'http://a.test/' })),
    ])
    const { outcome, bytes } = await exported({ 'a.warc.gz': file }, { form: { format: 'csv' } })
    expect(outcome).toMatchObject({ kind: 'written', records: 1, complete: true })
    const length = gzipSync(answer('a', 'http://a.test/?q=1,2')).length
    const [header, row] = bytes.toString('utf8').split('\r\n')
    expect(header).toBe('url,timestamp,status,media type,digest,bytes,file,offset,job')
    expect(row?.replace(/sha1:\w+/, 'D')).toBe(
      `"http://a.test/?q=1,2",${dateOf(0)},200,text/html,D,${length},a.warc.gz,${first.length},7`,
    )
  })
})

test('reports for a table too that all selected records are damaged', async () => {
  const torn = packed(answer('a', 'http://a.test/')).subarray(0, -40)
  const { outcome, left } = await exported({ a: torn }, { form: { format: 'csv' } })
  expect(outcome).toMatchObject({
    kind: 'failed',
    code: 'damaged',
    problem: { code: 'export.lost.damaged' },
  })
  expect(left).toEqual([])
})

describe('WACZ packages', () => {
  const page = (head: string, body: Uint8Array) =>
    Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), body])
  const records = [
    info('i'),
    pageRecord('late', 'http://a.test/late', 20, page('Content-Type: text/html', Buffer.from('<title>Late</title>'))),
    pageRecord(
      'early',
      'http://a.test/',
      10,
      page('Content-Type: text/html; charset=windows-1252', Buffer.from('<title>Caf\xe9</title>', 'latin1')),
    ),
    pageRecord(
      'packed',
      'http://b.test/',
      30,
      page('Content-Type: text/html\r\nContent-Encoding: gzip', gzipSync('<title>Packed</title>')),
    ),
    pageRecord('untitled', 'http://a.test/untitled', 40, page('Content-Type: text/html', Buffer.from('x'))),
    pageRecord(
      'lost',
      'http://a.test/lost',
      50,
      Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<title>No</title>'),
    ),
    pageRecord('style', 'http://a.test/style.css', 60, page('Content-Type: text/css', Buffer.from('a{}'))),
  ]
  const form = (more: Partial<WaczForm> = {}): ExportInput['form'] => ({
    format: 'wacz',
    version: '1.1.1',
    title: 'Job 7',
    beginAt: [],
    key: undefined,
    ...more,
  })

  async function packageOf(given: Given) {
    const { outcome, bytes, left } = await exported({ 'a.warc.gz': packed(...records) }, given)
    expect(outcome).toMatchObject({ kind: 'written', complete: true, bytes: bytes.length })
    expect(left).toEqual(['new'])
    const odd: string[] = []
    const wacz = await openWacz(sourceOf(bytes), bytes.length, ({ message }) => odd.push(textOf(message)))
    const entry = async (path: string) => {
      const found = zipEntry(wacz.zip, path)
      if (!found) throw new Error(`there is no ${path}`)
      const chunks: Uint8Array[] = []
      for await (const chunk of entryChunks(wacz.zip, found, ({ message }) => odd.push(textOf(message))))
        chunks.push(chunk)
      return Buffer.concat(chunks)
    }
    expect(odd).toEqual([])
    return { wacz, entry }
  }

  test('pages are HTML with status 200 in the order of their times, with titles in any charset and coding', async () => {
    const { entry } = await packageOf({ form: form() })
    const lines = (await entry('pages/pages.jsonl')).toString('utf8').trim().split('\n')
    expect(lines.slice(1).map((line) => JSON.parse(line) as unknown)).toEqual([
      { url: 'http://a.test/', ts: dateOf(10), title: 'Café' },
      { url: 'http://a.test/late', ts: dateOf(20), title: 'Late' },
      { url: 'http://b.test/', ts: dateOf(30), title: 'Packed' },
      { url: 'http://a.test/untitled', ts: dateOf(40) },
    ])
  })

  test.each([
    [[], 'http://a.test/', dateOf(10)],
    [['http://c.test/', 'https://www.b.test'], 'http://b.test/', dateOf(30)],
  ])('for crawls that began at %j it opens %s', async (beginAt, url, ts) => {
    for (const version of ['1.1.1', '1.2.0'] as const) {
      const { wacz } = await packageOf({ form: form({ beginAt, version }) })
      expect(wacz.dataPackage).toMatchObject({ version, title: 'Job 7', home: { url, ts } })
    }
  })

  test('every index line points at its record', async () => {
    const { entry } = await packageOf({ form: form() })
    const data = await entry('archive/data.warc.gz')
    const lines = gunzipSync(await entry('indexes/index.cdx.gz'))
      .toString('utf8')
      .trim()
      .split('\n')
    const captures = lines.map((line) => parseCdxjLine(line))
    expect(captures.map((capture) => capture?.url).toSorted()).toEqual(
      ['', 'late', 'lost', 'style.css', 'untitled'].map((path) => `http://a.test/${path}`).concat('http://b.test/'),
    )
    for (const capture of captures) {
      const { offset = 0, length = 0, url = '?', filename } = capture ?? {}
      expect(filename).toBe('data.warc.gz')
      expect(gunzipSync(data.subarray(offset, offset + length)).toString('latin1')).toContain(
        `WARC-Target-URI: ${url}\r\n`,
      )
    }
  })

  test('a signed package verifies against its key', async () => {
    const key = newSigningKey()
    const { entry } = await packageOf({ form: form({ key }) })
    const { hash, signedData } = JSON.parse((await entry('datapackage-digest.json')).toString('utf8')) as {
      hash: string
      signedData: Record<string, unknown>
    }
    expect(proveSignature(signedData, hash)).toMatchObject({ result: 'right', by: publicKeyOf(key) })
  })
})
