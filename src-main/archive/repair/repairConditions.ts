/** The conditions for the repair of a copy, as a list for the user: each has a sentence and is open, met or failed. Pure functions on
 *  evidence that the caller has just gathered. The conditions are those of NetarchiveSuite's correction of a bad copy (file-based and
 *  database-based bit preservation) and one more: the good copy is read again, which its database variant omits. */
import type { RepairCondition } from '../../contract/services/repairs.ts'
import type { Look } from '../copies/verdict.ts'
import { vote, type Said } from '../copies/vote.ts'
import { sentence } from '../files/sentence.ts'

/** The result of reading one copy. */
export interface SeenCopy {
  replica: string
  look: Look
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
  noRoom: string | undefined
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

type Verdict = Pick<RepairCondition, 'state' | 'sentence' | 'code'>

/** Result of reading the copy to be repaired. */
export function lookAtTarget({ copies, replica }: Evidence): Look {
  const copy = copies.find((each) => each.replica === replica)
  if (!copy) throw new Error(`nobody looked at replica ${replica}`)
  return copy.look
}

/** Kind of repair that the evidence calls for. */
export function kindOf(evidence: Evidence): RepairKind {
  const look = lookAtTarget(evidence)
  if (look.kind === 'absent') return 'restore'
  if (look.kind !== 'checksum' || look.sha256 !== evidence.registered) return 'replace'
  // Another store is enough; it writes nothing where the file already exists.
  return evidence.isStored ? 'right' : 'restore'
}

/** Source of the good copy: the first suitable replica in the order of the settings. */
export function sourceOf({ copies, replica, registered }: Evidence): string | undefined {
  return copies.find(
    (copy) =>
      copy.replica !== replica && copy.canGive && copy.look.kind === 'checksum' && copy.look.sha256 === registered,
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
    ...(isReplacement ? [action('setAside', 'The bad copy is moved to the attic of its replica.')] : []),
    action('brought', `The good copy is copied to replica ${evidence.replica} and read back there.`),
    action('goodAfter', 'The good copy is read once more at its source.'),
  ]
}

function action(condition: RepairCondition['condition'], sentence: string): RepairCondition {
  return { condition, state: 'open', sentence }
}

function replicaUsable(evidence: Evidence): Verdict {
  const look = lookAtTarget(evidence)
  if (look.kind === 'away') return failed(look.text)
  if (evidence.noRoom !== undefined) return { ...failed(evidence.noRoom), code: 'noSpace' }
  return met(`Replica ${evidence.replica} is usable and has enough space.`)
}

function goodCopy(evidence: Evidence): Verdict {
  const { name, replica, copies } = evidence
  const source = sourceOf(evidence)
  if (source !== undefined)
    return met(`The copy in replica ${source} was just read and has the registered checksum ${evidence.registered}.`)
  if (evidence.unread.length > 0) return stillReading(evidence)
  const others = copies.filter((copy) => copy.replica !== replica)
  const reasons = others.map(({ replica: other, look, canGive }) => {
    const isOnlyAChecksum = !canGive && look.kind === 'checksum'
    return isOnlyAChecksum ? `${other} holds only checksums` : `the copy in ${other} ${reasonOf(look)}`
  })
  return failed(`No other replica has a good copy of ${name}: ${reasons.join('; ') || 'there is no other replica'}.`)
}

function stillReading({ unread }: Evidence): Verdict {
  return {
    state: 'open',
    sentence: `Not read yet: ${unread.join(', ')}.`,
  }
}

/** Describes the result of reading a copy, as the end of a sentence. */
export function reasonOf(look: Look): string {
  if (look.kind === 'absent') return 'is missing'
  return look.kind === 'checksum' ? `is ${look.sha256}` : `cannot be read (${look.text})`
}

/** The registered checksum has a vote; `vote.ts` gives the reasons. */
function majority(evidence: Evidence): Verdict {
  if (evidence.unread.length > 0) return stillReading(evidence)
  const { registered, copies } = evidence
  const { winner, votes, needed } = vote({
    registered,
    copies: copies.map(({ replica, look }) => ({ replica, said: saidOf(look) })),
  })
  if (winner === registered)
    return met(`${votes} of ${copies.length + 1} votes are for the registered checksum (${needed} needed).`)
  if (winner === null)
    return failed(`No checksum has a majority: the best one has ${votes} of the ${needed} votes needed.`)
  return failed(
    `The copies agree on ${winner}, but the registered checksum is ${registered}. Find out which one is right before you repair anything.`,
  )
}

function saidOf(look: Look): Said {
  if (look.kind === 'checksum') return { kind: 'checksum', checksum: look.sha256 }
  return look.kind === 'absent' ? { kind: 'missing' } : { kind: 'unknown' }
}

function asConfirmed(evidence: Evidence, confirmed: Confirmed | undefined): Verdict {
  const look = lookAtTarget(evidence)
  const { replica } = evidence
  if (look.kind === 'away') return failed(`The copy in replica ${replica} cannot be read: ${look.text}`)
  const [now, isNow] = nowIn(replica, look)
  if (!confirmed) {
    const what = now === unread ? 'it may be moved to the attic without being read' : 'this is what you expect'
    return { state: 'open', sentence: `${isNow}: confirm that ${what}.` }
  }
  if (confirmed.found === now) return met(`${isNow}, as confirmed.`)
  return failed(`${isNow} now, but ${saidToBe(confirmed.found)} was confirmed. Check the copy again.`)
}

/** The value to confirm, and the beginning of a sentence about it. */
function nowIn(replica: string, look: Exclude<Look, { kind: 'away' }>): [string | null, string] {
  if (look.kind === 'absent') return [null, `Replica ${replica} has no file of this name`]
  if (look.kind === 'checksum') return [look.sha256, `Replica ${replica} has ${look.sha256}`]
  return [unread, `The copy in replica ${replica} cannot be read (${look.text})`]
}

function saidToBe(found: string | null): string {
  if (found === null) return 'nothing'
  return found === unread ? 'an unreadable copy' : found
}

function differs(evidence: Evidence): Verdict {
  const look = lookAtTarget(evidence)
  // The bytes may be right, but moving them to the attic loses nothing.
  if (look.kind === 'unreadable') return met('Damage confirmed: the copy cannot be read.')
  if (look.kind !== 'checksum') return failed('Its checksum could not be determined.')
  if (look.sha256 === evidence.registered)
    return failed('The copy has the registered checksum. A good copy is never replaced.')
  return met('Damage confirmed: the checksum differs from the registered one.')
}

function expectedIsRegistered({ registered }: Evidence, confirmed: Confirmed | undefined): Verdict {
  if (!confirmed) return { state: 'open', sentence: 'Enter or confirm the checksum that the file should have.' }
  if (confirmed.expected === registered) return met('The expected checksum is the registered one.')
  // The registered checksum is not shown here: the user must know it from another source.
  return failed(`The expected checksum (${confirmed.expected}) is not the registered one.`)
}

function met(sentence: string): Verdict {
  return { state: 'met', sentence }
}

function failed(text: string): Verdict {
  return { state: 'failed', sentence: sentence(text) }
}
