/** What whoever repairs or brings back saw of one copy, written down in one transaction: its state, when it was read, the
 *  sighting, and a deed where it says something new. Checks write theirs down with their own counts (`looking.ts`). */
import { preservationStates } from '../contract/states.ts'
import { mover } from '../storage/guard.ts'
import type { Store } from '../storage/storage.ts'
import type { Clock } from '../world/world.ts'
import type { FileRow } from './archive.sql.ts'
import { auditTrail } from './audit.ts'
import { preservationStatements } from './preservation.sql.ts'
import { repairStatements } from './repair.sql.ts'
import type { Look } from './repairConditions.ts'
import { openSightings, sightedBy } from './sightings.ts'
import type { ChecksumReply } from './storeMachine.ts'
import { verdictOn, type Seen } from './verdict.ts'

export interface Noted {
  file: FileRow
  replica: string
  look: Look
  who: string
  /** What was seen is what was just written there. */
  isBrought?: boolean
}

export function lookNotes(store: Store, clock: Clock): (noted: Noted) => void {
  const statements = repairStatements(store)
  const { noteCopy } = preservationStatements(store)
  const moveCopy = mover(store, preservationStates, { table: 'replica_file', column: 'preservation_state' })
  const sightings = openSightings(store)
  const trail = auditTrail(store)

  return ({ file, replica, look, who, isBrought = false }) => {
    const copy = statements.copy.get({ file: file.id, replica })
    // Of one that was never stored there is nothing to preserve yet.
    if (look.kind === 'away' || copy?.upload !== 'UPLOAD_COMPLETED') return
    const seen: Seen = look.kind === 'checksum' ? { ...look, kind: 'hashed', bytes: look.bytes ?? file.bytes } : look
    const verdict = verdictOn(file, seen)
    const { event, problem } = verdict
    const sighted = sightedBy(seen, verdict)
    const nowMs = clock.now()
    const hashed = seen.kind === 'hashed' ? seen : undefined
    store.transaction(() => {
      noteCopy.run({
        id: copy.id,
        nowMs,
        verifiedMs: hashed ? nowMs : null,
        sha256: hashed?.sha256 ?? null,
        bytes: hashed?.bytes ?? null,
        changed: problem && !hashed ? 1 : 0,
      })
      sightings.note(copy.id, isBrought && !problem ? { ...sighted, seen: 'stored' } : sighted, nowMs)
      const became = moveCopy(copy.id, event)
      const wasBad = copy.preservation === 'MISSING' || copy.preservation === 'CORRUPT'
      if (became === undefined || !(problem || wasBad)) return
      const was = { replica, state: copy.preservation }
      const what = problem ? 'finding' : 'inOrderAgain'
      trail.append({ who, what, subject: file.name, was, became: { replica, state: became, ...problem } }, nowMs)
    })
  }
}

export function lookOf(lies: ChecksumReply): Look {
  if (lies.kind === 'found') return { kind: 'checksum', sha256: lies.sha256, bytes: null }
  return lies.kind === 'empty' ? { kind: 'absent' } : { kind: 'away', text: lies.problem.text }
}
