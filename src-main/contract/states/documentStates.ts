/** The states of a URL (document) of a job, with the names of ManifoldCF's job queue. There are two tracks: what was never captured
 *  (PENDING, ACTIVE), and what was captured in an earlier run or pass (…PURGATORY). Only the second kind has anything to lose: it is what
 *  the end of a run cleans, and what the deletion of a job visits. ManifoldCF puts every document that it resets on the second track,
 *  since it cannot know whether the output has it. Here a record and its row appear in one transaction, so it is known: what was postponed
 *  stays on its track. */
import { stateTable } from './stateTable.ts'

const deletion = { deletionPrepared: { to: 'ELIGIBLEFORDELETE', owner: 'startDelete' } } as const

export const documentStates = stateTable('documentStates', 'PENDING', {
  PENDING: {
    meaning: 'Discovered and queued.',
    badge: 'Queued',
    tone: 'waiting',
    on: {
      claimed: { to: 'ACTIVE', owner: 'stuffer' },
      // Refused without a fetch: robots rules, a limit reached, a bad address.
      settled: { to: 'COMPLETE', owner: 'workers' },
      // A rule, a budget or a deletion from the queue.
      dropped: { to: 'COMPLETE', owner: 'person' },
      // The way by which it was found has vanished, or is longer than it seemed.
      outOfRange: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
    },
  },
  ACTIVE: {
    meaning: 'Being fetched.',
    badge: 'Fetching',
    tone: 'running',
    on: {
      settled: { to: 'COMPLETE', owner: 'workers' },
      // A continuous job's document is never done: it has its next time.
      rescheduled: { to: 'PENDINGPURGATORY', owner: 'workers' },
      postponed: { to: 'PENDING', owner: 'workers' },
      inputsChanged: { to: 'ACTIVENEEDRESCAN', owner: 'workers' },
      outOfRange: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
      interrupted: { to: 'PENDING', owner: 'recovery' },
    },
  },
  ACTIVENEEDRESCAN: {
    meaning: 'Being fetched. Its inherited properties have changed, so it will be fetched again.',
    badge: 'Fetching',
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
    meaning: 'Captured before and queued again.',
    badge: 'Queued again',
    tone: 'waiting',
    on: {
      claimed: { to: 'ACTIVEPURGATORY', owner: 'stuffer' },
      settled: { to: 'COMPLETE', owner: 'workers' },
      dropped: { to: 'COMPLETE', owner: 'person' },
      outOfRange: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
      // The run ended before its turn came: it stays as it was.
      leftOver: { to: 'UNCHANGED', owner: 'workers' },
      scannedWhole: { to: 'PURGATORY', owner: 'startup' },
      ...deletion,
    },
  },
  ACTIVEPURGATORY: {
    meaning: 'Captured before and being fetched again.',
    badge: 'Fetching again',
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
    meaning:
      'Captured before and being fetched again. Its inherited properties have changed, so it will be fetched once more.',
    badge: 'Fetching again',
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
    meaning: 'Processed; its result is recorded.',
    badge: 'Done',
    tone: 'done',
    on: {
      // Refused before for where it was found, by a rule or by a budget, and wanted now.
      rediscovered: { to: 'PENDING', owner: 'workers' },
      // What is handed down to it has changed. A shorter way is no reason: its links are on record.
      inputsChanged: { to: 'PENDINGPURGATORY', owner: 'workers' },
      // It had its turn before the way to it vanished: what is left in the end must not depend on that.
      outOfRange: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
      seededAgain: { to: 'PENDINGPURGATORY', owner: 'startup' },
      scannedWhole: { to: 'PURGATORY', owner: 'startup' },
      scannedAll: { to: 'PENDINGPURGATORY', owner: 'startup' },
      scannedInPart: { to: 'UNCHANGED', owner: 'startup' },
      // Its server said that it has gone.
      cleanupTaken: { to: 'BEINGCLEANED', owner: 'cleanup' },
      ...deletion,
    },
  },
  UNCHANGED: {
    meaning: 'Processed in an earlier run and not visited in this one.',
    badge: 'Not visited',
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
    meaning:
      'Captured in an earlier run. If it is not found again, it is removed from the URL list when this run ends.',
    badge: 'Not found yet',
    tone: 'waiting',
    on: {
      rediscovered: { to: 'PENDINGPURGATORY', owner: 'workers' },
      seededAgain: { to: 'PENDINGPURGATORY', owner: 'startup' },
      // It waits for a shorter way, not for the end of the run.
      foundTooFar: { to: 'HOPCOUNTREMOVED', owner: 'workers' },
      // An aborted run had left it: a run that removes nothing takes it as it was.
      scannedAll: { to: 'PENDINGPURGATORY', owner: 'startup' },
      scannedInPart: { to: 'UNCHANGED', owner: 'startup' },
      cleanupTaken: { to: 'BEINGCLEANED', owner: 'cleanup' },
      // The run removes nothing: it was to keep all, or ended before it had seen all.
      kept: { to: 'UNCHANGED', owner: 'cleanup' },
      ...deletion,
    },
  },
  BEINGCLEANED: {
    meaning: 'Not found again; being removed from the URL list.',
    badge: 'Being removed',
    tone: 'running',
    on: {
      inputsChanged: { to: 'PENDINGPURGATORY', owner: 'workers' },
      postponed: { to: 'PURGATORY', owner: 'cleanup' },
      interrupted: { to: 'PURGATORY', owner: 'recovery' },
    },
  },
  ELIGIBLEFORDELETE: {
    meaning: 'Its job is being deleted.',
    badge: 'To be removed',
    tone: 'waiting',
    on: { deletionTaken: { to: 'BEINGDELETED', owner: 'documentDelete' } },
  },
  BEINGDELETED: {
    meaning: 'Being removed with its job. Its captures are kept.',
    badge: 'Being removed',
    tone: 'running',
    on: {
      postponed: { to: 'ELIGIBLEFORDELETE', owner: 'documentDelete' },
      interrupted: { to: 'ELIGIBLEFORDELETE', owner: 'recovery' },
    },
  },
  HOPCOUNTREMOVED: {
    meaning: 'Too far from every seed. Captured if a shorter path is found.',
    badge: 'Too far',
    tone: 'idle',
    on: {
      reachable: { to: 'PENDING', owner: 'workers' },
      scannedAll: { to: 'PENDING', owner: 'startup' },
    },
  },
})
export type DocumentState = (typeof documentStates.states)[number]

/** Held by a thread: recovery resets these states. */
export const heldDocumentStates: readonly DocumentState[] = documentStates.moves
  .filter(({ event }) => event === 'interrupted')
  .map(({ from }) => from)
/** May be handed out. */
export const waitingDocumentStates: readonly DocumentState[] = documentStates.moves
  .filter(({ event }) => event === 'claimed')
  .map(({ from }) => from)
/** Held by a thread that fetches. */
export const fetchedDocumentStates: readonly DocumentState[] = documentStates.moves
  .filter(({ event }) => event === 'settled')
  .map(({ from }) => from)
  .filter((state) => heldDocumentStates.includes(state))
