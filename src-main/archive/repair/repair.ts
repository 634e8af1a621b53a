/** Repair: restores a missing copy, and replaces a bad one when all conditions of `repairConditions.ts` hold, each just checked. The
 *  bad copy is first moved to the attic; the good one is then written like a store: the target is read first, and the new copy is read
 *  back. An interrupted repair leaves the copy either untouched, or missing with its bad bytes in the attic; `resume` then writes the
 *  good copy. Finding bad copies is the task of checks (`preservation.ts`). */
import type { RepairableCopy, RepairCondition, RepairOutcome, RepairPlan } from '../../contract/services/archive.ts'
import type { AuditActionName } from '../../contract/shapes/choices.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { Archive } from '../store/archive.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import { openAttic, type Attic } from './attic.ts'
import type { AuditTrail } from '../audit/audit.ts'
import { copyRestorer, readingOf, notTheFile, refused } from '../store/restoreCopy.ts'
import { findingsCountMax, repairsToldMax } from '../files/limits.ts'
import { nameMatcher } from '../files/matcher.ts'
import { observationRecorder } from '../copies/recordObservation.ts'
import { observedCopyStatements } from '../copies/observedCopy.sql.ts'
import { repairStatements, type RepairableRow } from './repair.sql.ts'
import {
  conditionsOf,
  kindOf,
  lookAtTarget,
  reasonOf,
  sourceOf,
  type Confirmed,
  type Evidence,
} from './repairConditions.ts'
import type { Look } from '../copies/verdict.ts'
import { sentence } from '../files/sentence.ts'
import type { Problem } from '../store/storeMachine.ts'
import { repairActions } from '../copies/repairActions.ts'
import { openProspects } from './repairProspects.ts'
import type { Replica } from '../replica/replica.ts'
import { askChecksum } from '../store/upload.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { emitter } from '../../contract/calls/emitter.ts'

export interface RepairParts {
  archive: Archive
  store: Store
  world: World
  trail: AuditTrail
}

export interface WhichCopy {
  name: string
  replica: string
}

export type RepairOrder = WhichCopy & Confirmed

export interface Repairs {
  /** Copies that are missing or bad by the last check, or were never stored. */
  repairable(chosen: { replica?: string | undefined }): RepairableRow[]
  /** The repairable copies whose names match a pattern. Throws `ArchiveFault` when the pattern is invalid. */
  repairableNamed(chosen: { replica?: string | undefined; files: string }): Promise<RepairableRow[]>
  /** Adds to each copy whether a repair can succeed, as far as is known. Reads no copy. */
  prospects(copies: readonly RepairableRow[]): Promise<RepairableCopy[]>
  /** Plans a repair by reading every replica's copy. Throws `ArchiveFault` when there is no such file or replica. */
  plan(copy: WhichCopy, signal: AbortSignal): Promise<RepairPlan>
  /** Repairs a copy. Rejects with the signal's reason when stopped, with the same effect as an interruption by a crash. */
  repair(order: RepairOrder, signal: AbortSignal): Promise<RepairOutcome>
  /** Continues after a crash: settles open attic entries and writes the good copies that are still missing. */
  resume(signal: AbortSignal): Promise<void>
  attic: Pick<Attic, 'entries' | 'entriesOf' | 'look' | 'restore'>
  /** Repairs in progress, and the results of the last ones since this was opened; one for each copy. */
  known(): RepairOutcome[]
  /** Calls the listener each time a condition is decided. Returns a function that removes the listener. */
  onChange(listener: (outcome: RepairOutcome) => void): () => void
}

interface Begun {
  file: FileRow
  target: Replica
  order: RepairOrder
  who: 'person' | 'recovery'
  signal: AbortSignal
  /** Updated while the repair runs. */
  outcome: RepairOutcome
}

/** A repair whose conditions are met. */
interface Course {
  file: FileRow
  target: Replica
  source: Replica
  who: string
  signal: AbortSignal
  /** Reports a condition to the listeners. `why`: the reason of a failure, where it says more than the condition's own sentence. */
  decide(condition: RepairCondition['condition'], state: 'met' | 'failed', why?: Why): void
}

/** Reason why a condition failed, with a fault code where there was a fault. */
type Why = Pick<Problem, 'text'> & Partial<Problem>

type Ended = Exclude<RepairOutcome['state'], 'running'>

export function openRepairs(parts: RepairParts): Repairs {
  const { archive, store, world } = parts
  const statements = repairStatements(store)
  const copies = observedCopyStatements(store)
  const recordObservation = observationRecorder(store, world.clock)
  const noteAction = repairActions(store)
  const restoreCopy = copyRestorer(store, world.clock)
  const attic = openAttic({ ...parts, statements })
  const changes = emitter<RepairOutcome>()
  const underWay = new Set<string>()
  const prospects = openProspects({ archive, store, clock: world.clock })
  /** Last outcome by copy; the most recently changed one is last. */
  const lastOf = new Map<string, RepairOutcome>()

  function fileOf(name: string): FileRow {
    const file = statements.file.get({ name })
    if (!file) throw new ArchiveFault('notFound', `There is no file ${name} in the archive.`)
    return file
  }

  function placeOf(name: string): Replica {
    const place = archive.places.find((each) => each.name === name)
    if (!place) throw new ArchiveFault('notFound', `There is no replica ${name}.`)
    return place
  }

  function isStored({ id }: FileRow, { name }: Replica): boolean {
    return copies.copy.get({ file: id, replica: name })?.upload === 'UPLOAD_COMPLETED'
  }

  /** Reads the copy completely and records the observation. */
  async function look(file: FileRow, place: Replica, who: string, signal: AbortSignal): Promise<Look> {
    const seen = await read(file.name, place, signal)
    recordObservation({ file, replica: place.name, look: seen, who })
    return seen
  }

  /** Reads all copies, the target first, so that the values confirmed by the user are checked before the other replicas are read. */
  async function evidenceOn(
    file: FileRow,
    target: Replica,
    who: string,
    { signal, onSeen }: { signal: AbortSignal; onSeen?: (evidence: Evidence) => void },
  ): Promise<Evidence> {
    const left = [target, ...archive.places.filter((place) => place !== target)]
    let evidence: Evidence = {
      name: file.name,
      replica: target.name,
      registered: file.sha256,
      isStored: isStored(file, target),
      copies: [],
      unread: left.map(({ name }) => name),
      noRoom: await noRoom(file, target),
    }
    for (const place of left) {
      const canGive = place.pathOf(file.name) !== undefined
      const copy = { replica: place.name, canGive, look: await look(file, place, who, signal) }
      evidence = { ...evidence, copies: [...evidence.copies, copy], unread: evidence.unread.slice(1) }
      onSeen?.(evidence)
    }
    const inOrder = archive.places.flatMap(({ name }) => evidence.copies.find(({ replica }) => replica === name) ?? [])
    return { ...evidence, copies: inOrder }
  }

  /** Reason why the good copy would not fit; undefined when it does. The bad copy stays on the same disk, so this is checked before
   *  anything is moved. */
  async function noRoom({ bytes }: FileRow, target: Replica): Promise<string | undefined> {
    if (target.kind === 'checksums') return undefined
    const free = await target.freeBytes()
    const { freeBytesMin, freeBytesToAcceptMin } = archive.limits
    if (free === undefined || (free >= freeBytesToAcceptMin && free - bytes >= freeBytesMin)) return undefined
    return `Replica ${target.name} has not enough space for the good copy next to the bad one: ${free} bytes are free, ${bytes} are needed, and ${freeBytesMin} must stay free.`
  }

  /** Runs an action exclusively for one file: a second repair would take an action in progress for one interrupted by a crash.
   *  Undefined when a repair of the file is already running. */
  async function alone<T>(name: string, act: () => Promise<T>): Promise<T | undefined> {
    if (underWay.has(name)) return undefined
    underWay.add(name)
    try {
      for (const row of statements.unsettledOf.all({ name })) if (row.movedTo === null) await attic.settle(row)
      return await act()
    } finally {
      underWay.delete(name)
    }
  }

  async function repair(order: RepairOrder, signal: AbortSignal): Promise<RepairOutcome> {
    const file = fileOf(order.name)
    const target = placeOf(order.replica)
    const outcome = await alone(file.name, () => repairAlone(file, target, order, 'person', signal))
    if (!outcome) throw new ArchiveFault('refused', `${file.name} is already being repaired.`)
    return outcome
  }

  function tell(outcome: RepairOutcome): void {
    const key = `${outcome.name}\n${outcome.replica}`
    lastOf.delete(key)
    lastOf.set(key, structuredClone(outcome))
    const [oldest] = [...lastOf].find(([, { state }]) => state !== 'running') ?? []
    if (lastOf.size > repairsToldMax && oldest !== undefined) lastOf.delete(oldest)
    changes.emit(structuredClone(outcome))
  }

  async function repairAlone(
    file: FileRow,
    target: Replica,
    order: RepairOrder,
    who: 'person' | 'recovery',
    signal: AbortSignal,
  ): Promise<RepairOutcome> {
    const outcome: RepairOutcome = {
      name: file.name,
      replica: target.name,
      kind: order.found === null ? 'restore' : 'replace',
      state: 'running',
      source: null,
      attic: null,
      conditions: [],
      text: '',
      by: who,
      begun: new Date(world.clock.now()).toISOString(),
      ended: null,
      audit: null,
    }
    tell(outcome)
    try {
      return await repairStepwise({ file, target, order, who, signal, outcome })
    } catch (error) {
      // Report the end, so that listeners do not wait forever.
      const why = messageOf(error)
      const ended = new Date(world.clock.now()).toISOString()
      Object.assign(outcome, {
        state: 'failed',
        text: `The repair was interrupted (${why}). Check the copy again.`,
        ended,
      })
      tell(outcome)
      throw error
    }
  }

  async function repairStepwise({ file, target, order, who, signal, outcome }: Begun): Promise<RepairOutcome> {
    const see = (evidence: Evidence) => {
      Object.assign(outcome, {
        kind: kindOf(evidence),
        source: sourceOf(evidence) ?? null,
        conditions: conditionsOf(evidence, order),
      })
      tell(outcome)
    }
    const evidence = await evidenceOn(file, target, who, { signal, onSeen: see })
    const end = (state: Ended, text: string): RepairOutcome => {
      const nowMs = world.clock.now()
      Object.assign(outcome, { state, text, ended: new Date(nowMs).toISOString() })
      noteEnd(outcome, state, evidence, nowMs)
      tell(outcome)
      return outcome
    }
    // The copy may have been repaired in another way since.
    if (outcome.kind === 'right')
      statements.noteReplaced.run({ file: file.id, replica: target.name, nowMs: world.clock.now() })
    const refusal = outcome.conditions.find(({ state }) => state === 'failed')
    if (refusal || outcome.source === null) return end('refused', `${refusal?.sentence ?? ''} Nothing was changed.`)
    const course: Course = {
      file,
      target,
      source: placeOf(outcome.source),
      who,
      signal,
      decide(condition, state, why) {
        outcome.conditions = outcome.conditions.map((each) =>
          each.condition === condition ? { ...each, state, ...(why && saidOf(why)) } : each,
        )
        tell(outcome)
      },
    }
    const found = lookAtTarget(evidence)
    if (outcome.kind === 'replace' && (found.kind === 'checksum' || found.kind === 'unreadable')) {
      const isRead = found.kind === 'checksum'
      const taken = await attic.take({
        file,
        replica: target,
        found: isRead ? found : { sha256: null, bytes: null },
        who,
        reason: isRead ? `its checksum is not ${file.sha256}` : `it could not be read: ${found.text}`,
      })
      if (taken.kind !== 'kept') {
        course.decide('setAside', 'failed', { text: taken.text })
        if (taken.kind === 'untouched') return end('refused', `${sentence(taken.text)} The bad copy was not moved.`)
        return end('failed', `${sentence(taken.text)} Check the attic, then try again.`)
      }
      course.decide('setAside', 'met')
      outcome.attic = taken.id
    }
    const blocker = await bring(course)
    if (blocker !== undefined) {
      const rest = outcome.attic === null ? '' : ` The bad copy is entry ${outcome.attic} in the attic.`
      return end(
        'failed',
        `${sentence(blocker.text)} The copy in replica ${target.name} is still missing or damaged.${rest}`,
      )
    }
    const doubt = await doubtOfSource(course)
    if (doubt !== undefined) return end('failed', `The copy in ${target.name} is good now, but ${doubt}`)
    return end('repaired', `${file.name} in replica ${target.name} was repaired from ${outcome.source}.`)
  }

  /** Writes the good copy. Returns the reason of a failure; undefined when it was written and read back. */
  async function bring(course: Course): Promise<Problem | undefined> {
    const { file, target, decide } = course
    const blocker = await (isStored(file, target) ? restoreStored(course) : storeNew(course))
    const isRight = blocker === undefined && isStored(file, target)
    const problem = isRight ? undefined : (blocker ?? refused('the new copy does not count as stored'))
    decide('brought', isRight ? 'met' : 'failed', problem)
    if (isRight) statements.noteReplaced.run({ file: file.id, replica: target.name, nowMs: world.clock.now() })
    return problem
  }

  function pathIn({ name }: FileRow, source: Replica): string {
    const path = source.pathOf(name)
    if (path === undefined) throw new Error(`replica ${source.name} gives no path`)
    return path
  }

  /** Restores a stored copy, in turn with stores of the file, which may be writing the same copy. */
  async function restoreStored({ file, target, source, who, signal }: Course): Promise<Problem | undefined> {
    const task = { replica: target, file, signal, source: pathIn(file, source), who, onProgress: () => undefined }
    return archive.inTurn(file.name, () => restoreCopy(task))
  }

  /** Completes a copy that was never stored, by an ordinary store, which records its own steps. The result is read again in any case. */
  async function storeNew(course: Course): Promise<Problem | undefined> {
    const { file, target, who, signal } = course
    const blocker = await storeBlocker(course)
    const lies = await askChecksum({ replica: target, file, signal, onProgress: () => undefined })
    recordObservation({ file, replica: target.name, look: readingOf(lies), who })
    if (lies.kind === 'found' && lies.sha256 === file.sha256) return undefined
    return blocker ?? notTheFile
  }

  async function storeBlocker({ file, target, source, signal }: Course): Promise<Problem | undefined> {
    const { name, kind, jobId } = file
    try {
      const outcome = await archive.store({ path: pathIn(file, source), name, kind, jobId }, { signal })
      const problems = outcome.state === 'failed' ? outcome.problems : []
      const its = problems.find(({ replica }) => replica === target.name)
      return its && { code: its.code, text: its.problem }
    } catch (error) {
      if (error instanceof ArchiveFault) return { code: error.code, text: error.message }
      throw error
    }
  }

  /** Reads the source again after the repair. Returns a warning when it is no longer good; otherwise undefined. */
  async function doubtOfSource({ file, source, who, signal, decide }: Course): Promise<string | undefined> {
    const after = await look(file, source, who, signal)
    const isGood = after.kind === 'checksum' && after.sha256 === file.sha256
    const doubt = isGood ? undefined : `the copy in replica ${source.name} ${reasonOf(after)} now. Repair it too.`
    decide('goodAfter', isGood ? 'met' : 'failed', doubt === undefined ? undefined : { text: doubt })
    return doubt
  }

  function noteEnd(outcome: RepairOutcome, state: Ended, evidence: Evidence, nowMs: number): void {
    const { name, replica, kind, source, attic: entry, text, by: who } = outcome
    // Recovery retries at every start, and a refusal changes nothing: only refusals to the user are recorded.
    if (who === 'recovery' && state === 'refused') return
    const look = lookAtTarget(evidence)
    const was = { replica, sha256: look.kind === 'checksum' ? look.sha256 : null, seen: look.kind }
    const sha256 =
      outcome.conditions.find(({ condition }) => condition === 'brought')?.state === 'met' ? evidence.registered : null
    const became = { replica, kind, source, attic: entry, text, ...(state === 'refused' ? {} : { sha256 }) }
    const isRight = state === 'refused' ? undefined : state === 'repaired'
    const action = { who, what: endAction[state], subject: name, was, became, replica, by: who, isRight }
    outcome.audit = noteAction(action, nowMs)
  }

  /** Pages of repairable copies; a page that is not full is the last. */
  function* repairablePages(replica: string | undefined): Generator<RepairableRow[], undefined> {
    const names = archive.places.map(({ name }) => name)
    const replicas = JSON.stringify(replica === undefined ? names : [placeOf(replica).name])
    const lacking = JSON.stringify(statements.lacking.all({ replicas }).map((row) => row.replica))
    let behind = { file: 0, turn: -1 }
    for (let isLast = false; !isLast;) {
      const page = statements.repairable.all({ replicas, lacking, limit: findingsCountMax, ...behind })
      const { file, turn } = page.at(-1) ?? behind
      behind = { file, turn }
      isLast = page.length < findingsCountMax
      yield page.map(({ name, state, replica: each }) => ({ name, replica: each, state }))
    }
  }

  /** Searches all pages for matching names, up to `findingsCountMax` copies. */
  async function repairableNamed(replica: string | undefined, files: string): Promise<RepairableRow[]> {
    const chosen = nameMatcher(world, files)
    const found: RepairableRow[] = []
    for (const page of repairablePages(replica)) {
      found.push(...(await chosen(page)))
      if (found.length >= findingsCountMax) break
    }
    return found.slice(0, findingsCountMax)
  }

  /** Completes the interrupted repairs of one file. */
  async function finish(name: string, signal: AbortSignal): Promise<void> {
    const file = fileOf(name)
    for (const { replica, movedTo, replacedMs } of statements.unsettledOf.all({ name })) {
      const target = archive.places.find((place) => place.name === replica)
      if (!target || movedTo === null || replacedMs !== null) continue
      await repairAlone(file, target, { name, replica, expected: file.sha256, found: null }, 'recovery', signal)
    }
  }

  return {
    repairable: ({ replica }) => repairablePages(replica).next().value ?? [],
    repairableNamed: ({ replica, files }) => repairableNamed(replica, files),
    prospects,
    async plan({ name, replica }, signal) {
      const file = fileOf(name)
      const evidence = await evidenceOn(file, placeOf(replica), 'person', { signal })
      const look = lookAtTarget(evidence)
      const conditions = conditionsOf(evidence)
      return {
        name,
        replica,
        kind: kindOf(evidence),
        bytes: file.bytes,
        registered: file.sha256,
        found: look.kind === 'checksum' ? look.sha256 : null,
        unreadable: look.kind === 'unreadable' ? look.text : null,
        source: sourceOf(evidence) ?? null,
        allowed: conditions.every(({ state }) => state !== 'failed'),
        conditions,
      }
    },
    repair,
    async resume(signal) {
      for (const { name } of statements.unsettledNames.all({})) await alone(name, () => finish(name, signal))
    },
    attic,
    known: () => structuredClone([...lastOf.values()]),
    onChange: changes.on,
  }
}

/** State changes of a condition that failed: its sentence and fault code. */
function saidOf({ text, code }: Why): Partial<RepairCondition> {
  return { sentence: sentence(text), ...(code && { code }) }
}

/** Name of each outcome in the audit trail. */
const endAction: Record<Ended, AuditActionName> = {
  repaired: 'repair',
  refused: 'repairRefused',
  failed: 'repairFailed',
}

async function read(name: string, place: Replica, signal: AbortSignal): Promise<Look> {
  const unusable = await place.problem()
  if (unusable !== undefined) return { kind: 'away', text: unusable }
  try {
    const found = await place.checksum(name, { signal })
    if (found) return { kind: 'checksum', ...found }
  } catch (error) {
    if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
    return unlessAway(place, { kind: 'unreadable', text: error.message })
  }
  return unlessAway(place, { kind: 'absent' })
}

/** Replaces the result when the replica became unavailable meanwhile: its copies are neither lost nor bad. */
async function unlessAway(place: Replica, look: Look): Promise<Look> {
  const unusable = await place.problem()
  return unusable === undefined ? look : { kind: 'away', text: unusable }
}
