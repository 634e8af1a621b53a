/** Checks the records of one file against each other: repeated IDs, the warcinfo records they refer to, and the
 *  order of segments. Memory is bounded: 64 bits of a digest for each ID, and limits on IDs, series and warcinfo
 *  records. Records beyond the limit on IDs are not compared, which is reported. */
import { hash } from 'node:crypto'
import { finding, type Finding } from '../rules/finding.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'
import { shown } from './fieldValues.ts'

/** Maximum number of records whose IDs are compared: ten times those of a usual file of a gigabyte. With 8 bytes
 *  each and half of the places empty, this takes at most 64 MiB. */
const idsMax = 4 * 1024 * 1024
/** Maximum number of segment series, and of warcinfo records, that are tracked. Files have one or two of each. */
const seriesMax = 10_000
const warcinfosMax = 10_000
/** Maximum length of an ID that is tracked; real ones have 47 characters. The repetition of a longer one is still
 *  detected. */
const idCharactersMax = 1000
/** Maximum length of a compared file name: no file system has longer ones. */
const nameCharactersMax = 1000

/** A segmented record: its first record and the continuations seen so far (WARC 1.1, 7). */
interface Series {
  lastNumber: number
  bytes: number
  /** True when all segments up to the last one were seen, so that their lengths may be added. */
  complete: boolean
  /** Digest of the URL, because a URL may have a megabyte. */
  url: string
  ended: boolean
  offset: number
  record: number
}

/** Memory of one file. Call `check` for each record in order, then `end`. */
export class FileMemory {
  #ids: IdSet
  #records = 0
  #idsSkipped = 0
  #warcinfos = new Set<string>()
  #elsewhere = new Set<string>()
  #series = new Map<string, Series>()
  #fileName: string

  /** Tests use a smaller `idsMax`. */
  constructor(fileName: string, bounds = { idsMax }) {
    this.#fileName = fileName.replace(/^.*[\\/!]/, '')
    this.#ids = new IdSet(bounds.idsMax)
  }

  /** Checks a record. Must be called once for each record of the file, in order. */
  check(record: ArchiveRecord): Finding[] {
    this.#records++
    return [
      ...this.#checkId(record),
      ...(record.type === 'warcinfo' ? this.#takeWarcinfo(record) : this.#checkWarcinfo(record)),
      ...this.#checkSegment(record),
    ]
  }

  /** Returns the findings at the end of the file. */
  end(): Finding[] {
    const found: Finding[] = []
    if (this.#idsSkipped > 0) found.push(finding('idsNotCompared', { count: this.#idsSkipped }))
    for (const [origin, series] of this.#series) {
      if (series.ended) continue
      const { lastNumber, offset, record } = series
      found.push({ ...finding('segmentsIncomplete', { origin: shown(origin), number: lastNumber }, offset), record })
    }
    return found
  }

  #checkId(record: ArchiveRecord): Finding[] {
    const id = recordField(record, 'warc-record-id') ?? ''
    if (id === '') return []
    const added = this.#ids.add(id)
    if (added === 'full') this.#idsSkipped++
    return added === 'known' ? [finding('recordIdRepeated', { id: shown(id) })] : []
  }

  #takeWarcinfo(record: ArchiveRecord): Finding[] {
    const id = idIn(record, 'warc-record-id')
    if (this.#warcinfos.size < warcinfosMax) this.#warcinfos.add(id)
    const named = recordField(record, 'warc-filename') ?? ''
    if (named === '' || withoutEnds(named) === withoutEnds(this.#fileName)) return []
    return [finding('filenameDiffers', { named: shown(named), name: shown(this.#fileName) })]
  }

  #checkWarcinfo(record: ArchiveRecord): Finding[] {
    const found: Finding[] = []
    if (this.#records === 1) found.push(finding('warcinfoNotFirst', { type: shown(record.type) || 'unknown' }))
    const id = idIn(record, 'warc-warcinfo-id')
    if (id === '' || this.#warcinfos.has(id) || this.#elsewhere.has(id)) return found
    // Each ID is reported once, because thousands of records may refer to it.
    if (this.#elsewhere.size >= warcinfosMax) return found
    this.#elsewhere.add(id)
    return [...found, finding('warcinfoElsewhere', { id: shown(id) })]
  }

  #checkSegment(record: ArchiveRecord): Finding[] {
    const number = wholeNumber(recordField(record, 'warc-segment-number'))
    if (number === undefined) return []
    const isContinuation = record.type === 'continuation'
    const origin = idIn(record, isContinuation ? 'warc-segment-origin-id' : 'warc-record-id')
    if (origin === '') return []
    const before = this.#series.get(origin)
    if (!before && this.#series.size >= seriesMax) return []
    const found = before ? outOfOrder(before, number, record) : []
    const follows = before?.complete === true && number === before.lastNumber + 1
    const bytes = (before?.bytes ?? 0) + record.blockBytes
    const complete = follows || (!before && number === 1)
    const total = isContinuation ? wholeNumber(recordField(record, 'warc-segment-total-length')) : undefined
    if (total !== undefined && complete && total !== bytes) found.push(finding('segmentTotalWrong', { bytes, total }))
    const place = { offset: record.offset, record: record.number }
    const url = before?.url ?? digestOf(record.url)
    this.#series.set(origin, { lastNumber: number, bytes, complete, url, ended: total !== undefined, ...place })
    return found
  }
}

/** Compares a segment with the one before it: the number must be the next, and the URL the same. */
function outOfOrder(before: Series, number: number, record: ArchiveRecord): Finding[] {
  const found: Finding[] = []
  if (number !== before.lastNumber + 1) found.push(finding('segmentOutOfOrder', { number, before: before.lastNumber }))
  if (digestOf(record.url) !== before.url)
    found.push(
      record.url === undefined
        ? finding('segmentTargetDiffers.none')
        : finding('segmentTargetDiffers', { url: shown(record.url) }),
    )
  return found
}

/** Returns an ID, or an empty string when it is missing or too long to be tracked. */
function idIn(record: ArchiveRecord, name: string): string {
  const id = recordField(record, name) ?? ''
  return id.length > idCharactersMax ? '' : id
}

function digestOf(url: string | undefined): string {
  return hash('sha1', url ?? '')
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Returns a file name without its last suffixes: Heritrix adds `.open` to the name while it writes, and
 *  recompressing or unpacking changes the suffix. */
function withoutEnds(name: string): string {
  return name
    .slice(-nameCharactersMax)
    .replace(/^"(.*)"$/, '$1')
    .replace(/^.*[\\/]/, '')
    .replace(/(\.open|\.gz|\.zst)+$/i, '')
}

/** A set of IDs by open addressing with linear probing, with 64 bits of the SHA-1 of each. Each entry is two
 *  words; the table is at most half full, so that a place is found within a few steps. An attacker cannot choose
 *  IDs that collide, and among four million IDs two collide by chance once in two million files. */
class IdSet {
  #words = new Uint32Array(2 * 1024)
  #size = 0
  #idsMax: number

  constructor(idsMax: number) {
    this.#idsMax = idsMax
  }

  add(id: string): 'new' | 'known' | 'full' {
    const digest = hash('sha1', id, 'buffer')
    const high = digest.readUInt32LE(0)
    // Zero marks an empty place.
    const low = digest.readUInt32LE(4) || 1
    const place = this.#placeOf(this.#words, high, low)
    if (this.#words[place + 1] !== 0) return 'known'
    if (this.#size >= this.#idsMax) return 'full'
    this.#put(this.#words, place, high, low)
    this.#size++
    if (this.#size * 4 > this.#words.length) this.#grow()
    return 'new'
  }

  /** Returns the index of an entry, or of the empty place where it belongs. */
  #placeOf(words: Uint32Array, high: number, low: number): number {
    let place = (high * 2) % words.length
    while (words[place + 1] !== 0 && (words[place] !== high || words[place + 1] !== low))
      place = (place + 2) % words.length
    return place
  }

  #put(words: Uint32Array, place: number, high: number, low: number): void {
    words[place] = high
    words[place + 1] = low
  }

  #grow(): void {
    const larger = new Uint32Array(this.#words.length * 2)
    for (let place = 0; place < this.#words.length; place += 2) {
      const [high = 0, low = 0] = [this.#words[place], this.#words[place + 1]]
      if (low !== 0) this.#put(larger, this.#placeOf(larger, high, low), high, low)
    }
    this.#words = larger
  }
}
