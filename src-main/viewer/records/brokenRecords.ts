/** Records that turned out to be damaged while they were sent: too late to answer with another one, but in time for whoever asks again.
 *  They are not given up: one may be repaired, or come from another replica next time (see `openRecord`). */
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { brokenRecordsMax } from '../model/limits.ts'

type Place = Pick<IndexedCapture, 'filename' | 'offset'>

export interface BrokenRecords {
  note(place: Place): void
  has(place: Place): boolean
  forget(place: Place): void
}

export function openBrokenRecords(): BrokenRecords {
  const kept = new Set<string>()
  return {
    note(place) {
      kept.add(keyOf(place))
      const [oldest] = kept.size > brokenRecordsMax ? kept : []
      if (oldest !== undefined) kept.delete(oldest)
    },
    has: (place) => kept.has(keyOf(place)),
    forget: (place) => void kept.delete(keyOf(place)),
  }
}

function keyOf({ filename, offset }: Place): string {
  return `${offset} ${filename}`
}
