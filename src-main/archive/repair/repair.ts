/** Repair: restores a missing copy, and replaces a bad one when all conditions of `repairConditions.ts` hold, each just checked. The
 *  bad copy is first moved to the attic; the good one is then written like a store: the target is read first, and the new copy is read
 *  back. An interrupted repair leaves the copy either untouched, or missing with its bad bytes in the attic; `resume` then writes the
 *  good copy. Finding bad copies is the task of checks (`preservation.ts`). */
import type { RepairableCopy, RepairOutcome, RepairPlan } from '../../contract/services/repairs.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { AuditLog } from '../audit/audit.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { Replica } from '../replica/replica.ts'
import type { Archive } from '../store/archive.ts'
import { openAttic, type Attic } from './attic.ts'
import { copyReader } from './copyEvidence.ts'
import { repairStatements, type RepairableRow } from './repair.sql.ts'
import { repairableCopies } from './repairableCopies.ts'
import { conditionsOf, kindOf, targetReading, sourceOf, type Confirmed } from './repairConditions.ts'
import { repairOutcomes } from './repairOutcomes.ts'
import { openRepairable } from './repairSources.ts'
import { repairRunner } from './runRepair.ts'

export interface RepairParts {
  archive: Archive
  store: Store
  world: World
  auditLog: AuditLog
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
  /** Adds to each copy whether a repair can succeed, by the last checks. Reads no copy. */
  withSources(copies: readonly RepairableRow[]): Promise<RepairableCopy[]>
  /** Plans a repair by reading every replica's copy. Throws `ArchiveFault` when there is no such file or replica. */
  plan(copy: WhichCopy, signal: AbortSignal): Promise<RepairPlan>
  /** Repairs a copy. Rejects with the signal's reason when stopped, with the same effect as an interruption by a crash. */
  repair(order: RepairOrder, signal: AbortSignal): Promise<RepairOutcome>
  /** Continues after a crash: settles open attic entries and writes the good copies that are still missing. */
  resume(signal: AbortSignal): Promise<void>
  attic: Pick<Attic, 'entries' | 'entriesOf' | 'check' | 'restore'>
  /** Repairs in progress, and the results of the last ones since this was opened; one for each copy. */
  known(): RepairOutcome[]
  /** Calls the listener each time a condition is decided. Returns a function that removes the listener. */
  onChange(listener: (outcome: RepairOutcome) => void): () => void
}

/** Opens repairs. Repairs that a crash interrupted are continued only by `resume`, when the replicas are available. */
export function openRepairs(parts: RepairParts): Repairs {
  const { archive, store, world } = parts
  const { clock } = world
  const statements = repairStatements(store)
  const reader = copyReader({ archive, store, clock })
  const attic = openAttic({ ...parts, statements })
  const outcomes = repairOutcomes()
  const runRepair = repairRunner({ archive, store, world, statements, reader, attic, outcomes })
  const copies = repairableCopies({ statements, world })
  const alone = exclusive(settleOpen)

  function fileOf(name: string): FileRow {
    const file = statements.file.get({ name })
    if (!file) throw new ArchiveFault('notFound', message('file.absent', { name }))
    return file
  }

  function placeOf(name: string): Replica {
    const place = archive.places.find((each) => each.name === name)
    if (!place) throw new ArchiveFault('notFound', message('replica.absent', { replica: name }))
    return place
  }

  function namesOf(replica: string | undefined): string[] {
    return replica === undefined ? archive.places.map(({ name }) => name) : [placeOf(replica).name]
  }

  /** Settles the attic entries of a file that a crash left open. */
  async function settleOpen(name: string): Promise<void> {
    for (const row of statements.unsettledOf.all({ name })) if (row.movedTo === null) await attic.settle(row)
  }

  async function repair(order: RepairOrder, signal: AbortSignal): Promise<RepairOutcome> {
    const file = fileOf(order.name)
    const target = placeOf(order.replica)
    const outcome = await alone(file.name, () => runRepair({ file, target, confirmed: order, who: 'user', signal }))
    if (!outcome) throw new ArchiveFault('refused', message('repair.busy', { name: file.name }))
    return outcome
  }

  async function plan({ name, replica }: WhichCopy, signal: AbortSignal): Promise<RepairPlan> {
    const file = fileOf(name)
    const evidence = await reader.evidenceOn(file, placeOf(replica), { who: 'user', signal })
    const reading = targetReading(evidence)
    const conditions = conditionsOf(evidence)
    return {
      name,
      replica,
      kind: kindOf(evidence),
      bytes: file.bytes,
      registered: file.sha256,
      found: reading.kind === 'checksum' ? reading.sha256 : null,
      unreadable: reading.kind === 'unreadable' ? reading.message : null,
      source: sourceOf(evidence) ?? null,
      allowed: conditions.every(({ state }) => state !== 'failed'),
      conditions,
    }
  }

  /** Completes the interrupted repairs of one file. */
  async function finish(name: string, signal: AbortSignal): Promise<void> {
    const file = fileOf(name)
    for (const { replica, movedTo, replacedMs } of statements.unsettledOf.all({ name })) {
      const target = archive.places.find((place) => place.name === replica)
      if (!target || movedTo === null || replacedMs !== null) continue
      const confirmed: Confirmed = { expected: file.sha256, found: null }
      await runRepair({ file, target, confirmed, who: 'recovery', signal })
    }
  }

  return {
    repairable: ({ replica }) => copies.first(namesOf(replica)),
    repairableNamed: async ({ replica, files }) => copies.named(namesOf(replica), files),
    withSources: openRepairable({ archive, store, clock }),
    plan,
    repair,
    async resume(signal) {
      for (const { name } of statements.unsettledNames.all({})) await alone(name, () => finish(name, signal))
    },
    attic,
    known: outcomes.known,
    onChange: outcomes.onChange,
  }
}

/** Creates a function that runs an action exclusively for one file, after `prepare`: a second repair would take an action in progress
 *  for one interrupted by a crash. It resolves with undefined when an action for the file is already running. */
function exclusive(prepare: (name: string) => Promise<void>) {
  const running = new Set<string>()
  return async <T>(name: string, act: () => Promise<T>): Promise<T | undefined> => {
    if (running.has(name)) return undefined
    running.add(name)
    try {
      await prepare(name)
      return await act()
    } finally {
      running.delete(name)
    }
  }
}
