/** Records that are read in one step because they are in memory as a whole, compared with reading them step by step. */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { HeldRecord } from './heldRecord.ts'
import type { ArchiveRecord } from './record.ts'
import { readRecordAt, readRecords, recordReader } from './readRecords.ts'

/** The fields of a record, and what is known at its end. */
async function seen(record: ArchiveRecord) {
  const { format, version, type, fields, url, date, contentType, blockBytes, offset, addressable } = record
  const parts: Uint8Array[] = []
  for await (const part of record.block()) parts.push(Uint8Array.from(part))
  const { length, whole, findings } = await record.finish()
  return {
    ...{ format, version, type, fields, url, date, contentType, blockBytes, offset, addressable, length, whole },
    header: Buffer.from(record.header).toString('latin1'),
    block: Buffer.concat(parts).toString('latin1'),
    findings: findings.map(({ rule, message }) => [rule, message]),
  }
}

const header = fc.constantFrom(
  'WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: <http://a.example/>\r\n',
  'WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\n',
  'WARC/0.9\nWARC-Type: resource\n folded\n',
  'WARC/1.0\r\nnone\r\nWARC-Target-URI: http://\xe4\r\n',
  'WARC/1.0\r\nContent-Length: 3\r\n',
  `WARC/1.0\r\nLong: ${'x'.repeat(5000)}\r\n`,
  'http://a.example/ 192.0.2.1 20200101000000 text/plain 3\r\n',
)
const block = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom('', '\r\n\r\n', 'WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n'),
)
const lengthOff = fc.constantFrom(0, 0, 0, 0, -1, 1, 4)
const end = fc.constantFrom('\r\n\r\n', '\r\n\r\n', '\r\n\r\n', '\n', '', '\r\n\r\n\r\n')
const record = fc.tuple(header, block, lengthOff, end).map(([head, content, off, after]) => {
  const bytes = Buffer.from(content)
  return Buffer.concat([
    Buffer.from(`${head}Content-Length: ${bytes.length + off}\r\n\r\n`, 'latin1'),
    bytes,
    Buffer.from(after),
  ])
})
const member = fc.oneof({ weight: 5, arbitrary: record }, { weight: 1, arbitrary: fc.tuple(record, record).map(Buffer.concat) }) // prettier-ignore
const file = fc.tuple(fc.array(member, { maxLength: 12 }), fc.boolean()).map(([contents, zstd]) => {
  const first = Buffer.from('WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n')
  return Buffer.concat([first, ...contents].map((content) => (zstd ? zstdCompressSync(content) : gzipSync(content))))
})

test('a record that is read in one step is the same as one that is read step by step', async () => {
  let held = 0
  await fc.assert(
    fc.asyncProperty(file, async (bytes) => {
      for await (const one of readRecords(sourceOf(bytes))) {
        if (!(one instanceof HeldRecord)) continue
        held += 1
        const again = await readRecordAt(sourceOf(bytes), one.offset)
        expect(again).not.toBeInstanceOf(HeldRecord)
        expect(await seen(one)).toEqual(again && (await seen(again)))
      }
    }),
  )
  expect(held).toBeGreaterThan(100)
})

test('taking what is in memory without waiting gives the same records and findings in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(file, fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }), async (bytes, counts) => {
      const expected: unknown[] = []
      for await (const one of readRecords(sourceOf(bytes), { onFinding: ({ rule }) => expected.push(rule) }))
        expected.push([one.number, await seen(one)])

      const found: unknown[] = []
      const reader = recordReader(sourceOf(bytes), { onFinding: ({ rule }) => found.push(rule) })
      let turn = 0
      for await (const one of reader.records()) {
        if (!(one instanceof HeldRecord)) expect(reader.nextHeld()).toBeUndefined()
        found.push([one.number, await seen(one)])
        for (let left = counts[turn++ % counts.length] ?? 0; left > 0; left--) {
          const held = reader.nextHeld()
          if (held) found.push([held.number, await seen(held)])
        }
      }
      expect(found).toEqual(expected)
    }),
  )
})

test('the block is handed out once, and is in memory', async () => {
  const bytes = gzipSync('WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n')
  for await (const one of readRecords(sourceOf(bytes))) {
    expect(Buffer.from(one.heldBlock ?? []).toString()).toBe('abc')
    expect(await seen(one)).toMatchObject({ block: 'abc', length: bytes.length, whole: true, findings: [] })
    await expect(one.block()[Symbol.asyncIterator]().next()).rejects.toThrow(/was read before/)
  }
})
