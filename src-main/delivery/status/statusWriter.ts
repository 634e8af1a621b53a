/** Changes of statuses, each to be called within a transaction. What belongs together is one call: the hash of a document with its first
 *  status, a document with the parts of it. */
import { isTerminalDelivery, refeedOf, statesBefore, type DeliveryState } from '../../contract/states/deliveryStates.ts'
import { message } from '../../contract/words/message.ts'
import type { Document } from '../model/document.ts'
import { settling, type Settling, type SettlingSetting } from './settling.ts'
import { statusStatements, type StatusRow } from './status.sql.ts'

/** The statuses of a document that is processed: destination → id of its status. Undefined where only parts of it are on the way. */
export type OpenStatuses = ReadonlyMap<number, number | undefined>

/** A document with its row and the destinations that it has not reached. */
export interface Admitted {
  row: number
  open: OpenStatuses
  /** Whether parts were made of it before. */
  hasParts: boolean
}

/** How a scanner remembers. */
export interface Remembering {
  remembers: boolean
  detectsChanges: boolean
}

/** Attempts that a scanner allows. */
export interface Attempts {
  attemptsMax: number
}

/** Statuses with which a document is sent again. */
export function isWaiting(state: DeliveryState): boolean {
  return refeedOf(state) === 'always' || refeedOf(state) === 'belowLimit'
}

export type StatusWriter = ReturnType<typeof statusWriter>

/** Makes the writer for a connection to the database. */
export function statusWriter(setting: SettlingSetting) {
  const sql = statusStatements(setting.store)
  const settled = settling(setting)
  const { set, settle } = settled
  const attempts = beginnings(setting, settled)
  const { begin, restartParts } = attempts

  return {
    settle,
    /** Notes that a document leaves now. Returns false where someone has decided otherwise meanwhile. */
    begin: (id: number): boolean => settled.report(id, 'INDEXING', null),
    /** Whether a scanned document has to be processed, and where. */
    wanted(
      scanner: number,
      document: Document,
      destinations: readonly number[],
      { remembers, detectsChanges }: Remembering,
    ) {
      const row = sql.document.get({ scanner, key: document.id })
      const isNew = !row || !remembers || (detectsChanges && row.hash !== document.hash)
      if (isNew) return { row, isNew, at: destinations }
      const known = new Set(sql.statuses.all({ document: row.id }).map(({ destination }) => destination))
      // A new version of the plan may have destinations that documents of the earlier one have not reached.
      return { row, isNew, at: destinations.filter((each) => !known.has(each)) }
    },
    /** Stores the hash of a scanned document with its first statuses. */
    admit(
      scanner: number,
      document: Document,
      destinations: readonly number[],
      remembering: Remembering,
    ): Admitted | undefined {
      const { row: before, isNew, at } = this.wanted(scanner, document, destinations, remembering)
      if (at.length === 0) return undefined
      const row = sql.put.get({ scanner, key: document.id, hash: document.hash, parent: null, original: null })?.id
      if (row === undefined) throw new Error('a document has no id')
      const known = new Map(before ? sql.statuses.all({ document: row }).map((each) => [each.destination, each]) : [])
      const open = new Map(at.map((destination) => [destination, begin(row, destination, known.get(destination))]))
      const hasParts = before !== undefined && sql.hasParts.get({ parent: row }) !== undefined
      if (hasParts && isNew) restartParts(row, new Set(at))
      return { row, open, hasParts }
    },
    /** Begins a stranded document again at the destinations that it, or a part of it, has not reached, except where it is on its way
     *  already. Gives up what has failed too often. */
    readmit(
      original: number,
      isBusy: (destination: number) => boolean,
      isDue: (status: StatusRow) => boolean,
      limit: Attempts,
    ): Admitted {
      const open = new Map<number, number | undefined>()
      const restarted = new Set<number>()
      for (const { id } of sql.family.all({ original })) {
        // Giving up one of them changes others.
        const status = sql.stateOf.get({ id })
        if (!status || isBusy(status.destination) || !isDue(status) || !attempts.mayRetry(status, limit)) continue
        const isOwn = status.document === original
        if (!isOwn) {
          if (!open.has(status.destination)) open.set(status.destination, undefined)
          continue
        }
        // A document that was asked for as a whole begins with all of its parts.
        if (status.state === 'FORCE' || status.state === 'RESTART' || status.state === 'DIRTY')
          restarted.add(status.destination)
        if (status.state !== 'PROCESSING') set(status.id, 'PROCESSING')
        open.set(status.destination, status.id)
      }
      const hasParts = sql.hasParts.get({ parent: original }) !== undefined
      if (hasParts && restarted.size > 0) restartParts(original, restarted)
      return { row: original, open, hasParts }
    },
    split: splitting(setting, settled, attempts),
    /** A decision of people, or of the plan, about one status. Returns whether its state allows that. */
    decide(id: number, state: 'FORCE' | 'RESTART' | 'DIRTY' | 'DROPPED'): boolean {
      const status = sql.stateOf.get({ id })
      if (!status || status.state === state || !set(id, state)) return false
      if (state !== 'DROPPED') return true
      settled.settleParts(status.document, status.destination, state, null)
      settled.completeAbove(status.document, status.destination)
      return true
    },
  }
}

/** Returns the function that stores the parts that a document becomes, together with its own status. It returns each part with the
 *  destinations that it has not reached. */
function splitting(
  { store }: SettlingSetting,
  { settle, report, complete }: Settling,
  { begin, mayRetry }: Beginnings,
) {
  const sql = statusStatements(store)

  /** Whether a part on any level below the document is to be sent again. */
  function hasWaitingPart(parent: number, destination: number): boolean {
    return sql.partsAt
      .all({ parent, destination })
      .some(({ document, state }) => isWaiting(state) || hasWaitingPart(document, destination))
  }

  return (
    scanner: number,
    { row, open }: Admitted,
    originalRow: number,
    parts: readonly Document[],
    limit: Attempts,
  ): Admitted[] => {
    const made = parts.map((part) => {
      const before = sql.document.get({ scanner, key: part.id })
      const id = sql.put.get({ scanner, key: part.id, hash: part.hash, parent: row, original: originalRow })?.id
      if (id === undefined) throw new Error('a part has no id')
      return { row: id, isNew: before?.hash !== part.hash, hasParts: sql.hasParts.get({ parent: id }) !== undefined }
    })
    const rows = new Set(made.map((each) => each.row))
    const opened = made.map(() => new Map<number, number | undefined>())
    for (const [destination, own] of open) {
      const known = new Map(sql.partsAt.all({ parent: row, destination }).map((each) => [each.document, each]))
      made.forEach((part, at) => {
        const status = known.get(part.row)
        const isOpen = !status || part.isNew || (isWaiting(status.state) && mayRetry(status, limit))
        if (isOpen) opened[at]?.set(destination, begin(part.row, destination, status))
        else if (part.hasParts && hasWaitingPart(part.row, destination)) opened[at]?.set(destination, undefined)
      })
      for (const status of known.values())
        if (!rows.has(status.document) && !isTerminalDelivery(status.state))
          settle(
            { row: status.document, hasParts: true, parent: false },
            [{ destination, id: status.id }],
            'DROPPED',
            message('delivery.parts.gone'),
          )
      if (own !== undefined) report(own, 'INDEXING', null)
      complete(row, destination)
    }
    return made.map(({ row: id, hasParts }, at) => ({
      row: id,
      hasParts,
      open: opened[at] ?? new Map<number, number | undefined>(),
    }))
  }
}

type Beginnings = ReturnType<typeof beginnings>

/** Functions with which statuses begin, and begin again. */
function beginnings({ store, clock }: SettlingSetting, { set, settle }: Settling) {
  const sql = statusStatements(store)

  function begin(document: number, destination: number, known: StatusRow | undefined): number {
    if (known) {
      set(known.id, 'PROCESSING')
      return known.id
    }
    const added = sql.add.get({ document, destination, state: 'PROCESSING', nowMs: clock.now(), message: null })
    if (!added) throw new Error('a status has no id')
    return added.id
  }

  /** Marks what was made of a document before, so that it is sent again when the document is split again. */
  function restartParts(original: number, destinations: ReadonlySet<number>): void {
    for (const { id, document, destination, state } of sql.family.all({ original }))
      if (document !== original && destinations.has(destination) && statesBefore('RESTART').includes(state))
        set(id, 'RESTART')
  }

  /** Whether a failed document may be tried again; otherwise it is given up. */
  function mayRetry({ id, document, destination, state }: StatusRow, { attemptsMax }: Attempts): boolean {
    if (state !== 'ERROR') return true
    const failures = sql.failures.get({ id, newest: 2 * attemptsMax - 1 })?.count ?? 0
    if (failures < attemptsMax) return true
    settle(
      { row: document, hasParts: true },
      [{ destination, id }],
      'DEAD',
      message('delivery.givenUp', { count: failures }),
    )
    return false
  }

  return { begin, restartParts, mayRetry }
}
