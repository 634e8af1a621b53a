/** A first reading of the files, for a narrowed selection: what its revisits refer to, which requests and metadata belong to
 *  it by ID, and how much there will be to write. Nothing of a file is kept but these. */
import { parseTimestamp, timestamp14 } from '../../formats/cdx/timestamp.ts'
import { surt } from '../../formats/cdx/surt.ts'
import { recordField, recordFields, type ArchiveRecord } from '../../formats/records/record.ts'
import { isCapture, isInfo } from './recordKinds.ts'
import { idsMax, originalsMax } from './limits.ts'
import type { Dated } from './selection.ts'

/** Which record of which file, as a key. */
function placeOf(file: string, { offset, number }: Pick<ArchiveRecord, 'offset' | 'number'>): string {
  return `${offset} ${number} ${file}`
}

/** Names under which an original may be referred to, and those that a revisit has for it: the surest first. */
function namesOfOriginal(record: ArchiveRecord): string[] {
  return [
    idName(recordField(record, 'warc-record-id')),
    momentName(record.url, record.date),
    digestName(recordField(record, 'warc-payload-digest')),
  ].filter((name) => name !== undefined)
}

/** WARC 1.1, 6.7: the original by its ID, or by its address and date (both optional). Before these fields were standard,
 *  and in archives that deduplicate by digest alone, only the payload digest says which it was. */
function namesInRevisit(record: ArchiveRecord): string[] {
  return referenceNames({
    id: recordField(record, 'warc-refers-to'),
    url: recordField(record, 'warc-refers-to-target-uri'),
    date: recordField(record, 'warc-refers-to-date'),
    digest: recordField(record, 'warc-payload-digest'),
  })
}

/** What a revisit says of its original. */
export interface Reference {
  id: string | undefined
  url: string | undefined
  date: string | undefined
  digest: string | undefined
}

export function referenceNames({ id, url, date, digest }: Reference): string[] {
  return [idName(id), momentName(url, date), digestName(digest)].filter((name) => name !== undefined)
}

function idName(id: string | undefined): string | undefined {
  return id === undefined ? undefined : `id ${id}`
}

/** To the second: the two dates are often written with different precision. */
function momentName(url: string | undefined, date: string | undefined): string | undefined {
  const dateMs = date === undefined ? undefined : parseTimestamp(date)
  return url === undefined || dateMs === undefined ? undefined : `at ${timestamp14(dateMs)} ${surt(url)}`
}

function digestName(digest: string | undefined): string | undefined {
  return digest === undefined ? undefined : `digest ${digest}`
}

/** An original has a payload to give. */
function canBeOriginal({ type }: ArchiveRecord): boolean {
  return type === 'response' || type === 'resource'
}

interface Followed {
  names: string[]
  revisits: number
  /** Which of its names is the best that a record answered to so far; `names.length`: none did. */
  rank: number
  original: Original | undefined
}

interface Original {
  place: string
  id: string | undefined
  bytes: number
  /** It belongs to the selection by itself. */
  selected: boolean
}

/** What revisits refer to, and whether it was met. */
export class References {
  #all = new Map<string, Followed>()
  #byName = new Map<string, Followed[]>()
  /** More different originals than are followed. */
  overflow = false

  get empty(): boolean {
    return this.#all.size === 0
  }

  add(revisit: ArchiveRecord): void {
    this.addNames(namesInRevisit(revisit))
  }

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

  /** A record that may be the original of some. */
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

  /** Those that were met, each once. */
  originals(): Original[] {
    const met = [...this.#all.values()].flatMap(({ original }) => original ?? [])
    return [...new Map(met.map((original) => [original.place, original])).values()]
  }

  /** Revisits whose original was not met. */
  lacking(): number {
    return [...this.#all.values()].reduce((sum, { original, revisits }) => sum + (original ? 0 : revisits), 0)
  }
}

/** By ID alone: which requests and metadata belong to the captures of a selection. */
class Companions {
  #captures = new Set<string>()
  #named = new Set<string>()
  overflow = false

  /** A capture of the selection. */
  add(capture: ArchiveRecord): void {
    const id = recordField(capture, 'warc-record-id')
    if (id !== undefined) this.addId(id)
    // wget lets the response name its request, others the request its response.
    for (const other of recordFields(capture, 'warc-concurrent-to')) this.#keep(this.#named, other)
  }

  addId(id: string): void {
    this.#keep(this.#captures, id)
  }

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

const companionTypes = new Set(['request', 'metadata', 'conversion'])

/** Chooses records: `survey` in a first reading, `meet` in a second one where there are revisits, `has` in the last. What
 *  describes a file is not chosen for itself. */
export class Choice {
  readonly references = new References()
  readonly companions = new Companions()
  #originals = new Set<string>()
  /** By file and offset: the originals of duplicates. */
  #places = new Set<string>()
  #selects: (record: Dated) => boolean

  constructor(selects: (record: Dated) => boolean) {
    this.#selects = selects
  }

  survey(record: ArchiveRecord): boolean {
    if (isInfo(record) || !this.#selects(record)) return false
    if (isCapture(record)) this.companions.add(record)
    if (record.type === 'revisit') this.references.add(record)
    return true
  }

  meet(file: string, record: ArchiveRecord): void {
    this.references.meet(file, record, this.#selects(record))
  }

  /** Those that were met and are outside the narrowing. */
  addOriginals(): { records: number; bytes: number } {
    const added = this.references.originals().filter(({ selected }) => !selected)
    for (const { place, id } of added) {
      this.#originals.add(place)
      if (id !== undefined) this.companions.addId(id)
    }
    return { records: added.length, bytes: added.reduce((sum, { bytes }) => sum + bytes, 0) }
  }

  /** A record belongs to the selection, whatever its address and date: it is the original of a duplicate in it. */
  addPlace({ filename, offset }: { filename: string; offset: number }): void {
    if (this.#places.size < originalsMax) this.#places.add(`${offset} ${filename}`)
    else this.references.overflow = true
  }

  has(file: string, record: ArchiveRecord): boolean {
    if (isInfo(record)) return false
    if (this.#selects(record) || this.companions.has(record)) return true
    return this.#originals.has(placeOf(file, record)) || this.#places.has(`${record.offset} ${file}`)
  }
}
