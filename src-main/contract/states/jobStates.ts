/**
 * States of a job, with the names of ManifoldCF's pull agent in its later releases. The row of a state has every move out of it, with the
 * only loop that makes the move; `families` makes the twins. ManifoldCF's states per process are not needed: one engine works on an
 * archive, so a state is transient if recovery leads out of it. Its later releases dropped seven names: `formerNames` has their
 * replacements.
 */
import { expanded, statusOfTwin, textsOfTwin, waitsInDimension, type BaseRow, type DimensionName } from './families.ts'
import type { JobStatus } from './jobStatuses.ts'
import { stateTable } from './stateTable.ts'

/** Overall activity of a job, for loops that do not depend on the exact state. */
export type Phase =
  | 'resting'
  | 'starting'
  /** Documents are handed out. */
  | 'working'
  /** Documents in progress are being finished. */
  | 'draining'
  /** The job waits for the user, a window or a connector. */
  | 'waiting'
  | 'ending'
  | 'deleting'

/**
 * What may be changed in the definition of a job: all of it, the parts that a run can adopt while it is under way, or nothing, because the
 * run is being recorded with its definition.
 */
export type Edit = 'whole' | 'inRun' | 'ending' | 'deleting'

/** What follows when a run that is being ended by a user has ended. */
export type AbortGoal = 'rest' | 'restart'

interface JobRow extends BaseRow {
  phase: Phase
  edit: Edit
  /** Present while a run is being ended at a user's request. */
  abortsFor?: AbortGoal
}

const abort = { to: 'ABORTING', owner: 'user' } as const
/** A fault that ends the job: an unavailable seed list, a document that may not be skipped. */
const failed = { to: 'ABORTING', owner: 'workers' } as const
const restart = {
  restart: { to: 'ABORTINGFORRESTART', owner: 'user', drops: ['minimal'] },
  restartMinimal: { to: 'ABORTINGFORRESTARTMINIMAL', owner: 'user' },
} as const

const bases = {
  INACTIVE: {
    phase: 'resting',
    edit: 'whole',
    status: 'Not running',
    on: {
      start: { to: 'READYFORSTARTUP', owner: 'user' },
      startMinimal: { to: 'READYFORSTARTUPMINIMAL', owner: 'user' },
      scheduled: { to: 'READYFORSTARTUP', owner: 'jobStart' },
      scheduledMinimal: { to: 'READYFORSTARTUPMINIMAL', owner: 'jobStart' },
      delete: { to: 'READYFORDELETE', owner: 'user' },
      // Files that a replica refused are offered again at the next start.
      storeAgain: { to: 'READYFORNOTIFY', owner: 'recovery' },
    },
  },
  READYFORSTARTUP: {
    phase: 'starting',
    edit: 'whole',
    status: 'Starting',
    has: ['minimal'],
    on: { startupTaken: { to: 'STARTINGUP', owner: 'startup' }, abort, ...restart },
  },
  STARTINGUP: {
    phase: 'starting',
    edit: 'inRun',
    status: 'Starting',
    has: ['minimal'],
    on: {
      seeded: { to: 'ACTIVE', owner: 'startup' },
      failed: { to: 'ABORTING', owner: 'startup' },
      abort,
      restart: { to: 'ABORTINGSTARTINGUPFORRESTART', owner: 'user', drops: ['minimal'] },
      restartMinimal: { to: 'ABORTINGSTARTINGUPFORRESTARTMINIMAL', owner: 'user' },
      interrupted: { to: 'READYFORSTARTUP', owner: 'recovery' },
    },
  },
  ACTIVE: {
    phase: 'working',
    edit: 'inRun',
    status: 'Running',
    has: ['seeding', 'uninstalled'],
    on: {
      pause: { to: 'PAUSING', owner: 'user' },
      // The disk is full or cannot be written: nothing is lost while the user makes room.
      spaceLow: { to: 'PAUSING', owner: 'space' },
      windowEnded: { to: 'ACTIVEWAITING', owner: 'jobStart' },
      seedingBegan: { to: 'ACTIVESEEDING', owner: 'seeding', never: ['seeding', 'uninstalled'] },
      finished: { to: 'SHUTTINGDOWN', owner: 'workers', never: ['seeding'] },
      failed,
      abort,
      ...restart,
    },
  },
  ACTIVEWAITING: {
    phase: 'draining',
    edit: 'inRun',
    status: 'Window closed',
    has: ['seeding'],
    on: {
      drained: { to: 'ACTIVEWAIT', owner: 'reset' },
      pause: { to: 'PAUSINGWAITING', owner: 'user' },
      spaceLow: { to: 'PAUSINGWAITING', owner: 'space' },
      failed,
      abort,
      ...restart,
    },
  },
  ACTIVEWAIT: {
    phase: 'waiting',
    edit: 'inRun',
    status: 'Waiting for window',
    has: ['seeding'],
    on: {
      windowBegan: { to: 'RESUMING', owner: 'jobStart' },
      finished: { to: 'SHUTTINGDOWN', owner: 'workers', never: ['seeding'] },
      pause: { to: 'PAUSEDWAIT', owner: 'user' },
      failed,
      abort,
      ...restart,
    },
  },
  PAUSING: {
    phase: 'draining',
    edit: 'inRun',
    status: 'Pausing',
    has: ['seeding'],
    on: {
      drained: { to: 'PAUSED', owner: 'reset' },
      windowEnded: { to: 'PAUSINGWAITING', owner: 'jobStart' },
      failed,
      abort,
      ...restart,
    },
  },
  PAUSED: {
    phase: 'waiting',
    edit: 'inRun',
    status: 'Paused',
    has: ['seeding'],
    on: {
      resume: { to: 'RESUMING', owner: 'user' },
      windowEnded: { to: 'PAUSEDWAIT', owner: 'jobStart' },
      failed,
      abort,
      ...restart,
    },
  },
  PAUSINGWAITING: {
    phase: 'draining',
    edit: 'inRun',
    status: 'Pausing',
    has: ['seeding'],
    on: {
      drained: { to: 'PAUSEDWAIT', owner: 'reset' },
      windowBegan: { to: 'PAUSING', owner: 'jobStart' },
      failed,
      abort,
      ...restart,
    },
  },
  PAUSEDWAIT: {
    phase: 'waiting',
    edit: 'inRun',
    status: 'Paused',
    has: ['seeding'],
    on: {
      resume: { to: 'ACTIVEWAIT', owner: 'user' },
      windowBegan: { to: 'PAUSED', owner: 'jobStart' },
      failed,
      abort,
      ...restart,
    },
  },
  RESUMING: {
    phase: 'starting',
    edit: 'inRun',
    status: 'Resuming',
    has: ['seeding'],
    on: {
      resumed: { to: 'ACTIVE', owner: 'reset' },
      // ManifoldCF refuses a pause, an abort and a restart here. In Loupe users may always stop a job.
      pause: { to: 'PAUSING', owner: 'user' },
      failed,
      abort,
      ...restart,
    },
  },
  SHUTTINGDOWN: {
    phase: 'ending',
    edit: 'ending',
    status: 'Finishing',
    on: {
      cleaned: { to: 'READYFORNOTIFY', owner: 'reset' },
      // A removal may change what other documents inherited: they are due again.
      foundMore: { to: 'ACTIVE', owner: 'reset' },
      abort: { to: 'ABORTINGSHUTTINGDOWN', owner: 'user' },
    },
  },
  ABORTING: {
    phase: 'draining',
    edit: 'ending',
    abortsFor: 'rest',
    status: 'Stopping',
    on: { drained: { to: 'READYFORNOTIFY', owner: 'reset' } },
  },
  ABORTINGSHUTTINGDOWN: {
    phase: 'draining',
    edit: 'ending',
    abortsFor: 'rest',
    status: 'Stopping',
    on: { drained: { to: 'READYFORNOTIFY', owner: 'reset' } },
  },
  ABORTINGFORRESTART: {
    phase: 'draining',
    edit: 'ending',
    abortsFor: 'restart',
    status: 'Restarting',
    has: ['seeding', 'minimal'],
    on: { drained: { to: 'READYFORSTARTUP', owner: 'reset', never: ['seeding'] }, failed, abort },
  },
  ABORTINGSTARTINGUPFORRESTART: {
    phase: 'draining',
    edit: 'ending',
    abortsFor: 'restart',
    status: 'Restarting',
    has: ['minimal'],
    on: {
      startupEnded: { to: 'ABORTINGFORRESTART', owner: 'startup' },
      interrupted: { to: 'ABORTINGFORRESTART', owner: 'recovery' },
      abort,
    },
  },
  READYFORNOTIFY: {
    phase: 'ending',
    edit: 'ending',
    status: 'Storing',
    on: { notificationTaken: { to: 'NOTIFYINGOFCOMPLETION', owner: 'notification' } },
  },
  NOTIFYINGOFCOMPLETION: {
    phase: 'ending',
    edit: 'ending',
    status: 'Storing',
    on: {
      notified: { to: 'INACTIVE', owner: 'notification' },
      // Files that are not in every replica yet wait in the job's folder, and are offered again at the next start.
      abort: { to: 'INACTIVE', owner: 'user' },
      interrupted: { to: 'READYFORNOTIFY', owner: 'recovery' },
    },
  },
  READYFORDELETE: {
    phase: 'deleting',
    edit: 'deleting',
    status: 'Deleting',
    on: { deletionTaken: { to: 'DELETESTARTINGUP', owner: 'startDelete' } },
  },
  DELETESTARTINGUP: {
    phase: 'deleting',
    edit: 'deleting',
    status: 'Deleting',
    on: {
      deletionPrepared: { to: 'DELETING', owner: 'startDelete' },
      interrupted: { to: 'READYFORDELETE', owner: 'recovery' },
    },
  },
  DELETING: {
    phase: 'deleting',
    edit: 'deleting',
    status: 'Deleting',
    has: ['noOutput'],
    on: { emptied: { to: 'READYFORDELETENOTIFY', owner: 'jobDelete', never: ['noOutput'] } },
  },
  READYFORDELETENOTIFY: {
    phase: 'deleting',
    edit: 'deleting',
    status: 'Deleting',
    on: { notificationTaken: { to: 'NOTIFYINGOFDELETION', owner: 'notification' } },
  },
  NOTIFYINGOFDELETION: {
    phase: 'deleting',
    edit: 'deleting',
    status: 'Deleting',
    on: { interrupted: { to: 'READYFORDELETENOTIFY', owner: 'recovery' } },
  },
} as const satisfies Record<string, JobRow>

const { rows, twins } = expanded(bases)
export type JobState = keyof typeof rows

export const jobStates = stateTable('jobStates', 'INACTIVE', rows, (state) =>
  textsOfTwin('jobStates', twins[state], statusIn(state)),
)
export type JobEvent = (typeof jobStates.moves)[number]['event']

function baseOf(state: JobState): JobRow {
  return bases[twins[state].base]
}

/** Returns the status of a job in this state. One that is not running has further statuses, by its last run. */
export function statusIn(state: JobState): JobStatus {
  return statusOfTwin(baseOf(state), twins[state].within)
}

/** Returns the phase of a state. */
export function phaseOf(state: JobState): Phase {
  return waitsInDimension(twins[state]) ? 'waiting' : baseOf(state).phase
}

/** Whether the state is in this dimension, as that of an incremental run. */
export function isWithin(state: JobState, dimension: DimensionName): boolean {
  return twins[state].within.includes(dimension)
}

/** Returns what follows the end of a run that a user is ending. Undefined where no user is ending it. */
export function abortGoalOf(state: JobState): AbortGoal | undefined {
  return baseOf(state).abortsFor
}

/** Whether the state means that the job is active, or will be at once. */
export function isUnderWay(state: JobState): boolean {
  const phase = phaseOf(state)
  return phase !== 'resting' && phase !== 'waiting'
}

/** Returns what may be changed of a definition in this state. */
export function editIn(state: JobState): Edit {
  return baseOf(state).edit
}

/** Lists the states in which an event is accepted. */
export function statesBefore(event: JobEvent): JobState[] {
  return jobStates.moves.filter((move) => move.event === event).map(({ from }) => from)
}

/** Lists the states to which an event leads. */
export function statesAfter(event: JobEvent): JobState[] {
  return [...new Set(jobStates.moves.filter((move) => move.event === event).map(({ to }) => to))]
}

/** Lists the states of the given phases. */
export function statesIn(...phases: Phase[]): JobState[] {
  return jobStates.states.filter((state) => phases.includes(phaseOf(state)))
}

/**
 * State names of earlier ManifoldCF releases that no job has: later releases, like Loupe, check connectors once, and let an abort take
 * effect at once over whatever was starting. Lists of jobs still accept these names.
 */
export const formerNames: Record<string, JobState> = {
  ABORTINGSTARTINGUP: 'ABORTING',
  ABORTINGSEEDING: 'ABORTING',
  ACTIVE_NOOUTPUT: 'ACTIVE_UNINSTALLED',
  ACTIVESEEDING_NOOUTPUT: 'ACTIVESEEDING_UNINSTALLED',
  ACTIVE_NEITHER: 'ACTIVE_UNINSTALLED',
  ACTIVESEEDING_NEITHER: 'ACTIVESEEDING_UNINSTALLED',
  READYFORDELETE_NOOUTPUT: 'DELETING_NOOUTPUT',
}
