/**
 * First reading of the files for a narrowed selection: the originals of its revisits, the requests and metadata that belong to it by ID,
 * and the amount to write. Nothing else of a file is kept.
 */
import { parseTimestamp, timestamp14 } from '../../formats/cdx/timestamp.ts'
import { surt } from '../../formats/cdx/surt.ts'
import { recordField, recordFields, type ArchiveRecord } from '../../formats/records/record.ts'
import { isCapture, isInfo } from './recordKinds.ts'
import { idsMax, originalsMax } from './limits.ts'
import { selector, type Dated, type Narrowing } from './selection.ts'

/** Makes a key of a record's file and position. */
function placeOf(file: string, { offset, number }: Pick<ArchiveRecord, 'offset' | 'number'>): string {
  return `${offset} ${number} ${file}`
}

/** Returns the names by which a revisit may refer to this original, the most reliable first. */
function namesOfOriginal(record: ArchiveRecord): string[] {
  return [
    idName(recordField(record, 'warc-record-id')),
    momentName(record.url, record.date),
    digestName(recordField(record, 'warc-payload-digest')),
  ].filter((name) => name !== undefined)
}

/** Returns the names of the original in a revisit. WARC 1.1, 6.7: its ID, or its URL and date (both optional).
 *  Before these fields were standard, and in archives that deduplicate by digest alone, only the payload digest
 *  identifies it. */
function namesInRevisit(record: ArchiveRecord): string[] {
  return referenceNames({
    id: recordField(record, 'warc-refers-to'),
    url: recordField(record, 'warc-refers-to-target-uri'),
    date: recordField(record, 'warc-refers-to-date'),
    digest: recordField(record, 'warc-payload-digest'),
  })
}

/** The reference of a revisit to its original. */
export interface Reference {
  id: string | undefined
  url: string | undefined
  date: string | undefined
  digest: string | undefined
}

/** Returns the names of an original, the most reliable first. */
export function referenceNames({ id, url, date, digest }: Reference): string[] {
  return [idName(id), momentName(url, date), digestName(digest)].filter((name) => name !== undefined)
}

function idName(id: string | undefined): string | undefined {
  return id === undefined ? undefined : `id ${id}`
}

/** Rounded to the second: the two dates are often written with different precision. */
function momentName(url: string | undefined, date: string | undefined): string | undefined {
  const dateMs = date === undefined ? undefined : parseTimestamp(date)
  return url === undefined || dateMs === undefined ? undefined : `at ${timestamp14(dateMs)} ${surt(url)}`
}

function digestName(digest: string | undefined): string | undefined {
  return digest === undefined ? undefined : `digest ${digest}`
}

/** Whether the record has a payload, as an original must. */
function canBeOriginal({ type }: ArchiveRecord): boolean {
  return type === 'response' || type === 'resource'
}

/** A reference, and the best original found for it so far. */
interface Followed {
  names: string[]
  revisits: number
  /** Rank of the best of its names that a record has matched so far; `names.length` when none has. */
  rank: number
  original: Original | undefined
}

/** A record that is an original. */
interface Original {
  place: string
  id: string | undefined
  bytes: number
  /** Whether the original itself belongs to the selection. */
  selected: boolean
}

/** The references of revisits, and whether their originals were found. */
export class References {
  #all = new Map<string, Followed>()
  #byName = new Map<string, Followed[]>()
  /** Whether there are more different originals than the limit allows. */
  overflow = false

  get empty(): boolean {
    return this.#all.size === 0
  }

  /** Adds the reference of a revisit. */
  add(revisit: ArchiveRecord): void {
    this.addNames(namesInRevisit(revisit))
  }

  /** Adds a reference by its names. Equal references are counted, not stored again. */
  addNames(names: string[]): void {
    const key = names.join('\n')
    const known = this.#all.get(key)
    if (known) {
      known.revisits += 1
      return
    }
    if (this.#all.size >= originalsMax) {
      this.overflow = true
      return
    }
    const reference = { names, revisits: 1, rank: names.length, original: undefined }
    this.#all.set(key, reference)
    for (const name of names) {
      const others = this.#byName.get(name)
      if (others) others.push(reference)
      else this.#byName.set(name, [reference])
    }
  }

  /** Examines a record that may be the original of some revisits. */
  meet(file: string, record: ArchiveRecord, selected: boolean): void {
    if (!canBeOriginal(record)) return
    for (const name of namesOfOriginal(record)) {
      for (const reference of this.#byName.get(name) ?? []) {
        const rank = reference.names.indexOf(name)
        if (rank >= reference.rank) continue
        reference.rank = rank
        const id = recordField(record, 'warc-record-id')
        reference.original = { place: placeOf(file, record), id, bytes: record.blockBytes, selected }
      }
    }
  }

  /** Returns the originals that were found, each once. */
  originals(): Original[] {
    const met = [...this.#all.values()].flatMap(({ original }) => original ?? [])
    return [...new Map(met.map((original) => [original.place, original])).values()]
  }

  /** Returns the number of revisits whose original was not found. */
  lacking(): number {
    return [...this.#all.values()].reduce((sum, { original, revisits }) => sum + (original ? 0 : revisits), 0)
  }
}

/** Requests and metadata that belong to the captures of a selection by ID alone. */
class Companions {
  #captures = new Set<string>()
  #named = new Set<string>()
  overflow = false

  /** Adds a capture of the selection. */
  add(capture: ArchiveRecord): void {
    const id = recordField(capture, 'warc-record-id')
    if (id !== undefined) this.addId(id)
    // In files of wget the response names its request, in others the request its response.
    for (const other of recordFields(capture, 'warc-concurrent-to')) this.#keep(this.#named, other)
  }

  /** Adds a capture by its ID, as in its record, with `<` and `>`. */
  addId(id: string): void {
    this.#keep(this.#captures, id)
  }

  /** Whether the record is a request, metadata or conversion of one of the captures. */
  has(record: ArchiveRecord): boolean {
    if (!companionTypes.has(record.type)) return false
    if (this.#named.has(recordField(record, 'warc-record-id') ?? '')) return true
    const others = [...recordFields(record, 'warc-concurrent-to'), ...recordFields(record, 'warc-refers-to')]
    return others.some((id) => this.#captures.has(id))
  }

  #keep(ids: Set<string>, id: string): void {
    if (ids.size < idsMax) ids.add(id)
    else this.overflow = true
  }
}

/** Types of records that belong to a capture. */
const companionTypes = new Set(['request', 'metadata', 'conversion'])

/**
 * Selection of records: `survey` in a first reading, `meet` in a second one if there are revisits, `has` in the last. Records that describe
 * a file are not chosen for themselves.
 */
export class Choice {
  readonly references = new References()
  readonly companions = new Companions()
  #originals = new Set<string>()
  /** Originals of duplicates, by file and offset. */
  #places = new Set<string>()
  #selects: (record: Dated) => boolean
  #chosen: Narrowing['places']

  constructor(narrowing: Narrowing) {
    this.#selects = selector(narrowing)
    this.#chosen = narrowing.places
  }

  /** Examines a record of the first reading. Returns whether it belongs to the narrowing. */
  survey(file: string, record: ArchiveRecord): boolean {
    if (isInfo(record) || !this.#isSelected(file, record)) return false
    if (isCapture(record)) this.companions.add(record)
    if (record.type === 'revisit') this.references.add(record)
    return true
  }

  /** Examines a record of the second reading. */
  meet(file: string, record: ArchiveRecord): void {
    this.references.meet(file, record, this.#isSelected(file, record))
  }

  /** Adds the originals that were found outside the narrowing. */
  addOriginals(): { records: number; bytes: number } {
    const added = this.references.originals().filter(({ selected }) => !selected)
    for (const { place, id } of added) {
      this.#originals.add(place)
      if (id !== undefined) this.companions.addId(id)
    }
    return { records: added.length, bytes: added.reduce((sum, { bytes }) => sum + bytes, 0) }
  }

  /** Adds a record whatever its URL and date, as the original of a selected duplicate. */
  addPlace({ filename, offset }: { filename: string; offset: number }): void {
    if (this.#places.size < originalsMax) this.#places.add(`${offset} ${filename}`)
    else this.references.overflow = true
  }

  /** Whether a record is to be written. */
  has(file: string, record: ArchiveRecord): boolean {
    if (isInfo(record)) return false
    if (this.#isSelected(file, record) || this.companions.has(record)) return true
    return this.#originals.has(placeOf(file, record)) || this.#places.has(`${record.offset} ${file}`)
  }

  #isSelected(file: string, record: ArchiveRecord): boolean {
    if (this.#chosen && !(isCapture(record) && this.#chosen.get(file)?.has(record.offset))) return false
    return this.#selects(record)
  }
}
