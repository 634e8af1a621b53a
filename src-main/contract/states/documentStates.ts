/**
 * States of a URL (document) of a job, with the names of ManifoldCF's job queue. There are two tracks: documents that were never captured
 * (PENDING, ACTIVE), and those captured in an earlier run or pass (…PURGATORY). Only the second kind has captures to lose: the end of a run
 * cleans them, and the deletion of a job visits them. ManifoldCF moves every document that it resets to the second track, since it cannot
 * know whether the output has it. Here a record and its row are written in one transaction, so this is known: a postponed document stays on
 * its track.
 */
import { stateTable, type StateRow } from './stateTable.ts'

/** Group in which a state counts in reports on the queue. */
export type DocumentGroup = 'waiting' | 'processing' | 'settled' | 'leaving'

interface DocumentRow extends StateRow {
  group: DocumentGroup
  /** The document was never fetched. */
  isUnfetched?: true
  /** Data that the document inherits has changed while it was fetched: it is due again as soon as this fetch has ended. */
  isDueAgain?: true
  /** The state holds a result, of this run or of an earlier one. */
  hasResult?: true
  /** An earlier run captured the document, and this run has not found or checked it. */
  isOfEarlierRun?: true
}

const deletion = { deletionPrepared: { to: 'ELIGIBLEFORDELETE', owner: 'startDelete' } } as const

const rows = {
  PENDING: {
    group: 'waiting',
    isUnfetched: true,
    tone: 'waiting',
    on: {
      claimed: { to: 'ACTIVE', owner: 'stuffer' },
      // Refused without a fetch: robots rules, a limit reached, an invalid URL.
      settled: { to: 'COMPLETE', owner: 'workers' },
      // By a rule, a budget or a deletion from the queue.
      dropped: { to: 'COMPLETE', owner: 'user' },
      // The path by which it was found has vanished, or is longer than it seemed.
      outOfRange: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
    },
  },
  ACTIVE: {
    group: 'processing',
    tone: 'running',
    on: {
      settled: { to: 'COMPLETE', owner: 'workers' },
      // A document of a continuous job is never finished: it has a next time.
      rescheduled: { to: 'PENDINGPURGATORY', owner: 'workers' },
      postponed: { to: 'PENDING', owner: 'workers' },
      inputsChanged: { to: 'ACTIVENEEDRESCAN', owner: 'workers' },
      outOfRange: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
      interrupted: { to: 'PENDING', owner: 'recovery' },
    },
  },
  ACTIVENEEDRESCAN: {
    group: 'processing',
    isDueAgain: true,
    tone: 'running',
    on: {
      settled: { to: 'PENDINGPURGATORY', owner: 'workers' },
      rescheduled: { to: 'PENDINGPURGATORY', owner: 'workers' },
      postponed: { to: 'PENDING', owner: 'workers' },
      outOfRange: { to: 'PENDINGPURGATORY', owner: 'workers' },
      interrupted: { to: 'PENDING', owner: 'recovery' },
    },
  },
  PENDINGPURGATORY: {
    group: 'waiting',
    tone: 'waiting',
    on: {
      claimed: { to: 'ACTIVEPURGATORY', owner: 'stuffer' },
      settled: { to: 'COMPLETE', owner: 'workers' },
      dropped: { to: 'COMPLETE', owner: 'user' },
      outOfRange: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
      // The run ended before its turn: it stays unchanged.
      leftOver: { to: 'UNCHANGED', owner: 'workers' },
      scannedWhole: { to: 'PURGATORY', owner: 'startup' },
      ...deletion,
    },
  },
  ACTIVEPURGATORY: {
    group: 'processing',
    tone: 'running',
    on: {
      settled: { to: 'COMPLETE', owner: 'workers' },
      rescheduled: { to: 'PENDINGPURGATORY', owner: 'workers' },
      postponed: { to: 'PENDINGPURGATORY', owner: 'workers' },
      inputsChanged: { to: 'ACTIVENEEDRESCANPURGATORY', owner: 'workers' },
      outOfRange: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
      interrupted: { to: 'PENDINGPURGATORY', owner: 'recovery' },
    },
  },
  ACTIVENEEDRESCANPURGATORY: {
    group: 'processing',
    isDueAgain: true,
    tone: 'running',
    on: {
      settled: { to: 'PENDINGPURGATORY', owner: 'workers' },
      rescheduled: { to: 'PENDINGPURGATORY', owner: 'workers' },
      postponed: { to: 'PENDINGPURGATORY', owner: 'workers' },
      outOfRange: { to: 'PENDINGPURGATORY', owner: 'workers' },
      interrupted: { to: 'PENDINGPURGATORY', owner: 'recovery' },
    },
  },
  COMPLETE: {
    group: 'settled',
    hasResult: true,
    tone: 'done',
    on: {
      // Refused before by its place, a rule or a budget, and now accepted.
      rediscovered: { to: 'PENDING', owner: 'workers' },
      // Inherited data has changed. A shorter path is no reason: its links are recorded.
      inputsChanged: { to: 'PENDINGPURGATORY', owner: 'workers' },
      // It had its turn before the path to it vanished: the final result must not depend on that.
      outOfRange: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
      seededAgain: { to: 'PENDINGPURGATORY', owner: 'startup' },
      scannedWhole: { to: 'PURGATORY', owner: 'startup' },
      scannedAll: { to: 'PENDINGPURGATORY', owner: 'startup' },
      scannedInPart: { to: 'UNCHANGED', owner: 'startup' },
      // Its server reported that it is gone.
      cleanupTaken: { to: 'BEINGCLEANED', owner: 'cleanup' },
      ...deletion,
    },
  },
  UNCHANGED: {
    group: 'settled',
    hasResult: true,
    isOfEarlierRun: true,
    tone: 'done',
    on: {
      rediscovered: { to: 'PENDINGPURGATORY', owner: 'workers' },
      seededAgain: { to: 'PENDINGPURGATORY', owner: 'startup' },
      scannedWhole: { to: 'PURGATORY', owner: 'startup' },
      scannedAll: { to: 'PENDINGPURGATORY', owner: 'startup' },
      ...deletion,
    },
  },
  PURGATORY: {
    // Whether it is removed is decided at the end of this run.
    group: 'settled',
    isOfEarlierRun: true,
    tone: 'waiting',
    on: {
      rediscovered: { to: 'PENDINGPURGATORY', owner: 'workers' },
      seededAgain: { to: 'PENDINGPURGATORY', owner: 'startup' },
      // It waits for a shorter path, not for the end of the run.
      foundTooFar: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
      // Left by an aborted run: a run that removes nothing takes it unchanged.
      scannedAll: { to: 'PENDINGPURGATORY', owner: 'startup' },
      scannedInPart: { to: 'UNCHANGED', owner: 'startup' },
      cleanupTaken: { to: 'BEINGCLEANED', owner: 'cleanup' },
      // The run removes nothing: it was set to keep all, or ended before it had seen all.
      kept: { to: 'UNCHANGED', owner: 'cleanup' },
      ...deletion,
    },
  },
  BEINGCLEANED: {
    group: 'leaving',
    tone: 'running',
    on: {
      inputsChanged: { to: 'PENDINGPURGATORY', owner: 'workers' },
      postponed: { to: 'PURGATORY', owner: 'cleanup' },
      interrupted: { to: 'PURGATORY', owner: 'recovery' },
    },
  },
  ELIGIBLEFORDELETE: {
    group: 'leaving',
    tone: 'waiting',
    on: { deletionTaken: { to: 'BEINGDELETED', owner: 'documentDelete' } },
  },
  BEINGDELETED: {
    group: 'leaving',
    tone: 'running',
    on: {
      postponed: { to: 'ELIGIBLEFORDELETE', owner: 'documentDelete' },
      interrupted: { to: 'ELIGIBLEFORDELETE', owner: 'recovery' },
    },
  },
  HOPCOUNTREMOVED: {
    group: 'settled',
    isUnfetched: true,
    tone: 'idle',
    on: {
      reachable: { to: 'PENDING', owner: 'workers' },
      scannedAll: { to: 'PENDING', owner: 'startup' },
    },
  },
} as const satisfies Record<string, DocumentRow>

export const documentStates = stateTable('documentStates', 'PENDING', rows)
export type DocumentState = (typeof documentStates.states)[number]

function statesBefore(event: string): DocumentState[] {
  return documentStates.moves.filter((move) => move.event === event).map(({ from }) => from)
}

function statesWith(fits: (row: DocumentRow) => boolean | undefined): readonly DocumentState[] {
  return documentStates.states.filter((state) => fits(rows[state]))
}

/** States of documents that a thread holds: recovery resets them. */
export const heldDocumentStates: readonly DocumentState[] = statesBefore('interrupted')
/** States of documents that may be handed out. */
export const waitingDocumentStates: readonly DocumentState[] = statesBefore('claimed')
/** States of documents that a thread is fetching. */
export const fetchedDocumentStates: readonly DocumentState[] = statesBefore('settled').filter((state) =>
  heldDocumentStates.includes(state),
)
/** States in which a document counts as queued. */
export const queuedDocumentStates: readonly DocumentState[] = [...waitingDocumentStates, ...fetchedDocumentStates]
/** States of documents with a result of this run. In a continuous job they already wait for their next check. */
export const settledDocumentStates: readonly DocumentState[] = [
  ...new Set(
    documentStates.moves
      .filter(({ from, event }) => fetchedDocumentStates.includes(from) && /^(settled|rescheduled)$/.test(event))
      .map(({ to }) => to),
  ),
]
/** States of documents that are decided in this run and have no further turn in it. */
export const decidedDocumentStates = statesWith(({ group, isOfEarlierRun }) => group === 'settled' && !isOfEarlierRun)
export const resultDocumentStates = statesWith(({ hasResult }) => hasResult)
export const unfetchedDocumentStates = statesWith(({ isUnfetched }) => isUnfetched)
export const dueAgainDocumentStates = statesWith(({ isDueAgain }) => isDueAgain)
export const earlierDocumentStates = statesWith(({ isOfEarlierRun }) => isOfEarlierRun)

/** Returns the states of a group. */
export function documentStatesIn(group: DocumentGroup): readonly DocumentState[] {
  return statesWith((row) => row.group === group)
}
