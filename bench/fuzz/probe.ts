/** Probes the readers with one input and verifies what must hold for any input: positions are inside the file and ascend, a record
 *  reported as whole has all its bytes, reading a record again at its position gives the same record, any size of the window gives
 *  the same records, and memory is bounded. A violation is thrown as an error that names it. */
import { sourceOf } from '../../src-main/formats/bytes/testing/sourceOf.ts'
import { createHash } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import { archiveParts } from '../../src-main/formats/archiveParts.ts'
import { FileWindow } from '../../src-main/formats/bytes/fileWindow.ts'
import { capturesOf } from '../../src-main/formats/cdx/captures.ts'
import { checkArchiveFile } from '../../src-main/formats/checkFile.ts'
import type { Finding } from '../../src-main/formats/rules/finding.ts'
import type { ArchiveRecord } from '../../src-main/formats/records/record.ts'
import { readRecordAt, readRecords, readRecordsThrough } from '../../src-main/formats/records/readRecords.ts'
import { Dice } from './dice.ts'
import { probeRewriting } from './rewriting.ts'

/** Limit of the memory in use at any time while one input is processed: heap and external buffers of one thread, after garbage
 *  collection. The bounds of the readers amount to about 40 MiB; the sample inputs and the program to 50 MiB. */
export const heldBytesMax = 160 * 1024 * 1024
/** Number of records of one input that are read a second time: of thousands of tiny records, the first are sufficient. */
const againMax = 6

/** Limit of the reads of one input: smaller windows would only make it slow. */
const readsMax = 500

/** The parts of the program that are probed. */
export const surfaces = ['reader', 'captures', 'check', 'parts', 'rewriting'] as const
export type Surface = (typeof surfaces)[number]

/** Probes the reader with every input, and the other surfaces, which use it and take longer, in turn. */
export async function probe(input: Buffer, number: number): Promise<void> {
  await probeReader(input, number)
  for (const surface of surfaces.slice(1)) if (isTurnOf(surface, number)) await probes[surface](input, number)
}

function isTurnOf(surface: Surface, number: number): boolean {
  return number % 16 === surfaces.indexOf(surface)
}

/** Probes all surfaces, whichever turn it is: for the examination of a single input. */
export async function probeAll(input: Buffer, number: number): Promise<void> {
  for (const surface of surfaces) await probes[surface](input, number)
}

/** The probe of each surface. It rejects when something is wrong. */
const probes: Record<Surface, (input: Buffer, number: number) => Promise<void>> = {
  reader: probeReader,
  captures: probeCaptures,
  check: probeCheck,
  parts: probeParts,
  rewriting: probeRewriting,
}

/** What is compared between two readings of a record. */
interface Seen {
  offset: number
  length: number
  whole: boolean
  /** There are no findings about it. */
  clean: boolean
  addressable: boolean
  /** Another record begins inside it; read by its own length, it ends there. */
  isOverlapped: boolean
  /** The member is damaged: how many bytes it yields before the damage depends on how many are passed to the decompressor at once. */
  isDamaged: boolean
  /** Summary of the record, and the digest of its bytes, which is undefined where the block was not read. */
  words: string
  digest: string | undefined
}

/** Reads the records, again through small windows, and some again at their positions. */
async function probeReader(input: Buffer, number: number): Promise<void> {
  const seen = await recordsSeen(input, input.length + 1)
  placesAreGood(seen, input.length)
  if (number % 8 === 0) {
    const readBytes = Math.max(new Dice(number).length(300), Math.ceil(input.length / readsMax))
    mustBeSame(`read through windows of ${readBytes} bytes`, seen, await recordsSeen(input, readBytes))
  }
  for (const one of seen.filter(({ addressable, length }) => addressable && length > 0).slice(0, againMax)) {
    const again = await readRecordAt(sourceOf(input), one.offset, one.length)
    if (!again) throw new Error(`no record is read again at ${one.offset}`)
    const { words, digest, whole, length } = await readOne(again, input.length, true)
    const hasSameBytes = one.isDamaged || digest === (one.digest ?? digest)
    const isSame = one.isOverlapped || (whole === one.whole && hasSameBytes)
    if (words !== one.words || length !== one.length || !isSame)
      throw new Error(`${one.words} is ${words} when it is read again, ${length} bytes instead of ${one.length}`)
  }
}

/** Reads all records. Blocks are read or skipped in turn: the next record must not depend on that. */
async function recordsSeen(input: Buffer, readBytes: number): Promise<Seen[]> {
  const seen: Seen[] = []
  const onFinding = (made: Finding) => placeIsGood(made, input.length)
  for await (const record of readRecordsThrough(new FileWindow(sourceOf(input), readBytes), { onFinding })) {
    if (record.number !== seen.length + 1) throw new Error(`record ${seen.length + 1} calls itself ${record.number}`)
    seen.push(await readOne(record, input.length, record.number % 3 !== 0))
    heldIsBounded()
  }
  return seen
}

/** Reads one record to its end. */
async function readOne(record: ArchiveRecord, inputBytes: number, takesBlock: boolean): Promise<Seen> {
  const { offset, addressable, header, blockBytes, format } = record
  const words = `${format} at ${offset}, header ${header.length}, block ${blockBytes}`
  const held = record.heldBlock
  const heldDigest = held && createHash('sha1').update(header).update(held).digest('hex')
  const taken = createHash('sha1').update(header)
  let takenBytes = 0
  if (takesBlock) {
    for await (const part of record.block()) {
      taken.update(part)
      takenBytes += part.length
    }
  }
  const { length, whole, findings } = await record.finish()
  for (const made of findings) placeIsGood(made, inputBytes)
  const isOverlapped = findings.some(({ rule }) => rule === 'recordInside')
  const isDamaged = findings.some(({ rule }) => rule === 'memberDamaged')
  const clean = findings.length === 0
  const seen = { offset, length, whole, clean, addressable, isOverlapped, isDamaged, words, digest: undefined }
  if (!takesBlock) return seen
  const digest = taken.digest('hex')
  if (digest !== (heldDigest ?? digest)) throw new Error(`${words}: the held block is another`)
  if (takenBytes > blockBytes || (whole && takenBytes < blockBytes))
    throw new Error(`${words}: ${takenBytes} bytes came`)
  return { ...seen, digest }
}

/** Records must be in ascending order, within the file, and must not overlap. */
function placesAreGood(seen: readonly Seen[], inputBytes: number): void {
  let lastEnd = 0
  let last = -1
  for (const { offset, length, addressable, clean } of seen) {
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0)
      throw new Error(`a record at ${offset} has ${length} bytes`)
    if (offset + length > inputBytes) throw new Error(`the record at ${offset} has ${length} of ${inputBytes} bytes`)
    if (offset < last || (addressable && offset === last)) throw new Error(`after ${last} comes a record at ${offset}`)
    if (offset < lastEnd) throw new Error(`the record at ${offset} begins before ${lastEnd}, where the last one ends`)
    last = offset
    // The range of a record with findings is searched for further records.
    if (clean) lastEnd = offset + length
  }
}

/** A finding must refer to a place inside the file. */
function placeIsGood({ rule, offset }: Finding, inputBytes: number): void {
  if (offset !== undefined && !(offset >= 0 && offset <= inputBytes))
    throw new Error(`${rule} refers to offset ${offset} in a file of ${inputBytes} bytes`)
}

/** Indexes the input with all digests and request bodies. */
async function probeCaptures(input: Buffer): Promise<void> {
  let last = -1
  const options = { digests: 'verify', post: true, recordDigests: true } as const
  for await (const found of capturesOf(sourceOf(input), 'fuzz', options)) {
    heldIsBounded()
    if ('finding' in found) {
      placeIsGood(found.finding, input.length)
      continue
    }
    const { offset, length } = found.capture
    if (offset <= last || length <= 0 || offset + length > input.length)
      throw new Error(`after the capture at ${last} comes one of ${length} bytes at ${offset}`)
    last = offset
  }
}

/** Checks the input; records must be numbered without gaps. */
async function probeCheck(input: Buffer): Promise<void> {
  let last = ''
  let number = 0
  const file = { name: 'fuzz.warc.gz', bytes: input.length, nowMs: Date.UTC(2026, 10, 20) }
  for await (const { file: path, record, findings } of checkArchiveFile(sourceOf(input), file)) {
    heldIsBounded()
    if (path === file.name) for (const made of findings) placeIsGood(made, input.length)
    // Two entries of a package may have the same name.
    number = path === last && !(path !== file.name && record?.number === 1) ? number : 0
    last = path
    if (record && record.number !== (number += 1))
      throw new Error(`record ${number} of ${path} is called ${record.number}`)
  }
}

/** Opens the input as a package, and reads the records of each part. */
async function probeParts(input: Buffer): Promise<void> {
  const options = { name: 'fuzz.wacz', bytes: input.length, onFinding: () => undefined }
  for await (const { source, bytes } of archiveParts(sourceOf(input), options)) {
    heldIsBounded()
    for await (const record of readRecords(source)) {
      const { length } = await record.finish()
      if (record.offset + length > bytes) throw new Error(`a part of ${bytes} bytes has a record at ${record.offset}`)
    }
  }
}

/** Compares two readings record by record. */
function mustBeSame(how: string, first: readonly Seen[], second: readonly Seen[]): void {
  const [one, other] = [first, second].map((seen) => seen.map((record) => JSON.stringify(record)))
  const at = Math.max(first.length, second.length)
  for (let index = 0; index < at; index++)
    if (one?.[index] !== other?.[index])
      throw new Error(`${how}, record ${index + 1} differs:\n${one?.[index]}\n${other?.[index]}`)
}

/** Checks the limit of memory, after a garbage collection if necessary. */
function heldIsBounded(): void {
  if (heldBytes() <= heldBytesMax) return
  // Most of it may be garbage that has not been collected yet. Buffers of the first collection are counted until another thread has
  // freed them, which the second collection waits for: measured, 136 MB after the first and 35 MB after the second.
  globalThis.gc?.()
  globalThis.gc?.()
  const bytes = heldBytes()
  if (bytes > heldBytesMax) throw new Error(`${bytes} bytes are held`)
}

/** Memory in use by this thread: heap and external memory, including garbage. */
export function heldBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}
