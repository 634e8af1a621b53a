/** Runs one repair, step by step: reads all copies, evaluates the conditions, moves a bad copy to the attic, writes the good copy, and
 *  reads its source again. Every decision is reported, and the end is recorded in the audit log. */
import type { RepairCondition, RepairOutcome } from '../../contract/services/repairs.ts'
import { endOfRepair, repairStates, type EndedRepairState } from '../../contract/states/repairStates.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import { repairActions } from '../copies/repairActions.ts'
import type { Replica } from '../replica/replica.ts'
import type { Archive } from '../store/archive.ts'
import type { Attic } from './attic.ts'
import type { CopyReader } from './copyEvidence.ts'
import type { RepairStatements } from './repair.sql.ts'
import { conditionsOf, kindOf, targetReading, sourceOf, type Confirmed, type Evidence } from './repairConditions.ts'
import type { RepairOutcomes } from './repairOutcomes.ts'
import { goodCopyWriter, type Course, type Why } from './writeGoodCopy.ts'

/** A repair to run. Only one repair of a file may run at a time. */
export interface RepairToRun {
  file: FileRow
  target: Replica
  confirmed: Confirmed
  who: 'user' | 'recovery'
  signal: AbortSignal
}

export interface RepairRunnerParts {
  archive: Archive
  store: Store
  world: World
  statements: RepairStatements
  reader: CopyReader
  attic: Attic
  outcomes: RepairOutcomes
}

/** End of a repair: its state and the text for the user. */
interface End {
  state: EndedRepairState
  message: Message
}

/** Creates the function that runs a repair and resolves with its outcome. It rejects with the signal's reason when stopped, and with
 *  unexpected errors; the outcome is reported as failed in both cases, so that listeners do not wait forever. */
export function repairRunner(parts: RepairRunnerParts): (repair: RepairToRun) => Promise<RepairOutcome> {
  const { store, world, statements, reader, attic, outcomes } = parts
  const { clock } = world
  const goodCopies = goodCopyWriter(parts)
  const noteEnd = endRecorder(store)

  async function run(repair: RepairToRun): Promise<RepairOutcome> {
    const outcome = begun(repair, clock.now())
    outcomes.report(outcome)
    try {
      const evidence = await gatherEvidence(repair, outcome)
      const end = await steps(repair, outcome, evidence)
      const nowMs = clock.now()
      Object.assign(outcome, { ...end, ended: new Date(nowMs).toISOString() })
      noteEnd(outcome, end.state, evidence, nowMs)
      outcomes.report(outcome)
      return outcome
    } catch (error) {
      const interrupted = message('repair.interrupted', { problem: messageOf(error) })
      Object.assign(outcome, { state: 'FAILED', message: interrupted, ended: new Date(clock.now()).toISOString() })
      outcomes.report(outcome)
      throw error
    }
  }

  async function gatherEvidence({ file, target, confirmed, who, signal }: RepairToRun, outcome: RepairOutcome) {
    const onSeen = (evidence: Evidence) => {
      Object.assign(outcome, {
        kind: kindOf(evidence),
        source: sourceOf(evidence) ?? null,
        conditions: conditionsOf(evidence, confirmed),
      })
      outcomes.report(outcome)
    }
    return reader.evidenceOn(file, target, { who, signal, onSeen })
  }

  async function steps(repair: RepairToRun, outcome: RepairOutcome, evidence: Evidence): Promise<End> {
    const { file, target } = repair
    // The copy may have been repaired in another way since.
    if (outcome.kind === 'right')
      statements.noteReplaced.run({ file: file.id, replica: target.name, nowMs: clock.now() })
    const refusal = outcome.conditions.find(({ state }) => state === 'failed')
    if (refusal || outcome.source === null)
      return { state: 'REFUSED', message: message('repair.refused', { reason: refusal?.message ?? '' }) }
    const course = courseOf(parts, repair, outcome, outcome.source)
    const blocked = outcome.kind === 'replace' ? await setAside(course, outcome, evidence) : undefined
    return blocked ?? replaceCopy(course, outcome)
  }

  /** Moves the bad copy to the attic. Returns the end of the repair when that failed. */
  async function setAside(course: Course, outcome: RepairOutcome, evidence: Evidence): Promise<End | undefined> {
    const { file, target, who, decide } = course
    const found = targetReading(evidence)
    if (found.kind !== 'checksum' && found.kind !== 'unreadable') return undefined
    const isRead = found.kind === 'checksum'
    const taken = await attic.take({
      file,
      replica: target,
      found: isRead ? found : { sha256: null, bytes: null },
      who,
      reason: isRead
        ? message('attic.reason.checksum', { registered: file.sha256 })
        : message('attic.reason.unreadable', { reason: found.message }),
    })
    if (taken.kind === 'kept') {
      decide('setAside', 'met')
      outcome.attic = taken.id
      return undefined
    }
    decide('setAside', 'failed', { message: taken.reason })
    return taken.kind === 'untouched'
      ? { state: 'REFUSED', message: message('repair.notMoved', { reason: taken.reason }) }
      : { state: 'FAILED', message: message('repair.moveUnknown', { reason: taken.reason }) }
  }

  async function replaceCopy(course: Course, outcome: RepairOutcome): Promise<End> {
    const { file, target, source } = course
    const blocker = await goodCopies.write(course)
    if (blocker !== undefined) {
      const values = { reason: blocker.message, replica: target.name }
      return {
        state: 'FAILED',
        message:
          outcome.attic === null
            ? message('repair.failed', values)
            : message('repair.failed.attic', { ...values, entry: outcome.attic }),
      }
    }
    const doubt = await goodCopies.doubtOfSource(course)
    if (doubt !== undefined)
      return { state: 'FAILED', message: message('repair.doubt', { replica: target.name, reason: doubt }) }
    const values = { name: file.name, replica: target.name, source: source.name }
    return { state: 'REPAIRED', message: message('repair.done', values) }
  }

  return run
}

/** The steps of a repair whose conditions are met. Their decisions are reported in the outcome. */
function courseOf(
  { archive, outcomes }: Pick<RepairRunnerParts, 'archive' | 'outcomes'>,
  { file, target, who, signal }: RepairToRun,
  outcome: RepairOutcome,
  sourceName: string,
): Course {
  const source = archive.places.find(({ name }) => name === sourceName)
  if (!source) throw new Error(`replica ${sourceName} left the settings`)
  return {
    ...{ file, target, source, who, signal },
    decide(condition, state, why) {
      outcome.conditions = outcome.conditions.map((each) =>
        each.condition === condition ? { ...each, state, ...(why && reasonOf(why)) } : each,
      )
      outcomes.report(outcome)
    },
  }
}

function begun({ file, target, confirmed, who }: RepairToRun, nowMs: number): RepairOutcome {
  return {
    name: file.name,
    replica: target.name,
    kind: confirmed.found === null ? 'restore' : 'replace',
    state: repairStates.initial,
    source: null,
    attic: null,
    conditions: [],
    message: message('repair.running'),
    by: who,
    begun: new Date(nowMs).toISOString(),
    ended: null,
    audit: null,
  }
}

/** State changes of a condition that failed: its message and fault code. */
function reasonOf({ message: reason, code }: Why): Partial<RepairCondition> {
  return { message: reason, ...(code && { code }) }
}

/** Creates the function that records the end of a repair in the audit log, and its entry in the outcome. */
function endRecorder(
  store: Store,
): (outcome: RepairOutcome, state: EndedRepairState, evidence: Evidence, nowMs: number) => void {
  const noteAction = repairActions(store)
  return (outcome, state, evidence, nowMs) => {
    const { name, replica, kind, source, attic: entry, message: result, by: who } = outcome
    // Recovery retries at every start, and a refusal changes nothing: only refusals to the user are recorded.
    if (who === 'recovery' && state === 'REFUSED') return
    const reading = targetReading(evidence)
    const was = { replica, sha256: reading.kind === 'checksum' ? reading.sha256 : null, seen: reading.kind }
    const isWritten = outcome.conditions.some(({ condition, state: its }) => condition === 'restored' && its === 'met')
    const sha256 = isWritten ? evidence.registered : null
    const became = { replica, kind, source, attic: entry, message: result, ...(state === 'REFUSED' ? {} : { sha256 }) }
    const { auditAction: what, isGood } = endOfRepair(state)
    const action = { who, what, subject: name, was, became, replica, by: who, isRight: isGood ?? undefined }
    outcome.audit = noteAction(action, nowMs)
  }
}
