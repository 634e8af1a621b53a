/** Gathers the captures that match, what their pages need to be displayed, and the originals of revisits among both. What a page embeds is
 *  looked up as the viewer does: the capture nearest to that of the page. What scripts load when they run is not known here. */
import type { CaptureIndex } from '../captures/captureIndex.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import type { MatchedCapture } from '../model/matchedCapture.ts'
import {
  embeddedKeptMax,
  embeddedStepsMax,
  embeddedTriedMax,
  matchedPlacesMax,
  matchedUrlsMax,
} from '../model/limits.ts'
import { mayNeed, type ReadRecord, type RecordPlace, type RecordReading } from './embedded.ts'
import type { Matches } from './matches.ts'

interface Parts {
  index: Pick<CaptureIndex, 'candidates' | 'originals'>
  records: Pick<RecordReading, 'at'>
  /** Whether the caller may have a capture, and a replica provides its file. */
  isUsable(capture: IndexedCapture): boolean
  signal: AbortSignal
}

/** A capture on the way from a page to what it needs. */
interface Step {
  place: RecordPlace
  /** Its URL, if the record is the original of it. */
  asUrl: string | undefined
  depth: number
}

/** Captures that match, with what their pages need. */
export class Gathering {
  readonly #parts: Parts
  readonly #places = new Map<string, Set<number>>()
  readonly #duplicates = new Map<string, IndexedCapture>()
  readonly #absent = new Set<string>()
  readonly #urls = new Set<string>()
  /** Records that were read, by their place, and the number of URLs in them. */
  readonly #read = new Map<string, ReadRecord>()
  #urlsKept = 0
  #count = 0
  #matched = 0
  #isCut = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Adds a capture that matches, and what it needs. Rejects with the signal's reason. */
  async add({ url, timestampMs, ...place }: MatchedCapture, duplicate?: IndexedCapture): Promise<void> {
    this.#matched += 1
    if (this.#urls.size < matchedUrlsMax) this.#urls.add(url)
    if (duplicate) this.#addDuplicate(duplicate)
    const steps: Step[] = [{ place, asUrl: duplicate?.url, depth: 0 }]
    const seen = new Set([nameOf(place)])
    for (let step = steps.pop(); step; step = steps.pop()) {
      this.#parts.signal.throwIfAborted()
      if (!this.#addPlace(step.place)) return
      const { depth } = step
      for (const embedded of await this.#embeddedIn(step)) {
        const found = depth < embeddedStepsMax ? this.#find(embedded, timestampMs) : undefined
        if (!found || seen.has(nameOf(found))) continue
        seen.add(nameOf(found))
        const asUrl = found.recordType === 'duplicate' ? found.url : undefined
        if (asUrl !== undefined) this.#addDuplicate(found)
        if (mayNeed(found) || isReferring(found)) steps.push({ place: found, asUrl, depth: depth + 1 })
        else if (!this.#addPlace(found)) return
      }
    }
  }

  /** What was gathered. */
  get result(): Omit<Matches, 'unavailable'> {
    const duplicates = [...this.#duplicates.values()].toSorted((a, b) =>
      a.filename === b.filename ? a.offset - b.offset : a.filename < b.filename ? -1 : 1,
    )
    return {
      ...{ places: this.#places, duplicates, urls: [...this.#urls] },
      ...{ matched: this.#matched, needed: this.#count - this.#matched },
      ...{ absent: this.#absent.size, isCut: this.#isCut },
    }
  }

  /** The capture that a page of this time would be shown with. */
  #find(url: string, atMs: number): IndexedCapture | undefined {
    const asked = { url, moment: { kind: 'nearest' as const, atMs } }
    const found = this.#parts.index.candidates(asked, embeddedTriedMax).find((each) => this.#parts.isUsable(each))
    if (!found && this.#absent.size < matchedPlacesMax) this.#absent.add(url)
    return found
  }

  /** The URLs that a document embeds. Of a revisit, the original is added, and read. */
  async #embeddedIn({ place, asUrl }: Step): Promise<readonly string[]> {
    const read = await this.#readAt(place, asUrl)
    if (read.kind === 'document') return read.embedded
    if (read.kind === 'unreadable') return []
    const originals = this.#parts.index.originals(read.original, embeddedTriedMax).found
    for (const original of originals.filter((each) => this.#parts.isUsable(each))) {
      const content = await this.#readAt(original, read.url)
      if (content.kind !== 'document') continue
      this.#addPlace(original)
      return content.embedded
    }
    return []
  }

  async #readAt(place: RecordPlace, asUrl: string | undefined): Promise<ReadRecord> {
    const name = `${nameOf(place)} ${asUrl ?? ''}`
    const known = this.#read.get(name)
    if (known) return known
    const read = await this.#parts.records.at(place, asUrl)
    this.#urlsKept += 1 + (read.kind === 'document' ? read.embedded.length : 0)
    if (this.#urlsKept > embeddedKeptMax) {
      this.#read.clear()
      this.#urlsKept = 0
    }
    this.#read.set(name, read)
    return read
  }

  /** Returns whether there was room. */
  #addPlace({ filename, offset }: RecordPlace): boolean {
    const offsets = this.#places.get(filename) ?? new Set()
    this.#places.set(filename, offsets)
    if (offsets.has(offset)) return true
    if (this.#count >= matchedPlacesMax) {
      this.#isCut = true
      return false
    }
    offsets.add(offset)
    this.#count += 1
    return true
  }

  #addDuplicate(duplicate: IndexedCapture): void {
    this.#duplicates.set(`${duplicate.timestampMs} ${duplicate.url}`, duplicate)
  }
}

/** Whether a capture has no content of its own. */
function isReferring({ recordType }: IndexedCapture): boolean {
  return recordType === 'revisit' || recordType === 'duplicate'
}

function nameOf({ filename, offset }: RecordPlace): string {
  return `${offset} ${filename}`
}
