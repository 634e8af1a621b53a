/** Every sample of other projects, as their inventory counts it: read whole, cut anywhere, and fed a byte at a time. */
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { FileWindow, type Window } from '../bytes/fileWindow.ts'
import { mayBeDamagedArchive, recognise } from '../recognise.ts'
import { readRecords, readRecordsThrough, type ReadOptions } from './readRecords.ts'
import type { ArchiveRecord } from './record.ts'
import { isWhole, sampleOf, sampleSeed } from '../../world/testing/sample.ts'
import { corpora, hasCorpora } from '../testing/corpora.ts'

const isHere = hasCorpora('inventory.json')

interface Sample {
  local: string
  format?: string
  compression?: string
  size: number
  records?: number
  types?: Record<string, number>
}

const samples = isHere ? (JSON.parse(readFileSync(new URL('inventory.json', corpora), 'utf8')) as Sample[]) : []

/** Differences between our findings and the inventory, with the reason. */
const differences: Record<string, { records: number; why: string }> = {
  'webrecorder+warcio/test/data/bad.arc': {
    records: 4,
    why: 'a record with a length that is not a number has an empty block; warcio and its published index lines agree',
  },
  'netarchivesuite+jwat/jwat-arc/src/test/resources/test-arc-1.0-invalid-fields.arc': {
    records: 2,
    why: 'the version block is a record although its length is the word "one"',
  },
  'iipc+webarchive-commons/src/test/resources/org/archive/format/arc/IAH-20080430204825-00000-blackbook-truncated.arc':
    {
      records: 9,
      why: 'the inventory stops counting dns: records where the line end before them is missing',
    },
  'chatnoir-eu+chatnoir-resiliparse/tests/data/block-sized-records.warc.lz4': { records: 0, why: 'lz4 is not read' },
  'chatnoir-eu+chatnoir-resiliparse/tests/data/warcfile.warc.lz4': { records: 0, why: 'lz4 is not read' },
  'slyrz+warc/testdata/bench.warc.bz2': { records: 0, why: 'bzip2 is not read' },
  'slyrz+warc/testdata/test.warc.bz2': { records: 0, why: 'bzip2 is not read' },
}

interface Seen {
  offset: number
  length: number
  type: string
  url: string
  addressable: boolean
  blockSha1: string
  whole: boolean
  rules: string[]
}

async function seen(item: ArchiveRecord): Promise<Seen> {
  const hash = createHash('sha1')
  for await (const bytes of item.block()) hash.update(bytes)
  const { length, whole, findings } = await item.finish()
  const rules = findings.map(({ rule }) => rule)
  const { offset, url = '', addressable } = item
  // ARC names no type: that of a record which is cut is a guess.
  const type = item.format === 'arc' ? '' : item.type
  return { offset, length, type, url, addressable, blockSha1: hash.digest('hex'), whole, rules }
}

async function seenThrough(window: Window, options: ReadOptions = {}): Promise<{ records: Seen[]; between: string[] }> {
  const records: Seen[] = []
  const between: string[] = []
  const onFinding: ReadOptions['onFinding'] = ({ rule, offset }) => between.push(`${rule} at ${offset}`)
  for await (const item of readRecordsThrough(window, { ...options, onFinding })) records.push(await seen(item))
  return { records, between }
}

/** A window that never reads more bytes than requested. */
function stingyWindow(bytes: Uint8Array): Window {
  return { view: (position, bytesMin) => Promise.resolve(bytes.subarray(position, position + bytesMin)) }
}

const types: Record<string, string> = {
  'http response': 'response',
  'http (non-HTTP body)': 'resource',
  dns: 'resource',
}

describe.skipIf(!isHere)('samples of other projects (skipped without their inventory)', () => {
  const archives = samples.filter(({ records }) => records !== undefined)

  test.each(archives)('$local: has the number and types of records in the inventory', async (sample) => {
    const bytes = readFileSync(new URL(sample.local, corpora))
    const counted: Record<string, number> = {}
    let count = 0
    for await (const { type } of readRecords(sourceOf(bytes))) {
      counted[type] = (counted[type] ?? 0) + 1
      count += 1
    }
    const difference = differences[sample.local]
    expect(count, difference?.why).toBe(difference?.records ?? sample.records)
    if (difference) return
    const expected: Record<string, number> = {}
    for (const [name, number] of Object.entries(sample.types ?? {})) {
      const type = types[name] ?? name.toLowerCase()
      expected[type] = (expected[type] ?? 0) + number
    }
    expect(counted).toEqual(expected)
  })

  test('each sample is recognised by its bytes', async () => {
    for (const { local, format = '', compression = '' } of samples) {
      const recognised = await recognise(sourceOf(readFileSync(new URL(local, corpora))))
      const { form } = recognised
      if (/lz4|bzip2/.test(compression)) expect(form, local).toBe(compression)
      else if (format.startsWith('WARC')) expect(form, local).toBe('warc')
      else if (format.startsWith('ARC')) expect(form, local).toBe('arc')
      else if (format.startsWith('ZIP')) expect(form, local).toBe('zip')
      else expect(form === 'empty' || mayBeDamagedArchive(recognised), `${local} is ${form}`).toBe(true)
    }
  })

  test.each(sampleOf(samples))('$local: fed a byte at a time it gives the same', async ({ local, size }) => {
    const bytes = readFileSync(new URL(local, corpora))
    const usual = await seenThrough(new FileWindow(sourceOf(bytes)))
    // Only the beginning of the largest files: the rest is read by the same steps.
    const to = size > byteByByteBytesMax ? byteByByteBytesMax : Infinity
    const stingy = await seenThrough(stingyWindow(bytes), { to })
    const records = usual.records.filter(({ offset }) => offset < to)
    expect(stingy.records.slice(0, records.length)).toEqual(records)
    if (to === Infinity) expect(stingy.between).toEqual(usual.between)
  })

  test.each(samples)(
    '$local: truncated anywhere, terminates, keeps the complete records and invents nothing',
    async ({ local, size }) => {
      const bytes = readFileSync(new URL(local, corpora))
      const { records } = await seenThrough(new FileWindow(sourceOf(bytes)))
      for (const cut of cutsOf(size)) {
        // Records well before the cut are read as in the complete file.
        const from =
          records.filter(({ offset, length, addressable }) => addressable && offset + length <= cut).at(-2)?.offset ?? 0
        const found = await seenThrough(new FileWindow(sourceOf(bytes.subarray(0, cut)), smallWindowBytes), { from })
        const places = new Set(records.map(placeOf))
        expect(
          found.records.filter((record) => !places.has(placeOf(record))),
          `cut at ${cut}`,
        ).toEqual([])
        const whole = records.filter(
          ({ offset, length, addressable }) => addressable && length > 0 && offset >= from && offset + length <= cut,
        )
        const kept = new Set(found.records.filter((record) => record.whole).map((record) => record.offset))
        expect(
          whole.filter((record) => record.whole && !kept.has(record.offset)),
          `cut at ${cut}`,
        ).toEqual([])
      }
    },
  )
})

/** A new megabyte for each of a hundred thousand readings would take longer than they do. */
const smallWindowBytes = 64 * 1024
const byteByByteBytesMax = 200_000
/** Smaller ones are cut at every byte, the others at as many places: a thousand by `npm run nightly`. */
const cutsMax = Number(process.env['LOUPE_CUTS'] ?? (isWhole ? 300 : 60))

function* cutsOf(size: number): Generator<number> {
  let state = size + sampleSeed
  for (let count = 0; count < Math.min(size, cutsMax); count++) {
    // Pseudo-random numbers from the seed of the sample, so that a failure is reproducible.
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    yield size <= cutsMax ? count : state % size
  }
}

function placeOf({ offset, type, url }: Seen): string {
  return `${offset} ${type} ${url}`
}
