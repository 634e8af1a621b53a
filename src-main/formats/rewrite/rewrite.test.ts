import { textOf } from '../../contract/words/render.ts'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { crc32, deflateRawSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import { sha1Base32 } from '../bytes/digest.ts'
import { readRecordAt, readRecords } from '../records/readRecords.ts'
import { recordField } from '../records/record.ts'
import { newRecord, recordBytes } from '../records/warcWriter.ts'
import { Account } from './account.ts'
import { heldBytesMax, type Spool } from './heldBlock.ts'
import { recompress } from './recompress.ts'
import { salvage } from './salvage.ts'
import { strictRecords } from './testing/strictWarc.ts'
import { sampleOf } from '../../world/testing/sample.ts'

function memorySpool(): Spool & { clears: number } {
  let held: Uint8Array[] = []
  return {
    clears: 0,
    clear() {
      held = []
      this.clears++
      return Promise.resolve()
    },
    append: (bytes) => Promise.resolve(void held.push(Uint8Array.from(bytes))),
    async *read(bytes) {
      yield await Promise.resolve(Buffer.concat(held).subarray(0, bytes))
    },
  }
}

interface Read {
  offset: number
  addressable: boolean
  header: string
  block: Buffer
  type: string
  field: (name: string) => string | undefined
}

async function recordsIn(bytes: Uint8Array): Promise<{ records: Read[]; findings: string[] }> {
  const records: Read[] = []
  const findings: string[] = []
  const onFinding = ({ rule, severity }: { rule: string; severity: string }) => {
    if (severity === 'error') findings.push(rule)
  }
  for await (const record of readRecords(sourceOf(bytes), { onFinding })) {
    const header = Buffer.from(record.header).toString('latin1')
    const parts: Uint8Array[] = []
    for await (const part of record.block()) parts.push(part)
    const { offset, addressable, type, fields } = record
    const block = Buffer.concat(parts)
    records.push({ offset, addressable, header, block, type, field: (name) => recordField({ fields }, name) })
    for (const found of (await record.finish()).findings) onFinding(found)
  }
  return { records, findings }
}

async function gathered(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}

async function recompressed(bytes: Uint8Array) {
  const account = new Account()
  const result = await gathered(recompress(sourceOf(bytes), { spool: memorySpool(), account }))
  return { result, account }
}

const origin = { name: 'a.warc', bytes: 0, sha256: '00', software: 'Loupe test' }

async function salvaged(bytes: Uint8Array) {
  const account = new Account()
  const spool = memorySpool()
  const result = await gathered(
    salvage(sourceOf(bytes), { spool, account, origin: { ...origin, bytes: bytes.length }, dateMs: 0 }),
  )
  return { result, account }
}

function record(number: number, block: Uint8Array): Buffer {
  const made = newRecord({
    type: 'resource',
    id: `0f1e2d3c-4b5a-4978-8695-${String(number).padStart(12, '0')}`,
    dateMs: Date.UTC(2020, 0, 1),
    fields: [['WARC-Target-URI', `http://example.org/${number}`]],
    contentType: 'text/plain',
    block: [block],
  })
  return Buffer.concat(recordBytes(made))
}

const forms: { form: string; packed: (records: Buffer[]) => Buffer }[] = [
  { form: 'plain', packed: (records) => Buffer.concat(records) },
  { form: 'a member a record', packed: (records) => Buffer.concat(records.map((bytes) => gzipSync(bytes))) },
  { form: 'one member for all', packed: (records) => gzipSync(Buffer.concat(records)) },
  {
    form: 'a zstd frame a record',
    packed: (records) => Buffer.concat(records.map((bytes) => zstdCompressSync(bytes))),
  },
  {
    form: 'two records a member',
    packed: (records) =>
      Buffer.concat(
        records.flatMap((bytes, index) =>
          index % 2 === 0 ? [gzipSync(Buffer.concat([bytes, records[index + 1] ?? Buffer.alloc(0)]))] : [],
        ),
      ),
  },
]

const blocks = fc.array(fc.uint8Array({ maxLength: 400 }), { minLength: 1, maxLength: 6 })

test.each(forms)(
  'recompressed from $form: each record has its own member and is unchanged byte for byte',
  async ({ packed }) => {
    await fc.assert(
      fc.asyncProperty(blocks, async (all) => {
        const originals = all.map((block, index) => record(index, block))
        const { result, account } = await recompressed(packed(originals))
        const { records, findings } = await recordsIn(result)
        expect(findings).toEqual([])
        expect(records.map(({ header, block }) => header + block.toString('latin1') + '\r\n\r\n')).toEqual(
          originals.map((bytes) => bytes.toString('latin1')),
        )
        expect(records.map(({ addressable }) => addressable)).toEqual(records.map(() => true))
        for (const { offset, header } of records) {
          const again = await readRecordAt(sourceOf(result), offset)
          expect(Buffer.from(again?.header ?? []).toString('latin1')).toBe(header)
        }
        expect(account.records).toBe(all.length)
        expect(account.leftOut.total).toBe(0)
      }),
      { numRuns: 30 },
    )
  },
)

test('copies a header unchanged, whichever program wrote it', async () => {
  const header = 'WARC/0.17\nWARC-Type:resource\nX-Folded: a\n  b\nno field\ncontent-length:  3\nX: h\xe9\n\n'
  const { result } = await recompressed(Buffer.from(`${header}abc\r\n\r\n`, 'latin1'))
  expect(gunzipSync(result).toString('latin1')).toBe(`${header}abc\r\n\r\n`)
})

test('a block larger than memory goes through a temporary file', async () => {
  const bytes = Buffer.alloc(heldBytesMax + 12_345, 'loupe ')
  const originals = [record(0, Buffer.from('small')), record(1, bytes), record(2, Buffer.from('small too'))]
  const account = new Account()
  const spool = memorySpool()
  const source = sourceOf(gzipSync(Buffer.concat(originals), { level: 1 }))
  const result = await gathered(recompress(source, { spool, account }))
  expect(spool.clears).toBe(1)
  const { records, findings } = await recordsIn(result)
  expect(findings).toEqual([])
  expect(records.map(({ block }) => block.length)).toEqual([5, bytes.length, 9])
  expect(records[1]?.block.equals(bytes)).toBe(true)
})

test('recompressing leaves out damaged records and reports their positions', async () => {
  const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = [1, 2, 3].map((number) =>
    gzipSync(record(number, Buffer.from(`page ${number}`))),
  )
  const damaged = Buffer.from(second)
  const crcAt = damaged.length - 8
  damaged[crcAt] = (damaged[crcAt] ?? 0) ^ 1
  const { result, account } = await recompressed(Buffer.concat([first, damaged, third]))
  expect((await recordsIn(result)).records.map(({ block }) => block.toString())).toEqual(['page 1', 'page 3'])
  const to = first.length + second.length
  expect(account.leftOut.items).toMatchObject([{ from: first.length, to, rule: 'memberChecksum' }])
})

const three = [1, 2, 3].map((number) => record(number, Buffer.from(`This is page ${number}.`)))

/** Reads the result with our reader and with a strict one, and expects every record that was read and is missing in the account.
 *  Returns the records, except those about the salvage. */
async function mustBeSound(bytes: Uint8Array): Promise<Read[]> {
  const { result, account } = await salvaged(bytes)
  const { records, findings } = await recordsIn(result)
  expect(findings).toEqual([])
  expect(records.every(({ addressable }) => addressable)).toBe(true)
  const strictly = strictRecords(result)
  expect(strictly.map(({ block }) => block)).toEqual(records.map(({ block }) => block))
  for (const { block, field } of records) {
    const named = field('WARC-Block-Digest')
    // A changed letter may leave the digest the same, in another spelling.
    if (named?.startsWith('sha1:')) expect(named.toLowerCase()).toBe(sha1Base32([block]).toLowerCase())
  }
  expect([records[0]?.type, records.at(-1)?.type]).toEqual(['warcinfo', 'metadata'])
  const left = account.leftOut.items.filter(({ rule }) => /^(type|date)(Missing|Invalid)$/.test(rule))
  expect(records.length - 2 + left.length).toBe((await recordsIn(bytes)).records.length)
  return records.slice(1, -1)
}

test.each(forms.slice(0, 3))(
  '$form, truncated at every byte: keeps everything that is left, in a valid file',
  async ({ packed }) => {
    const bytes = packed(three.slice(0, 2))
    let kept = 0
    for (const length of [...sampleOf([...bytes.keys()]), bytes.length]) {
      const records = await mustBeSound(bytes.subarray(0, length))
      const text = records.map(({ block }) => block.toString()).join('')
      expect('This is page 1.This is page 2.'.startsWith(text)).toBe(true)
      expect(text.length, `cut at ${length}`).toBeGreaterThanOrEqual(kept)
      kept = text.length
    }
    expect(kept).toBe(30)
  },
)

test.each(forms)('$form, with any byte changed: gives a valid file without throwing', async ({ packed }) => {
  const bytes = packed(three.slice(0, 2))
  for (const at of sampleOf([...bytes.keys()])) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 0x11
    await mustBeSound(changed)
  }
})

/** A sample of what `npm run fuzz` does by the hundred thousand (bench/fuzz/rewriting.ts). */
test('damage of every kind in several places gives a valid file, without throwing', async () => {
  const place = fc.nat(1_000_000)
  const damage = fc.record({
    kind: fc.constantFrom('flip', 'cut', 'twice', 'line', 'number'),
    at: place,
    length: fc.integer({ min: 1, max: 90 }),
    line: fc.constantFrom('\r\n', '\n\n', 'WARC-Type: response\r\n', 'WARC/1.0\r\n', 'Content-Length: 7\r\n', '\0'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(damage, { minLength: 1, maxLength: 4 }),
      fc.nat(forms.length - 1),
      async (damages, form) => {
        let bytes = Buffer.concat(three)
        for (const { kind, at: given, length, line } of damages) {
          const at = given % (bytes.length + 1)
          const [before, behind] = [bytes.subarray(0, at), bytes.subarray(at)]
          if (kind === 'flip') bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << (length % 8))
          else if (kind === 'cut') bytes = Buffer.concat([before, behind.subarray(length)])
          else if (kind === 'twice') bytes = Buffer.concat([before, behind.subarray(0, length), behind])
          else if (kind === 'line') bytes = Buffer.concat([before, Buffer.from(line), behind])
          else
            bytes = Buffer.from(
              bytes.toString('latin1').replace(/\d+/g, (digits) => (length % 3 === 0 ? `${digits}1` : digits)),
              'latin1',
            )
          if (bytes.length === 0) bytes = Buffer.from('x')
        }
        await mustBeSound(forms[form]?.packed([bytes]) ?? bytes)
      },
    ),
    { seed: 20_261_120, numRuns: 300 },
  )
})

test('salvages valid records among random bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (noise, isPacked) => {
      const parts = isPacked ? three.map((bytes) => gzipSync(bytes)) : three
      const [first = Buffer.alloc(0), ...others] = parts
      const records = await mustBeSound(Buffer.concat([first, noise, ...others]))
      expect(records.map(({ block }) => block.toString())).toEqual(
        expect.arrayContaining(['This is page 1.', 'This is page 2.', 'This is page 3.']),
      )
    }),
  )
})

test('copies valid records completely; a truncated one states its present and its declared length', async () => {
  const bytes = Buffer.concat(three)
  const torn = bytes.subarray(0, bytes.length - 9)
  const { result, account } = await salvaged(torn)
  const { records } = await recordsIn(result)
  const [info, first, second, third, report] = records
  expect(info?.block.toString()).toContain(
    `salvagedFrom: a.warc\r\nsalvagedFromBytes: ${torn.length}\r\nsalvagedFromSha256: 00`,
  )
  expect(`${first?.header}${first?.block.toString()}\r\n\r\n`).toBe(three[0]?.toString())
  expect(`${second?.header}${second?.block.toString()}\r\n\r\n`).toBe(three[1]?.toString())
  expect(third?.block.toString()).toBe('This is pa')
  const original = sha1Base32([Buffer.from('This is page 3.')])
  expect(third?.header).toBe(
    [
      'WARC/1.1',
      'WARC-Type: resource',
      'WARC-Record-ID: <urn:uuid:0f1e2d3c-4b5a-4978-8695-000000000003>',
      'WARC-Date: 2020-01-01T00:00:00.000Z',
      'WARC-Target-URI: http://example.org/3',
      'Content-Type: text/plain',
      'Original-Content-Length: 15',
      `Original-WARC-Block-Digest: ${original}`,
      'Content-Length: 10',
      `WARC-Block-Digest: ${sha1Base32([Buffer.from('This is pa')])}`,
      'WARC-Truncated: unspecified',
      '',
      '',
    ].join('\r\n'),
  )
  expect(report?.field('WARC-Refers-To')).toBe(info?.field('WARC-Record-ID'))
  const told = JSON.parse(report?.block.toString() ?? '') as Record<string, unknown>
  expect(told).toMatchObject({ source: { name: 'a.warc', sha256: '00' }, records: 3, leftOut: { total: 0 } })
  expect(told.changed).toMatchObject({
    total: account.changed.total,
    items: account.changed.items.map(({ from, rules, messages }) => ({
      from,
      rules,
      text: messages.map(textOf).join(' '),
    })),
  })
  expect(account.changed.items).toMatchObject([{ from: bytes.length - (three[2]?.length ?? 0), rules: ['recordTorn'] }])
})

test.each([
  ['too large, ends where the next record begins', 'Content-Length: 99', undefined],
  ['too small, continues as far as its digest proves', 'Content-Length: 3', undefined],
  ['lost, continues to the next record', 'Content-Length: many', undefined],
  ['lost with the digest, continues to the next record', 'Content-Length: ?\r\nX: ', 'unspecified'],
])('a length that is %s', async (_name, length, truncated) => {
  const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = three
  for (const place of [0, 1, 2]) {
    const lying = [first, second, third].map((bytes, index) => {
      if (index !== place) return bytes
      const text = bytes.toString().replace('Content-Length: 15', length)
      return Buffer.from(truncated === undefined ? text : text.replace('WARC-Block-Digest', 'X'))
    })
    // After the last record nothing shows that a length is too large.
    if (place === 2 && length.endsWith('99')) continue
    const { result, account } = await salvaged(Buffer.concat(lying))
    const { records, findings } = await recordsIn(result)
    expect(findings).toEqual([])
    const saved = records.slice(1, -1)
    expect(saved.map(({ block }) => block.toString())).toEqual([1, 2, 3].map((page) => `This is page ${page}.`))
    expect(saved[place]?.field('WARC-Truncated')).toBe(truncated)
    expect(saved[place]?.field('WARC-Block-Digest')).toBe(sha1Base32([Buffer.from(`This is page ${place + 1}.`)]))
    expect(saved[place]?.field('Original-Content-Length')).toBe(length.replace('Content-Length: ', '').split('\r')[0])
    expect([account.changed.total, account.leftOut.total]).toEqual([1, 0])
  }
})

test('keeps a changed block with a new digest; a wrong gzip checksum with a correct digest is ignored', async () => {
  const bytes = Buffer.concat(three).toString().replace('This is page 2.', 'This is rage 2.')
  const { result, account } = await salvaged(Buffer.from(bytes))
  const { records } = await recordsIn(result)
  expect(records[2]?.block.toString()).toBe('This is rage 2.')
  expect(records[2]?.field('Original-WARC-Block-Digest')).toBe(sha1Base32([Buffer.from('This is page 2.')]))
  expect(records[2]?.field('WARC-Truncated')).toBeUndefined()
  expect(account.changed.items).toMatchObject([{ rules: ['blockDigestWrong'] }])

  const [first = Buffer.alloc(0)] = three
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE((crc32(first) ^ 1) >>> 0, 0)
  trailer.writeUInt32LE(first.length, 4)
  const member = Buffer.concat([gzipSync('').subarray(0, 10), deflateRawSync(first), trailer])
  const again = await salvaged(member)
  expect(again.account.changed.total).toBe(0)
  expect(again.account.findings.items.map(({ rule }) => rule)).toContain('memberChecksum')
})

test('lists bytes that belong to no record with their position', async () => {
  const [first = Buffer.alloc(0), ...others] = three
  const noise = Buffer.from('no record at all')
  const { account, result } = await salvaged(Buffer.concat([first, noise, ...others]))
  expect(account.leftOut.items).toMatchObject([
    { from: first.length, to: first.length + noise.length, rule: 'noRecord' },
  ])
  const report = JSON.parse((await recordsIn(result)).records.at(-1)?.block.toString() ?? '') as { leftOut: unknown }
  expect(report.leftOut).toEqual(account.leftOut.map(({ message, ...place }) => ({ ...place, text: textOf(message) })))
})

test('warcio reads recompressed and salvaged files', async () => {
  for (const make of [recompressed, salvaged]) {
    const { result, account } = await make(gzipSync(Buffer.concat(three)))
    const parser = new WARCParser(once(result))
    let count = 0
    for await (const found of parser) {
      const block = await found.readFully(false)
      expect(found.warcBlockDigest).toBe(sha1Base32([block]))
      count++
    }
    expect(count).toBe(account.records)
  }
})

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

test('salvages the record of a file that was written in text mode, as a sample of pywb was', async () => {
  const block = 'HTTP/1.0 302\r\r\nLocation: http://www.iana.org/badst\r\nContent-Length: 0\r\n\r\n'
  const fields = [
    'WARC-Type: response',
    'WARC-Record-ID: <urn:uuid:125f3091-65f6-4d0e-96dd-dbff7c551275>',
    'WARC-Date: 2014-01-27T17:12:38Z',
    `Content-Length: ${block.length}`,
    'Content-Type: application/http; msgtype=response',
    'WARC-Target-URI: http://iana.org/bads',
  ]
  const header = ['WARC/1.0', ...fields, '', '']
  const { result, account } = await salvaged(Buffer.from(`${header.join('\r\r\n')}${block}\r\n\r\n`))
  const [, saved] = strictRecords(result)
  expect(saved?.block.toString()).toBe(block)
  expect(saved?.fields.map(([name, value]) => `${name}: ${value}`)).toEqual(
    fields.map((field) => field.replace(/^[^:]+/, (name) => name.toLowerCase())),
  )
  expect(account.changed.items).toMatchObject([{ from: 0, rules: ['headerLineEndOdd'] }])
  expect([account.leftOut.total, (await recordsIn(result)).findings]).toEqual([0, []])
})
