/** Generates one input from its dice alone: a good file that is damaged before compression, after it, or both. */
import { zstdCompressSync, gzipSync } from 'node:zlib'
import { madeZip } from '../../src-main/formats/wacz/testing/zipFixtures.ts'
import type { Dice } from './dice.ts'
import { packed, packings, quickly, type Packing, type Seeds } from './seeds.ts'

/** Larger inputs take longer without finding more. */
const inputBytesMax = 24 * 1024

/** Returns the input that the dice determine, made from the seeds or, once in 5,000 times, from a bomb. */
export function mutated(dice: Dice, seeds: Seeds, bombs: readonly Buffer[]): Buffer {
  if (dice.oneIn(5_000)) return damaged(dice.of(bombs), dice, seeds, dice.below(3))
  if (dice.oneIn(12)) return damaged(dice.of(seeds.whole), dice, seeds, 1 + dice.length(5))
  const inside = dice.oneIn(3) ? 0 : dice.length(4)
  const file = fileOf(dice, damagedRecords(dice, seeds, inside))
  return damaged(file, dice, seeds, inside === 0 || dice.oneIn(3) ? dice.length(6) : 0)
}

/** The records of a file, some of them damaged or replaced before compression. */
function damagedRecords(dice: Dice, seeds: Seeds, times: number): Buffer[] {
  const records = [...dice.of(seeds.unpacked)]
  for (let time = 0; time < times; time++) {
    const at = dice.below(records.length)
    const record = records[at] ?? Buffer.alloc(0)
    // The replacement may be a file without records.
    if (dice.oneIn(8)) records.splice(at, 1, ...dice.of(seeds.unpacked))
    else records[at] = dice.oneIn(2) ? otherNumber(record, dice) : damaged(record, dice, seeds, 1)
  }
  return records
}

/** Compresses records, and sometimes puts the file into a zip whose headers are wrong. */
function fileOf(dice: Dice, records: readonly Buffer[]): Buffer {
  const file = packed(records, packingOf(dice))
  if (!dice.oneIn(24)) return file
  const falseSizes = [
    { crc32: boundaryNumber(dice) },
    { compressedBytes: boundaryNumber(dice) },
    { bytes: boundaryNumber(dice) },
  ]
  const falsified = dice.of([{}, {}, ...falseSizes, { offset: boundaryNumber(dice) }, { method: dice.below(100) }])
  const name = dice.of(['archive/data.warc.gz', 'archive/data.warc', 'inner.wacz', '../data.warc', 'archive/x.har'])
  const forms = { deflated: dice.oneIn(2), described: dice.oneIn(2), zip64: dice.oneIn(2) }
  return madeZip([
    { name, content: file, ...forms, falsified },
    { name: 'datapackage.json', content: '{"profile":"data-package","resources":[]}' },
  ])
}

/** Chooses a compression, a rare one once in eight times. */
function packingOf(dice: Dice): Packing {
  return dice.of(packings[dice.oneIn(8) ? 'rare' : 'usual'])
}

/** Damages bytes several times. */
function damaged(bytes: Buffer, dice: Dice, seeds: Seeds, times: number): Buffer {
  let file = bytes
  for (let time = 0; time < times; time++)
    file = dice.of(damages)(file, dice, seeds).subarray(0, Math.max(inputBytesMax, bytes.length))
  return file
}

/** A kind of damage. It returns new bytes and leaves its input unchanged. */
type Damage = (bytes: Buffer, dice: Dice, seeds: Seeds) => Buffer

/** All kinds of damage, each equally frequent. */
const damages: readonly Damage[] = [
  flippedBits,
  otherBytes,
  cut,
  withoutRange,
  withRangeTwice,
  spliced,
  withMorsel,
  otherNumber,
  otherInteger,
  swapped,
  nested,
]

/** Flips some bits. */
function flippedBits(bytes: Buffer, dice: Dice): Buffer {
  const changed = Buffer.from(bytes)
  for (let flip = dice.length(8); flip > 0 && changed.length > 0; flip--) {
    const at = dice.below(changed.length)
    changed[at] = (changed[at] ?? 0) ^ (1 << dice.below(8))
  }
  return changed
}

/** Overwrites a range with one byte, often one with a meaning: a line end, a blank, or the beginning of a gzip
 *  member. */
function otherBytes(bytes: Buffer, dice: Dice): Buffer {
  const changed = Buffer.from(bytes)
  const at = dice.below(changed.length + 1)
  return changed.fill(
    dice.of([0, 10, 13, 32, 0x1f, 0xff, dice.below(256)]),
    at,
    Math.min(changed.length, at + dice.length(64)),
  )
}

/** Removes the end, or sometimes the beginning. */
function cut(bytes: Buffer, dice: Dice): Buffer {
  const at = dice.below(bytes.length + 1)
  return dice.oneIn(4) ? bytes.subarray(at) : bytes.subarray(0, at)
}

/** Removes a range. */
function withoutRange(bytes: Buffer, dice: Dice): Buffer {
  const at = dice.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + dice.length(bytes.length + 1))])
}

/** Repeats a range. */
function withRangeTwice(bytes: Buffer, dice: Dice): Buffer {
  const at = dice.below(bytes.length + 1)
  const end = at + dice.length(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])
}

/** Continues with another file. */
function spliced(bytes: Buffer, dice: Dice, { unpacked, whole }: Seeds): Buffer {
  const other = dice.oneIn(3) ? dice.of(whole) : packed(dice.of(unpacked), packingOf(dice))
  return Buffer.concat([
    bytes.subarray(0, dice.below(bytes.length + 1)),
    other.subarray(dice.oneIn(2) ? 0 : dice.below(other.length)),
  ])
}

/** Inserts or overwrites with a byte sequence that means something to a reader, sometimes many times. */
function withMorsel(bytes: Buffer, dice: Dice, { morsels }: Seeds): Buffer {
  const at = dice.oneIn(4) ? 0 : dice.below(bytes.length + 1)
  const morsel = dice.of(morsels)
  const copies = dice.oneIn(10) ? dice.length(200) : 1
  const inserted = Buffer.concat(Array.from({ length: copies }, () => morsel))
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(dice.oneIn(2) ? at : at + inserted.length)])
}

/** Replaces a number in digits, such as a length, date, version or chunk size. */
function otherNumber(bytes: Buffer, dice: Dice): Buffer {
  const text = bytes.toString('latin1')
  const numbers = [...text.matchAll(/\d+/g)]
  if (numbers.length === 0) return bytes
  const number = dice.of(numbers)
  const other = dice.of([
    `${boundaryNumber(dice)}`,
    `${Number(number[0]) + dice.below(5) - 2}`,
    '0',
    '',
    '-1',
    '9'.repeat(dice.length(400)),
  ])
  return Buffer.from(`${text.slice(0, number.index)}${other}${text.slice(number.index + number[0].length)}`, 'latin1')
}

/** Replaces a binary integer, such as a size or offset in a compressed file or package. */
function otherInteger(bytes: Buffer, dice: Dice): Buffer {
  if (bytes.length < 8) return bytes
  const changed = Buffer.from(bytes)
  // Many formats store them at their end.
  const at = dice.oneIn(3) ? changed.length - 1 - dice.below(8) : dice.below(changed.length - 7)
  const value = boundaryNumber(dice)
  if (dice.oneIn(2)) changed.writeUInt32LE(value >>> 0, Math.min(at, changed.length - 4))
  else changed.writeUInt16LE(value & 0xffff, Math.min(at, changed.length - 2))
  return changed
}

/** A number at which readers may go wrong: zero, a limit of an integer type, or any other. */
function boundaryNumber(dice: Dice): number {
  return dice.of([0, 1, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, dice.below(300), dice.below(2 ** 31)])
}

/** Exchanges two neighbouring ranges. */
function swapped(bytes: Buffer, dice: Dice): Buffer {
  const [first = 0, second = 0, third = 0] = [0, 0, 0].map(() => dice.below(bytes.length + 1)).sort((a, b) => a - b)
  return Buffer.concat([
    bytes.subarray(0, first),
    bytes.subarray(second, third),
    bytes.subarray(first, second),
    bytes.subarray(third),
  ])
}

/** Compresses the bytes, or the first part of them, once more. */
function nested(bytes: Buffer, dice: Dice): Buffer {
  if (dice.oneIn(2)) return dice.below(4) > 0 ? gzipSync(bytes, quickly) : zstdCompressSync(bytes)
  const end = dice.below(bytes.length + 1)
  return Buffer.concat([gzipSync(bytes.subarray(0, end), quickly), bytes.subarray(end)])
}
