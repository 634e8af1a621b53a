/** Statuses of a document at one destination of a delivery plan, with the names of JesterJ's. Every change is an event that is kept. */
import { stateTable, type StateRow } from './stateTable.ts'

/**
 * What a scan and a restart do about a document in the status. `always`: it is processed again. `belowLimit`: again, until it has failed too
 * often. `ifChanged`: again if its content has changed. `never`: not again.
 */
export type Refeed = 'always' | 'belowLimit' | 'ifChanged' | 'never'

interface DeliveryRow extends StateRow {
  refeed: Refeed
  /** Whether the document is settled at this destination. */
  isTerminal: boolean
}

/** Moves by which a settled document is processed once more. */
const again = {
  changed: { to: 'PROCESSING', owner: 'scanner' },
  force: { to: 'FORCE', owner: 'user' },
  restart: { to: 'RESTART', owner: 'plan' },
  touched: { to: 'DIRTY', owner: 'user' },
} as const

/** Moves of a document that has not reached the destination. */
const settling = {
  accepted: { to: 'INDEXED', owner: 'destination' },
  failed: { to: 'ERROR', owner: 'step' },
  refused: { to: 'ERROR_DOC', owner: 'step' },
  givenUp: { to: 'DEAD', owner: 'engine' },
  dropped: { to: 'DROPPED', owner: 'step' },
} as const

/** Moves of a document that waits for its next processing. */
const waiting = {
  started: { to: 'PROCESSING', owner: 'engine' },
  failed: { to: 'ERROR', owner: 'step' },
  refused: { to: 'ERROR_DOC', owner: 'step' },
  givenUp: { to: 'DEAD', owner: 'engine' },
  dropped: { to: 'DROPPED', owner: 'user' },
} as const

const rows = {
  PROCESSING: {
    tone: 'running',
    refeed: 'always',
    isTerminal: false,
    on: {
      ...settling,
      queued: { to: 'BATCHED', owner: 'destination' },
      sending: { to: 'INDEXING', owner: 'destination' },
    },
  },
  BATCHED: {
    tone: 'waiting',
    refeed: 'always',
    isTerminal: false,
    on: {
      ...settling,
      sending: { to: 'INDEXING', owner: 'destination' },
      recovered: { to: 'PROCESSING', owner: 'recovery' },
    },
  },
  // The outcome is not known: only a person, new content or a new version of the plan sends it again.
  INDEXING: {
    tone: 'attention',
    refeed: 'never',
    isTerminal: false,
    on: { ...again, ...settling },
  },
  INDEXED: { tone: 'done', refeed: 'never', isTerminal: true, on: again },
  DROPPED: { tone: 'idle', refeed: 'never', isTerminal: true, on: again },
  ERROR: {
    tone: 'attention',
    refeed: 'belowLimit',
    isTerminal: false,
    on: {
      ...again,
      retried: { to: 'PROCESSING', owner: 'engine' },
      refused: { to: 'ERROR_DOC', owner: 'step' },
      givenUp: { to: 'DEAD', owner: 'engine' },
      dropped: { to: 'DROPPED', owner: 'user' },
    },
  },
  ERROR_DOC: { tone: 'failed', refeed: 'never', isTerminal: true, on: { ...again, dropped: waiting.dropped } },
  DEAD: { tone: 'failed', refeed: 'never', isTerminal: true, on: { ...again, dropped: waiting.dropped } },
  FORCE: { tone: 'waiting', refeed: 'always', isTerminal: false, on: waiting },
  RESTART: {
    tone: 'waiting',
    refeed: 'always',
    isTerminal: false,
    on: { ...waiting, force: again.force },
  },
  DIRTY: {
    tone: 'waiting',
    refeed: 'ifChanged',
    isTerminal: false,
    on: { ...waiting, force: again.force, restart: again.restart },
  },
} as const satisfies Record<string, DeliveryRow>

export const deliveryStates = stateTable('deliveryStates', 'PROCESSING', rows)
export type DeliveryState = (typeof deliveryStates.states)[number]

/** Returns what a scan and a restart do about a document in this status. */
export function refeedOf(state: DeliveryState): Refeed {
  return rows[state].refeed
}

/** Whether the document is settled at the destination. */
export function isTerminalDelivery(state: DeliveryState): boolean {
  return rows[state].isTerminal
}

export const terminalDeliveryStates: readonly DeliveryState[] = deliveryStates.states.filter(isTerminalDelivery)

/** Returns the statuses from which a document may get to this one. */
export function statesBefore(state: DeliveryState): DeliveryState[] {
  const from = deliveryStates.moves.filter(({ to }) => to === state).map((move) => move.from)
  return [...new Set(from)]
}
