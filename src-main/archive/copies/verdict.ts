/** Maps the result of checking one copy to a finding and an event of its preservation state. Pure functions; `preservation.ts` runs
 *  the checks. */
import { message, type Message } from '../../contract/words/message.ts'
import type { preservationStates } from '../../contract/states/states.ts'

export type Finding = 'missing' | 'wrongLength' | 'wrongChecksum' | 'unreadable'
export type PreservationEvent = (typeof preservationStates.moves)[number]['event']

/** Result of reading a copy. `present` comes from a check for missing files, which reads no bytes. */
export type Seen =
  | { kind: 'absent' }
  | { kind: 'unreadable'; message: Message }
  | { kind: 'present'; bytes: number }
  | { kind: 'hashed'; bytes: number; sha256: string }

/** Result of asking a replica. `away`: the replica cannot be used, so the state of its copy is unknown. */
export type CopyReading =
  | { kind: 'checksum'; sha256: string; bytes: number | null }
  | { kind: 'absent' }
  | { kind: 'unreadable'; message: Message }
  | { kind: 'away'; message: Message }

/** Meaning of a result: the event of the state table, and the finding. */
export interface Verdict {
  event: PreservationEvent
  /** The finding with expected and found values; undefined when the copy is in order. */
  problem: { finding: Finding; expected: Message; found: Message | null } | undefined
}

/** Compares the result with the registered length and checksum. */
export function verdictOn(expected: { bytes: number; sha256: string }, seen: Seen): Verdict {
  const length = lengthOf(expected.bytes)
  if (seen.kind === 'absent') return bad('lost', 'missing', length, null)
  // There is no state for unreadable copies: a copy that cannot be read must not stay "verified", so it counts as changed.
  if (seen.kind === 'unreadable') return bad('changed', 'unreadable', length, seen.message)
  if (seen.bytes !== expected.bytes) return bad('changed', 'wrongLength', length, lengthOf(seen.bytes))
  if (seen.kind === 'present') return { event: 'found', problem: undefined }
  if (seen.sha256 !== expected.sha256)
    return bad('changed', 'wrongChecksum', checksumOf(expected.sha256), checksumOf(seen.sha256))
  return { event: 'verified', problem: undefined }
}

function lengthOf(count: number): Message {
  return message('copy.bytes', { count })
}

function checksumOf(sha256: string): Message {
  return message('copy.checksum', { sha256 })
}

function bad(event: PreservationEvent, finding: Finding, expected: Message, found: Message | null): Verdict {
  return { event, problem: { finding, expected, found } }
}
