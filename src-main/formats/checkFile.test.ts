import { textOf } from '../contract/words/render.ts'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newRecord, recordBytes, type RecordType } from './records/warcWriter.ts'
import type { Finding } from './rules/finding.ts'
import type { RuleName } from './rules/rules.ts'
import { WaczWriter } from './wacz/waczWriter.ts'
import { checkArchiveFile } from './checkFile.ts'
import { FindingTally } from './rules/findingTally.ts'
import {
  answer,
  arcBegin,
  arcRecord,
  body,
  idOf,
  nowMs,
  question,
  sha1Hex,
  warcRecord,
} from './check/testing/recordFixtures.ts'
import { sourceOf } from './bytes/testing/sourceOf.ts'

async function checked(bytes: Uint8Array, name = 'a.warc', source = sourceOf(bytes)) {
  const items: { file: string; record: number | undefined; rules: RuleName[]; findings: Finding[] }[] = []
  for await (const { file, record, findings } of checkArchiveFile(source, { name, bytes: bytes.length, nowMs }))
    items.push({ file, record: record?.number, rules: findings.map(({ rule }) => rule), findings })
  return items
}

const warcinfo = warcRecord('warcinfo')
const response = warcRecord('response', { fields: { 'WARC-Record-ID': idOf(2) } })
const request = warcRecord('request', { fields: { 'WARC-Record-ID': idOf(3) } })

test('checks consecutive records and the bytes between them', async () => {
  const bytes = Buffer.from(`${warcinfo}${response}The monkeys are a coming!\r\n\r\n${request}`)
  expect(await checked(bytes)).toMatchObject([
    { record: 1, rules: [] },
    { record: 2, rules: [] },
    { record: undefined, rules: ['noRecord'], findings: [{ offset: warcinfo.length + response.length }] },
    { record: 3, rules: [] },
  ])
})

test('every finding states its position', async () => {
  const bytes = Buffer.from(
    warcinfo + warcRecord('response', { fields: { 'WARC-Record-ID': idOf(2), 'WARC-Date': 'x' } }),
  )
  const [, second] = await checked(bytes)
  expect(second?.findings).toMatchObject([{ rule: 'dateInvalid', offset: warcinfo.length, record: 2 }])
})

test('checks how records are compressed', async () => {
  const gzip = (text: string) => gzipSync(text)
  const rules = async (...members: Uint8Array[]) =>
    (await checked(Buffer.concat(members), 'a.warc.gz')).flatMap((item) => item.rules)
  expect(await rules(gzip(warcinfo), gzip(response), gzip(request))).toEqual([])
  expect(await rules(gzip(warcinfo + response + request))).toContain('recordsShareMember')
  const half = response.length - 20
  expect(await rules(gzip(warcinfo), gzip(response.slice(0, half)), gzip(response.slice(half)))).toContain(
    'recordSpansMembers',
  )
  const damaged = gzip(response)
  damaged.writeUInt32LE(1, damaged.length - 8)
  expect(await rules(gzip(warcinfo), damaged, gzip(request))).toContain('memberChecksum')
  expect(await rules(gzip(warcinfo), gzip(response).subarray(0, -20))).toContain('memberTorn')
})

test('a file of another kind has one finding that names the kind', async () => {
  const check = async (bytes: Uint8Array, name: string, rule: RuleName, says: RegExp) => {
    const items = await checked(bytes, name)
    expect(items.map(({ rules }) => rules)).toEqual([[rule]])
    expect(items[0]?.findings.map((found) => textOf(found.message))).toEqual([expect.stringMatching(says)])
  }
  await check(Buffer.from('BZh91AY&SY'), 'a.warc.bz2', 'packageWrapped', /bzip2/)
  await check(Buffer.from('hello, world'), 'a.txt', 'notAnArchive', /text/)
  await check(Buffer.from('hello, world'), 'a.warc', 'notAnArchive', /text/)
  await check(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'a.png', 'notAnArchive', /PNG/)
  await check(gzipSync('hello'), 'a.gz', 'notAnArchive', /text, gzip/)
  await check(new Uint8Array(0), 'a.warc', 'fileEmpty', /empty/)
})

test('a file named as an archive with a damaged beginning is read all the same', async () => {
  const items = await checked(Buffer.from(`once upon a time\r\n${warcinfo}${response}`), 'a.warc')
  expect(items.map(({ record, rules }) => [record, rules])).toEqual([
    [undefined, ['noRecord']],
    [1, []],
    [2, []],
  ])
})

test('ARC files', async () => {
  const http = 'HTTP/1.1 200 OK\r\n\r\n<p>'
  const line = `http://a/ 192.0.2.1 20200102030405 text/html ${http.length}`
  const items = await checked(Buffer.from(arcBegin() + arcRecord(line, http)), 'a.arc')
  expect(items.map(({ record, rules }) => [record, rules])).toEqual([
    [1, []],
    [2, []],
  ])
  const dns = arcRecord('dns:a 192.0.2.1 20200102030405 text/dns 5', 'hello')
  const made = async (length: string, end: string, ...expected: RuleName[]) => {
    const bytes = Buffer.from(arcBegin() + arcRecord(line.replace(/\d+$/, length), http, end) + dns)
    const found = await checked(bytes, 'a.arc')
    expect(
      found.flatMap(({ rules }) => rules),
      `${length} ${end}`,
    ).toEqual(expect.arrayContaining(expected))
    expect(found.at(-1)?.record, 'the next record is found').toBe(3)
  }
  await made(String(http.length), '\n')
  await made('long', '\n', 'arcLengthInvalid')
  await made('-1', '\n', 'arcLengthInvalid')
  await made(String(http.length), '', 'recordEndOdd')
  await made(String(http.length - 2), '\n', 'bytesAfterRecord')
  await made(String(http.length + 20), '\n', 'recordInside')
})

test('HAR files are named as such, and their entries are checked', async () => {
  const har = JSON.stringify({
    log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: [{ request: 1 }] },
  })
  const items = await checked(Buffer.from(har), 'a.har')
  expect(items[0]).toMatchObject({ rules: ['harOnlyImported'] })
  expect(items[1]?.rules[0]).toMatch(/^har/)
})

async function waczOf(text: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const append = (bytes: Uint8Array): Promise<void> => Promise.resolve(void chunks.push(Uint8Array.from(bytes)))
  const writer = new WaczWriter(append, { version: '1.1.1', createdAtMs: nowMs, software: 'test/1' })
  const archive = await writer.archive('data.warc')
  await archive.append(Buffer.from(text, 'latin1'))
  await archive.end()
  await writer.index([])
  await writer.pages([])
  await writer.end()
  return Buffer.concat(chunks)
}

test('a WACZ: its records with the path of their file, and the package itself', async () => {
  const wrong = warcRecord('response', { fields: { 'WARC-Record-ID': idOf(2), 'WARC-Block-Digest': sha1Hex('') } })
  const bytes = await waczOf(warcinfo + wrong)
  const items = await checked(bytes, 'a.wacz')
  expect(items.filter(({ record }) => record !== undefined)).toMatchObject([
    { file: 'a.wacz!archive/data.warc', record: 1, rules: [] },
    { file: 'a.wacz!archive/data.warc', record: 2, rules: ['blockDigestWrong'] },
  ])
  const place = bytes.indexOf('software: hand')
  bytes[place] = 0x53
  const changed = (await checked(bytes, 'a.wacz')).filter(({ file }) => file === 'a.wacz')
  expect(changed.flatMap(({ rules }) => rules)).toContain('waczResourceHashWrong')
})

test('files written by Loupe have no finding above a note', () => {
  const types = ['warcinfo', 'response', 'request', 'resource', 'metadata', 'conversion'] as const
  const made = fc.record({
    type: fc.constantFrom<RecordType>(...types),
    dateMs: fc.integer({ min: Date.UTC(1996, 0), max: nowMs }),
    content: fc.uint8Array({ maxLength: 200 }),
    path: fc.webPath(),
  })
  return fc.assert(
    fc.asyncProperty(fc.array(made, { minLength: 1, maxLength: 5 }), async (records) => {
      const bytes = records.flatMap(({ type, dateMs, content, path }, index) => {
        const isHttp = type === 'response' || type === 'request'
        const head = type === 'response' ? `HTTP/1.1 200 OK\r\nContent-Length: ${content.length}\r\n\r\n` : question
        const record = newRecord({
          type,
          id: idOf(index).slice(10, -1),
          dateMs,
          fields: type === 'warcinfo' ? [] : [['WARC-Target-URI', `http://example.com${path}`]],
          contentType: isHttp ? `application/http; msgtype=${type}` : 'text/plain',
          block: isHttp ? [Buffer.from(head), content] : [content],
          ...(isHttp ? { payload: { offset: head.length } } : {}),
        })
        return recordBytes(record)
      })
      const items = await checked(Buffer.concat(bytes))
      expect(items.filter(({ record }) => record !== undefined)).toHaveLength(records.length)
      const findings = items.flatMap((item) => item.findings)
      expect(findings.filter((found) => 'severity' in found && found.severity !== 'note')).toEqual([])
    }),
    { numRuns: 60 },
  )
})

const sample = Buffer.from(
  warcinfo +
    warcRecord('response', {
      fields: { 'WARC-Record-ID': idOf(2), 'WARC-Block-Digest': sha1Hex(answer), 'WARC-Payload-Digest': sha1Hex(body) },
    }) +
    request,
)

test('truncated at every byte, never throws and never invents a record', async () => {
  for (let end = 0; end < sample.length; end++) {
    const items = await checked(sample.subarray(0, end))
    expect(items.filter(({ record }) => record !== undefined).length).toBeLessThanOrEqual(3)
  }
})

test('finds the same when fed byte by byte', async () => {
  for (const bytes of [sample, gzipSync(sample), sample.subarray(0, -30)]) {
    const whole = sourceOf(bytes)
    const slow = { read: (into: Uint8Array, position: number) => whole.read(into.subarray(0, 1), position) }
    // A short read means the end of the file, so each read is filled byte by byte.
    const filled = {
      async read(into: Uint8Array, position: number): Promise<number> {
        let read = 0
        while (read < into.length && (await slow.read(into.subarray(read), position + read)) === 1) read++
        return read
      },
    }
    expect(await checked(bytes, 'a.warc', filled)).toEqual(await checked(bytes))
  }
})

test('random bytes, and random changes of valid files, never make it throw', () =>
  fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 3000 }),
        fc.array(fc.tuple(fc.nat(sample.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }).map((changes) => {
          const bytes = Buffer.from(sample)
          for (const [place, value] of changes) bytes[place] = value
          return bytes
        }),
      ),
      fc.constantFrom('a.warc', 'a.wacz', 'a.arc.gz'),
      async (bytes, name) => void (await checked(bytes, name)),
    ),
    { numRuns: 300 },
  ))

test('the report stays small for any number of findings', async () => {
  const bad = warcRecord('resource', { fields: { 'WARC-Date': 'then' } })
  const tally = new FindingTally(3)
  const bytes = Buffer.from(warcinfo + bad.repeat(50))
  for await (const { findings } of checkArchiveFile(sourceOf(bytes), { name: 'a.warc', bytes: bytes.length, nowMs }))
    for (const found of findings) tally.add(found, 'a.warc')
  expect(tally.counts).toEqual({ errors: 50, warnings: 50, notes: 0 })
  expect(tally.rules()).toMatchObject([
    { rule: 'dateInvalid', severity: 'error', count: 50, first: [{ record: 2 }, { record: 3 }, { record: 4 }] },
    { rule: 'recordIdRepeated', severity: 'warning', count: 50 },
  ])
  expect(tally.rules().every(({ first }) => first.length === 3)).toBe(true)
})
