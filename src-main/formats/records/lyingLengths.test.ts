/** Files in which every record states a wrong length: the records inside are found, without reading the file once for each. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ByteSource } from '../bytes/fileWindow.ts'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { readRecords } from './readRecords.ts'

function warcRecord(number: number, length: number, block = 'block'): Buffer {
  const head = `WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/${number}\r\nContent-Length: ${length}\r\n\r\n`
  return Buffer.from(`${head}${block}\r\n\r\n`)
}

function arcRecord(number: number, length: number): Buffer {
  return Buffer.from(`http://a/${number} 192.0.2.1 20200101000000 text/plain ${length}\nblock\n`)
}

/** A source that counts the bytes read from it. */
function countedSource(bytes: Uint8Array): { source: ByteSource; readBytes: () => number } {
  const source = sourceOf(bytes)
  let readBytes = 0
  return {
    source: {
      async read(into, position) {
        const read = await source.read(into, position)
        readBytes += read
        return read
      },
    },
    readBytes: () => readBytes,
  }
}

async function numbersIn(source: ByteSource): Promise<{ numbers: number[]; torn: number; blockBytes: number }> {
  const numbers: number[] = []
  let torn = 0
  let blockBytes = 0
  for await (const record of readRecords(source)) {
    numbers.push(Number(record.url?.split('/').at(-1)))
    for await (const part of record.block()) blockBytes += part.length
    const { findings } = await record.finish()
    if (findings.some(({ rule }) => rule === 'recordTorn')) torn++
    if (numbers.length > 1) expect(findings.map(({ rule }) => rule)).not.toContain('bytesAfterRecord')
  }
  return { numbers, torn, blockBytes }
}

const count = 30_000
const all = Array.from({ length: count }, (_, number) => number)

test.each([
  ['WARC', (number: number) => warcRecord(number, Number.MAX_SAFE_INTEGER)],
  ['ARC', (number: number) => arcRecord(number, 999_999_999_999)],
])('%s: every record claims the rest of the file', async (_, recordOf) => {
  const bytes = Buffer.concat(all.map(recordOf))
  const { source, readBytes } = countedSource(bytes)
  const { numbers, torn, blockBytes } = await numbersIn(source)
  expect(numbers).toEqual(all)
  expect(torn).toBe(count)
  expect(readBytes()).toBeLessThan(20 * bytes.length)
  expect(blockBytes).toBeLessThan(20 * bytes.length)
})

test('every record claims half of the rest, in one gzip member and uncompressed', async () => {
  // All records are of one size, so that each claim ends in the middle of the block of another.
  const numberOf = (number: number) => 1_000_000 + number
  const digits = 7
  const claimOf = (number: number) => Math.max(1, Math.floor((count - number) / 2))
  const recordBytes = warcRecord(numberOf(0), 10 ** (digits - 1)).length
  const lengthOf = (number: number) => claimOf(number) * recordBytes + 2
  const bytes = Buffer.concat(
    all.map((number) => {
      const text = warcRecord(numberOf(number), 10 ** (digits - 1)).toString('latin1')
      return Buffer.from(text.replace('1000000\r\n\r\n', `${String(lengthOf(number)).padStart(digits, '0')}\r\n\r\n`))
    }),
  )
  for (const form of [bytes, gzipSync(bytes)]) {
    const { numbers, blockBytes } = await numbersIn(sourceOf(form))
    expect(numbers).toEqual(all.map(numberOf))
    expect(blockBytes).toBeLessThan(20 * bytes.length)
  }
})

test('records after wrong lengths keep their complete blocks', async () => {
  const liars = Array.from({ length: 20 }, (_, number) => warcRecord(number, Number.MAX_SAFE_INTEGER))
  const block = 'WARC/1.0 is how a record begins, but this is not a record. '.repeat(50_000)
  const bytes = Buffer.concat([...liars, warcRecord(20, block.length, block), warcRecord(21, 5)])
  const blocks: number[] = []
  for await (const record of readRecords(sourceOf(bytes))) {
    let blockBytes = 0
    for await (const part of record.block()) blockBytes += part.length
    const { whole } = await record.finish()
    if (whole) blocks.push(blockBytes)
  }
  expect(blocks).toEqual([block.length, 5])
})

test('a wrong length with members of one size costs only its own record', async () => {
  const bytes = Buffer.concat(all.slice(0, 100).map((number) => warcRecord(number, number === 7 ? 1e12 : 5)))
  for (const blockBytes of [300, 333, 5000]) {
    const members: Buffer[] = []
    for (let at = 0; at < bytes.length; at += blockBytes) members.push(gzipSync(bytes.subarray(at, at + blockBytes)))
    const { numbers, torn } = await numbersIn(sourceOf(Buffer.concat(members)))
    expect([numbers, torn], `blocks of ${blockBytes}`).toEqual([all.slice(0, 100), 1])
  }
})
