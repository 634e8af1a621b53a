/** What a look at one copy means: the finding, and the move of its preservation state. A pure table; who looks is
 *  `preservation.ts`. */
import type { preservationStates } from '../../contract/states/states.ts'

export type Finding = 'missing' | 'wrongLength' | 'wrongChecksum' | 'unreadable'
export type PreservationEvent = (typeof preservationStates.moves)[number]['event']

/** What was seen. `present` is the look of a missing-file check, which reads no bytes. */
export type Seen =
  | { kind: 'absent' }
  | { kind: 'unreadable'; text: string }
  | { kind: 'present'; bytes: number }
  | { kind: 'hashed'; bytes: number; sha256: string }

/** `away`: the replica cannot be used, so nothing is known of its copy. */
export type Look =
  | { kind: 'checksum'; sha256: string; bytes: number | null }
  | { kind: 'absent' }
  | { kind: 'unreadable'; text: string }
  | { kind: 'away'; text: string }

export interface Verdict {
  event: PreservationEvent
  /** Undefined when the copy is as it should be. */
  problem: { finding: Finding; expected: string; found: string | null } | undefined
}

export function verdictOn(expected: { bytes: number; sha256: string }, seen: Seen): Verdict {
  const length = `${expected.bytes} bytes`
  if (seen.kind === 'absent') return bad('lost', 'missing', length, null)
  // The state has no "unreadable": bytes that cannot be read are not those that were stored, and must not stay "verified".
  if (seen.kind === 'unreadable') return bad('changed', 'unreadable', length, seen.text)
  if (seen.bytes !== expected.bytes) return bad('changed', 'wrongLength', length, `${seen.bytes} bytes`)
  if (seen.kind === 'present') return { event: 'found', problem: undefined }
  if (seen.sha256 !== expected.sha256) return bad('changed', 'wrongChecksum', expected.sha256, seen.sha256)
  return { event: 'verified', problem: undefined }
}

function bad(event: PreservationEvent, finding: Finding, expected: string, found: string | null): Verdict {
  return { event, problem: { finding, expected, found } }
}
