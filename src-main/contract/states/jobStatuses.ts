/**
 * Displayed statuses of a job. Several states of a job have one status, and a job that is not running has one of several, by how its last
 * run ended. The names are those that `loupe jobs --json` prints.
 */
import { message, type Message, type MessageCode } from '../words/message.ts'
import type { Tone } from './stateTable.ts'

/** Row of a status. */
interface StatusRow {
  tone: Tone
  label: MessageCode
}

const rows = {
  /** The job has not been started. */
  'Not yet run': { tone: 'idle', label: 'jobStatuses.notYetRun' },
  Starting: { tone: 'running', label: 'jobStatuses.starting' },
  Running: { tone: 'running', label: 'jobStatuses.running' },
  'Window closed': { tone: 'waiting', label: 'jobStatuses.windowClosed' },
  'Waiting for window': { tone: 'waiting', label: 'jobStatuses.waitingForWindow' },
  Pausing: { tone: 'waiting', label: 'jobStatuses.pausing' },
  Paused: { tone: 'attention', label: 'jobStatuses.paused' },
  Resuming: { tone: 'waiting', label: 'jobStatuses.resuming' },
  'No connector': { tone: 'attention', label: 'jobStatuses.noConnector' },
  Stopping: { tone: 'waiting', label: 'jobStatuses.stopping' },
  Restarting: { tone: 'waiting', label: 'jobStatuses.restarting' },
  Finishing: { tone: 'running', label: 'jobStatuses.finishing' },
  Storing: { tone: 'running', label: 'jobStatuses.storing' },
  Deleting: { tone: 'running', label: 'jobStatuses.deleting' },
  /** The state of the job names work, but no process works on the archive. */
  'Not running': { tone: 'idle', label: 'jobStatuses.notRunning' },
  /** Also an import of files that other jobs have already. */
  Done: { tone: 'done', label: 'jobStatuses.done' },
  /** Some of its captures are truncated. */
  'Done, incomplete': { tone: 'attention', label: 'jobStatuses.doneIncomplete' },
  /** An import that refused files, or found errors in them. */
  'Done, with errors': { tone: 'attention', label: 'jobStatuses.doneWithErrors' },
  /** Nothing was fetched or imported. */
  Empty: { tone: 'attention', label: 'jobStatuses.empty' },
  Stopped: { tone: 'attention', label: 'jobStatuses.stopped' },
  Error: { tone: 'failed', label: 'jobStatuses.error' },
} as const satisfies Record<string, StatusRow>

export type JobStatus = keyof typeof rows
export const jobStatuses = Object.keys(rows) as [JobStatus, ...JobStatus[]]

/** Returns the appearance of a status. */
export function statusTone(status: JobStatus): Tone {
  return rows[status].tone
}

/** Returns the two or three words of a status. */
export function statusLabel(status: JobStatus): Message {
  return message(rows[status].label)
}
