/** The conditions for the repair of a copy, as a list for the user: each has a message and is open, met or failed. Pure functions on
 *  evidence that the caller has just gathered. The conditions are those of NetarchiveSuite's correction of a bad copy (file-based and
 *  database-based bit preservation) and one more: the good copy is read again, which its database variant omits. */
import type { RepairCondition } from '../../contract/services/repairs.ts'
import { joined } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { CopyReading } from '../copies/verdict.ts'
import { vote, type Answer } from '../copies/vote.ts'

/** The result of reading one copy. */
export interface SeenCopy {
  replica: string
  reading: CopyReading
  /** Whether the bytes can be copied from this replica. */
  canGive: boolean
}

/** Everything that the conditions are evaluated on. */
export interface Evidence {
  name: string
  /** Replica whose copy is to be repaired. */
  replica: string
  registered: string
  /** Whether its copy counts as stored. A copy whose upload reply was lost does not, although it may be right. */
  isStored: boolean
  /** Copies that were just read: the one to be repaired, and others. */
  copies: readonly SeenCopy[]
  /** Replicas that are still to be read. */
  unread: readonly string[]
  /** Reason why the good copy would not fit; undefined when it does. */
  noRoom: Message | undefined
}

/** Confirms that a copy may be moved to the attic although it cannot be read. */
const unread = 'unreadable'

/** Values that the user confirms: the checksum that the file should have, and what was found: a checksum, `unread`, or null for no
 *  file. */
export interface Confirmed {
  expected: string
  found: string | null
}

/** `restore`: no file has the name, or the right bytes are there but do not count as stored. `right`: the copy is in order. */
export type RepairKind = 'restore' | 'replace' | 'right'

type Verdict = Pick<RepairCondition, 'state' | 'message' | 'code'>

/** Result of reading the copy to be repaired. */
export function targetReading({ copies, replica }: Evidence): CopyReading {
  const copy = copies.find((each) => each.replica === replica)
  if (!copy) throw new Error(`the copy in replica ${replica} was not read`)
  return copy.reading
}

/** Kind of repair that the evidence calls for. */
export function kindOf(evidence: Evidence): RepairKind {
  const reading = targetReading(evidence)
  if (reading.kind === 'absent') return 'restore'
  if (reading.kind !== 'checksum' || reading.sha256 !== evidence.registered) return 'replace'
  // Another store is enough; it writes nothing where the file already exists.
  return evidence.isStored ? 'right' : 'restore'
}

/** Source of the good copy: the first suitable replica in the order of the settings. */
export function sourceOf({ copies, replica, registered }: Evidence): string | undefined {
  return copies.find(
    (copy) =>
      copy.replica !== replica &&
      copy.canGive &&
      copy.reading.kind === 'checksum' &&
      copy.reading.sha256 === registered,
  )?.replica
}

/** Evaluates the conditions. Without `confirmed`, those that the user must confirm are open. */
export function conditionsOf(evidence: Evidence, confirmed?: Confirmed): RepairCondition[] {
  const isReplacement = kindOf(evidence) !== 'restore'
  return [
    { condition: 'replicaUsable', ...replicaUsable(evidence) },
    { condition: 'goodCopy', ...goodCopy(evidence) },
    { condition: 'majority', ...majority(evidence) },
    { condition: 'asConfirmed', ...asConfirmed(evidence, confirmed) },
    ...(isReplacement ? [{ condition: 'differs' as const, ...differs(evidence) }] : []),
    { condition: 'expected', ...expectedIsRegistered(evidence, confirmed) },
    ...(isReplacement ? [action('setAside', message('repair.setAside'))] : []),
    action('restored', message('repair.restoring', { replica: evidence.replica })),
    action('goodAfter', message('repair.readSource')),
  ]
}

function action(condition: RepairCondition['condition'], what: Message): RepairCondition {
  return { condition, state: 'open', message: what }
}

function replicaUsable(evidence: Evidence): Verdict {
  const reading = targetReading(evidence)
  if (reading.kind === 'away') return failed(reading.message)
  if (evidence.noRoom !== undefined) return { ...failed(evidence.noRoom), code: 'noSpace' }
  return met(message('repair.usable', { replica: evidence.replica }))
}

function goodCopy(evidence: Evidence): Verdict {
  const { name, replica, registered, copies } = evidence
  const source = sourceOf(evidence)
  if (source !== undefined) return met(message('repair.source', { replica: source, sha256: registered }))
  if (evidence.unread.length > 0) return stillReading(evidence)
  const others = copies.filter((copy) => copy.replica !== replica)
  const reasons = others.map(({ replica: other, reading, canGive }) =>
    !canGive && reading.kind === 'checksum'
      ? message('repair.copy.onlyChecksums', { replica: other })
      : copyMessage(other, reading),
  )
  return failed(noSource(name, reasons))
}

/** No other replica has a good copy. `reasons`: one for each of them. */
export function noSource(name: string, reasons: readonly Message[]): Message {
  return message('repair.noSource', {
    name,
    reasons: reasons.length === 0 ? message('repair.noSource.alone') : joined(reasons),
  })
}

function stillReading({ unread }: Evidence): Verdict {
  return { state: 'open', message: message('repair.unread', { replicas: unread.join(', ') }) }
}

/** The result of reading a copy. */
export function copyMessage(replica: string, reading: CopyReading): Message {
  if (reading.kind === 'absent') return message('repair.copy.missing', { replica })
  if (reading.kind === 'checksum') return message('repair.copy.checksum', { replica, sha256: reading.sha256 })
  return message('copy.unreadable.in', { replica, reason: reading.message })
}

/** The registered checksum has a vote; `vote.ts` gives the reasons. */
function majority(evidence: Evidence): Verdict {
  if (evidence.unread.length > 0) return stillReading(evidence)
  const { registered, copies } = evidence
  const { winner, votes, needed } = vote({
    registered,
    copies: copies.map(({ replica, reading }) => ({ replica, answer: answerOf(reading) })),
  })
  if (winner === registered) return met(message('repair.majority', { votes, total: copies.length + 1, needed }))
  if (winner === null) return failed(message('repair.noMajority', { votes, needed }))
  return failed(message('repair.otherMajority', { winner, registered }))
}

function answerOf(reading: CopyReading): Answer {
  if (reading.kind === 'checksum') return { kind: 'checksum', checksum: reading.sha256 }
  return reading.kind === 'absent' ? { kind: 'missing' } : { kind: 'unknown' }
}

function asConfirmed(evidence: Evidence, confirmed: Confirmed | undefined): Verdict {
  const reading = targetReading(evidence)
  const { replica } = evidence
  if (reading.kind === 'away') return failed(message('copy.unreadable.in', { replica, reason: reading.message }))
  const { value, found } = toConfirm(replica, reading)
  if (!confirmed) {
    const code = value === unread ? 'repair.confirm.unread' : 'repair.confirm'
    return { state: 'open', message: message(code, { found }) }
  }
  if (confirmed.found === value) return met(message('repair.confirmed', { found }))
  return failed(message('repair.notConfirmed', { found, confirmed: confirmedMessage(confirmed.found) }))
}

/** The value to confirm, and what was found. */
function toConfirm(
  replica: string,
  reading: Exclude<CopyReading, { kind: 'away' }>,
): { value: string | null; found: Message } {
  if (reading.kind === 'absent') return { value: null, found: message('repair.found.nothing', { replica }) }
  if (reading.kind === 'checksum')
    return { value: reading.sha256, found: message('repair.found.checksum', { replica, sha256: reading.sha256 }) }
  return { value: unread, found: copyMessage(replica, reading) }
}

function confirmedMessage(found: string | null): Message | string {
  if (found === null) return message('repair.confirmed.nothing')
  return found === unread ? message('repair.confirmed.unreadable') : found
}

function differs(evidence: Evidence): Verdict {
  const reading = targetReading(evidence)
  // The bytes may be right, but moving them to the attic loses nothing.
  if (reading.kind === 'unreadable') return met(message('repair.differs.unreadable'))
  if (reading.kind !== 'checksum') return failed(message('repair.differs.unknown'))
  if (reading.sha256 === evidence.registered) return failed(message('repair.same'))
  return met(message('repair.differs'))
}

function expectedIsRegistered({ registered }: Evidence, confirmed: Confirmed | undefined): Verdict {
  if (!confirmed) return { state: 'open', message: message('repair.expected.enter') }
  if (confirmed.expected === registered) return met(message('repair.expected'))
  // The registered checksum is not shown here: the user must know it from another source.
  return failed(message('repair.expected.wrong', { expected: confirmed.expected }))
}

function met(what: Message): Verdict {
  return { state: 'met', message: what }
}

function failed(why: Message): Verdict {
  return { state: 'failed', message: why }
}
