/** Sets statuses, with what follows for the parts of a document and for the documents that it is a part of. Each function is to be called
 *  within a transaction. */
import { isTerminalDelivery, statesBefore, type DeliveryState } from '../../contract/states/deliveryStates.ts'
import { storedMessage, message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { moveStatement, statusStatements, type StatusRow } from './status.sql.ts'

/** A status that no longer changes without a decision, and failed. */
export interface LastingFailure {
  document: number
  destination: number
  state: DeliveryState
  why: Message | null
}

/** Statuses that people set while a document is on its way: what the engine reports afterwards is overtaken. */
const decided: readonly DeliveryState[] = ['FORCE', 'RESTART', 'DIRTY', 'DROPPED']

/** Where the statuses are. */
export interface SettlingSetting {
  store: Store
  clock: Pick<Clock, 'now'>
  /** Called within the transaction. */
  onLasting(failure: LastingFailure): void
}

export type Settling = ReturnType<typeof settling>

export function settling({ store, clock, onLasting }: SettlingSetting) {
  const sql = statusStatements(store)
  const moves = new Map<DeliveryState, ReturnType<typeof moveStatement>>()

  /** Sets a status where its table allows that; returns whether it did. */
  function set(id: number, state: DeliveryState, why: Message | null = null): boolean {
    const stored = why === null ? null : storedMessage(why)
    const move = moves.get(state) ?? moveStatement(store, state)
    moves.set(state, move)
    return move.run({ id, nowMs: clock.now(), message: stored }) > 0
  }

  /** Sets a status that the engine has found. One that people have set meanwhile stays. */
  function report(id: number, state: DeliveryState, why: Message | null): boolean {
    if (set(id, state, why)) return true
    const now = sql.stateOf.get({ id })?.state
    if (now !== undefined && !decided.includes(now)) throw new Error(`status ${id} was ${now} and became ${state}`)
    return false
  }

  /** Settles the parts of a document that shares their fate. */
  function settleParts(parent: number, destination: number, state: DeliveryState, why: Message | null): void {
    for (const part of sql.partsAt.all({ parent, destination })) {
      settleParts(part.document, destination, state, why)
      const isOnTheWay = !isTerminalDelivery(part.state) && part.state !== 'INDEXING'
      if (isOnTheWay && statesBefore(state).includes(part.state))
        noteLasting(part, state, why, set(part.id, state, why))
    }
  }

  function noteLasting(
    status: Pick<StatusRow, 'document' | 'destination'>,
    state: DeliveryState,
    why: Message | null,
    isSet: boolean,
  ) {
    const { document, destination } = status
    if (isSet && (state === 'DEAD' || state === 'ERROR_DOC')) onLasting({ document, destination, state, why })
  }

  /** Settles a document whose parts are all settled, and the documents above it. */
  function complete(document: number, destination: number): void {
    const status = sql.statusAt.get({ document, destination })
    if (status?.state !== 'INDEXING' || sql.unsettledPart.get({ parent: document, destination })) return
    const states = sql.partsAt.all({ parent: document, destination }).map(({ state }) => state)
    const failed = states.filter((state) => state === 'DEAD' || state === 'ERROR_DOC').length
    if (failed > 0) set(status.id, 'DEAD', message('delivery.parts.failed', { count: failed }))
    else set(status.id, states.includes('INDEXED') ? 'INDEXED' : 'DROPPED')
    completeAbove(document, destination)
  }

  function completeAbove(document: number, destination: number): void {
    const parent = sql.parentOf.get({ id: document })?.parent
    if (typeof parent === 'number') complete(parent, destination)
  }

  /** Sets the status of a document at some of its destinations. With an end the parts and the documents above it follow. */
  function settle(
    { row, hasParts, parent = true }: { row: number; hasParts: boolean; parent?: boolean },
    at: readonly { destination: number; id: number | undefined }[],
    state: DeliveryState,
    why: Message | null = null,
  ): void {
    for (const { destination, id } of at) {
      if (id !== undefined) noteLasting({ document: row, destination }, state, why, report(id, state, why))
      if (state === 'BATCHED' || state === 'INDEXING') continue
      if (hasParts) settleParts(row, destination, state, why)
      if (id === undefined) complete(row, destination)
      if (parent && isTerminalDelivery(state)) completeAbove(row, destination)
    }
  }

  return { set, report, settle, settleParts, complete, completeAbove }
}
