/** Records whose damage was noticed while they were being sent: too late to use another capture for that reply, but not for the
 *  next one. They stay usable, because a record may be repaired or come from another replica later (see `openRecord`). */
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { brokenRecordsMax } from '../model/limits.ts'

type Place = Pick<IndexedCapture, 'filename' | 'offset'>

/** Remembers at most `brokenRecordsMax` records; the oldest are forgotten first. */
export interface BrokenRecords {
  note(place: Place): void
  has(place: Place): boolean
  forget(place: Place): void
}

/** Makes an empty set. */
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
