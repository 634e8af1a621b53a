/** The log of a job: what happened to it and what it met, as messages that are rendered when they are read. */
import { messageFrom, storedMessage, type Message } from '../../contract/words/message.ts'
import type { LogLine } from '../../contract/services/jobs.ts'
import type { Store } from '../../storage/storage.ts'

/** How important a line is: info, warning or error. */
export type LogLevel = LogLine['level']

/** Adds a line to the log of the job for which it was opened. */
export type Log = (level: LogLevel, message: Message) => void

interface Added {
  job: number
  /** When it happened, by the wall clock. */
  nowMs: number
  level: LogLevel
  message: Message
}

/** The logs of all jobs of a database. */
export interface JobLog {
  add(line: Added): void
  /** Lines with an id above `after`, oldest first, at most `limit`. */
  lines(job: number, after: number, limit: number): LogLine[]
  /** The last lines of all jobs, newest first. */
  latest(limit: number): (LogLine & { job: number })[]
}

/** Opens the logs. A line that is added inside a transaction is part of it. */
export function jobLogOf(store: Store): JobLog {
  const add = store.statement<{ job: number; nowMs: number; level: string; message: string }>(
    `INSERT INTO job_event (job_id, at_ms, level, message) VALUES (@job, @nowMs, @level, @message)`,
  )
  const lines = store.statement<
    { job: number; after: number; limit: number },
    { id: number; atMs: number; level: LogLevel; message: string }
  >(
    `SELECT id, at_ms AS atMs, level, message FROM job_event WHERE job_id = @job AND id > @after ORDER BY id LIMIT @limit`,
  )
  const latest = store.statement<
    { limit: number },
    { id: number; job: number; atMs: number; level: LogLevel; message: string }
  >(`SELECT id, job_id AS job, at_ms AS atMs, level, message FROM job_event ORDER BY id DESC LIMIT @limit`)
  return {
    add: ({ message, ...line }) => void add.run({ ...line, message: storedMessage(message) }),
    lines: (job, after, limit) =>
      lines.all({ job, after, limit }).map(({ atMs, message, ...line }) => ({ ...line, ...readLine(atMs, message) })),
    latest: (limit) =>
      latest.all({ limit }).map(({ atMs, message, ...line }) => ({ ...line, ...readLine(atMs, message) })),
  }
}

function readLine(atMs: number, message: string): Pick<LogLine, 'at' | 'message'> {
  return { at: new Date(atMs).toISOString(), message: messageFrom(message) }
}
