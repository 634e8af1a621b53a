/** Keeps records that were read completely and verified, and were read before: most resources of a page are requested again by the
 *  next page of its site. A record that is read once is not kept, because new memory for each one would cost more than most of
 *  them save. Not for longer than `cachedRecordMsMax`: a kept record is what was archived even when its file is damaged
 *  meanwhile, but the viewer should soon report that it cannot read the file. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { World } from '../../world/world.ts'
import { cachedBodyBytesMax, cachedRecordMsMax, placesSeenMax, recordHeadBytesGuess } from '../model/limits.ts'
import type { ArchivedRecord, RecordPlace } from './openedRecord.ts'

/** Where a record is, and the URL that it was found to have. */
type Place = Pick<RecordPlace, 'filename' | 'offset' | 'url'>

/** Records in memory. The least recently used are dropped first. */
export interface RecordCache {
  /** Returns the record that was kept for this place, or undefined. */
  get(place: Place): ArchivedRecord | undefined
  /** Keeps a record that was given before, if its body is in memory and small enough. */
  put(place: Place, record: ArchivedRecord): void
  close(): Promise<void>
}

interface Kept {
  record: ArchivedRecord
  bytes: number
  readMs: number
}

interface Parts extends Pick<World, 'clock'> {
  /** Memory of all records. Called for each record, so that a change takes effect at once. 0: none is kept. */
  bytesMax: () => number
}

/** Makes an empty cache. */
export function openRecordCache({ bytesMax, clock }: Parts): RecordCache {
  /** Records by place, the least recently used first. */
  const kept = new Map<string, Kept>()
  /** Places of records that were given, the least recent first. */
  const seen = new Set<string>()
  const closing = new AbortController()
  let keptBytes = 0
  let cleaning: Promise<void> | undefined

  function drop(key: string, { bytes }: Kept): void {
    kept.delete(key)
    keptBytes -= bytes
  }

  const isExpired = ({ readMs }: Kept) => clock.elapsed() - readMs >= cachedRecordMsMax

  /** Frees the memory of records that no one requests any more. */
  async function dropExpired(): Promise<void> {
    while (kept.size > 0 && !closing.signal.aborted) {
      await sleepUnlessAborted(clock, cachedRecordMsMax, closing.signal)
      for (const [key, each] of kept) if (isExpired(each)) drop(key, each)
    }
    cleaning = undefined
  }

  return {
    get(place) {
      const key = keyOf(place)
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      if (isExpired(found)) {
        keptBytes -= found.bytes
        return undefined
      }
      kept.set(key, found)
      return found.record
    },
    put(place, { item: { type, fields, url, date }, ...record }) {
      const limitBytes = bytesMax()
      const held = record.body instanceof Uint8Array ? record.body : undefined
      if (limitBytes > 0 && held && held.length <= cachedBodyBytesMax && wasSeen(seen, place)) {
        const body = ofOwnBuffer(held)
        const bytes = body.buffer.byteLength + recordHeadBytesGuess
        const key = keyOf(place)
        const before = kept.get(key)
        if (before) drop(key, before)
        // The reader of the item would keep the compressed bytes too.
        const item = { type, fields, url, date }
        kept.set(key, { record: { ...record, item, body }, bytes, readMs: clock.elapsed() })
        keptBytes += bytes
      }
      for (const [oldest, each] of kept) {
        if (keptBytes <= limitBytes) break
        drop(oldest, each)
      }
      if (kept.size > 0 && !closing.signal.aborted) cleaning ??= dropExpired()
    },
    async close() {
      closing.abort()
      kept.clear()
      await cleaning
    },
  }
}

/** Whether a record was read before. Remembers this place for the next time. */
function wasSeen(seen: Set<string>, { filename, offset }: Place): boolean {
  // Without the URL, which may be long.
  const key = `${offset} ${filename}`
  const isKnown = seen.delete(key)
  seen.add(key)
  const [oldest] = seen.size > placesSeenMax ? seen : []
  if (oldest !== undefined) seen.delete(oldest)
  return isKnown
}

/** Copies bytes that are a small part of a large buffer, which would be kept as a whole. */
function ofOwnBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength > 2 * bytes.length ? new Uint8Array(bytes) : bytes
}

function keyOf({ filename, offset, url }: Place): string {
  return `${offset} ${filename} ${url}`
}
