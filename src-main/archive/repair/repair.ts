/** Repair: brings back a copy that is missing, and replaces one that is bad when every condition of `repairConditions.ts`
 *  holds, each looked at just now. The bad copy goes to the attic first, then the good one is brought as a store brings it:
 *  asked before it is written, read again behind it. What a kill interrupts is either untouched, or a missing copy whose
 *  bad bytes are in the attic; `resume` brings the good one.
 *  Deliberately not here: finding what is bad (`preservation.ts`). */
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
  /** Copies that a check found missing or bad, or that were never stored. */
  repairable(chosen: { replica?: string | undefined }): RepairableRow[]
  /** Of these, those whose names a pattern matches. Throws `ArchiveFault` where it is none. */
  repairableNamed(chosen: { replica?: string | undefined; files: string }): Promise<RepairableRow[]>
  /** The same with what there is to hope for, as far as is known. It reads no copy. */
  prospects(copies: readonly RepairableRow[]): Promise<RepairableCopy[]>
  /** Reads every replica's copy. Throws `ArchiveFault` when there is no such file or replica. */
  plan(copy: WhichCopy, signal: AbortSignal): Promise<RepairPlan>
  /** Rejects with the signal's reason when it was stopped: then as after a kill. */
  repair(order: RepairOrder, signal: AbortSignal): Promise<RepairOutcome>
  /** After a kill: settles what is open in the attic, and brings the good copies that were still to come. */
  resume(signal: AbortSignal): Promise<void>
  attic: Pick<Attic, 'entries' | 'entriesOf' | 'look' | 'restore'>
  /** Those under way, and how the last ones ended since this was opened; of each copy the last one. */
  known(): RepairOutcome[]
  /** Each time a condition is decided. Returns how to stop listening. */
  onChange(listener: (outcome: RepairOutcome) => void): () => void
}

interface Begun {
  file: FileRow
  target: Replica
  order: RepairOrder
  who: 'person' | 'recovery'
  signal: AbortSignal
  /** Kept up to date as it goes on. */
  outcome: RepairOutcome
}

/** One repair that nothing speaks against. */
interface Course {
  file: FileRow
  target: Replica
  source: Replica
  who: string
  signal: AbortSignal
  /** Reports a condition to the listeners, with its own sentence where the condition's does not say enough. */
  /** With what made it fail, where there is more to say than the condition itself does. */
  decide(condition: RepairCondition['condition'], state: 'met' | 'failed', why?: Why): void
}

/** Why a condition failed, and which kind of fault it was where it was one. */
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
  /** By copy, the one that changed last at the end. */
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

  /** Reads the copy from beginning to end, and writes down what it saw. */
  async function look(file: FileRow, place: Replica, who: string, signal: AbortSignal): Promise<Look> {
    const seen = await read(file.name, place, signal)
    recordObservation({ file, replica: place.name, look: seen, who })
    return seen
  }

  /** What is to be repaired is looked at first: what a person said is held against it before the others are read. */
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

  /** The bad copy stays on the same disk, so the good one needs room of its own: better known before anything is moved. */
  async function noRoom({ bytes }: FileRow, target: Replica): Promise<string | undefined> {
    if (target.kind === 'checksums') return undefined
    const free = await target.freeBytes()
    const { freeBytesMin, freeBytesToAcceptMin } = archive.limits
    if (free === undefined || (free >= freeBytesToAcceptMin && free - bytes >= freeBytesMin)) return undefined
    return `Replica ${target.name} has not enough space for the good copy next to the bad one: ${free} bytes are free, ${bytes} are needed, and ${freeBytesMin} must stay free.`
  }

  /** Two that see to one file would each take the other's half-done action for one that a kill interrupted. Undefined when
   *  somebody sees to it already. */
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
      // Listeners must not wait forever.
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
    // Somebody else may have put it right since.
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

  /** Gives why the good copy could not be brought; undefined when it lies there and was read. */
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

  /** Each in its turn with the stores of the file, which may be bringing the same copy. */
  async function restoreStored({ file, target, source, who, signal }: Course): Promise<Problem | undefined> {
    const task = { replica: target, file, signal, source: pathIn(file, source), who, onProgress: () => undefined }
    return archive.inTurn(file.name, () => restoreCopy(task))
  }

  /** One that never was completed is an ordinary store's to bring, which writes it down itself; what lies there then is read
   *  all the same. */
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

  /** What the good copy's last look gives reason to say; undefined when it is as good as before. */
  async function doubtOfSource({ file, source, who, signal, decide }: Course): Promise<string | undefined> {
    const after = await look(file, source, who, signal)
    const isGood = after.kind === 'checksum' && after.sha256 === file.sha256
    const doubt = isGood ? undefined : `the copy in replica ${source.name} ${reasonOf(after)} now. Repair it too.`
    decide('goodAfter', isGood ? 'met' : 'failed', doubt === undefined ? undefined : { text: doubt })
    return doubt
  }

  function noteEnd(outcome: RepairOutcome, state: Ended, evidence: Evidence, nowMs: number): void {
    const { name, replica, kind, source, attic: entry, text, by: who } = outcome
    // It asks at every start, and changes nothing: only what a person was refused is news.
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

  /** Page after page; the last is the first that is not full. */
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

  /** As many as are told at once: behind ten thousand whose names do not match there may be one that does. */
  async function repairableNamed(replica: string | undefined, files: string): Promise<RepairableRow[]> {
    const chosen = nameMatcher(world, files)
    const found: RepairableRow[] = []
    for (const page of repairablePages(replica)) {
      found.push(...(await chosen(page)))
      if (found.length >= findingsCountMax) break
    }
    return found.slice(0, findingsCountMax)
  }

  /** What is still to come after it was interrupted, of one file. */
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

/** What the audit trail calls the end of a repair. */
function saidOf({ text, code }: Why): Partial<RepairCondition> {
  return { sentence: sentence(text), ...(code && { code }) }
}

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

/** A replica that went away meanwhile has lost nothing, and nothing in it is bad. */
async function unlessAway(place: Replica, look: Look): Promise<Look> {
  const unusable = await place.problem()
  return unusable === undefined ? look : { kind: 'away', text: unusable }
}
