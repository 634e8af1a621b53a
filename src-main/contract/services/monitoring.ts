/** The state of the running engine: its loops, queues, memory and log, and the same numbers as metrics. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { count, jobId, messageShape, nothing, time } from '../shapes/shapes.ts'
import { jobStatuses } from '../states/jobStatuses.ts'

/** Shape of a loop: work that repeats while the engine runs. */
export const loopState = z.object({
  name: z.string(),
  /** Whether a pass is running now. */
  isRunning: z.boolean(),
  passes: count,
  failures: count,
  /** Begin of the last pass; null: there was none yet. */
  began: time.nullable(),
  /** Duration of the last pass that has ended. */
  lastMs: z.number().min(0).nullable(),
  /** Why the last pass failed; null: it did not. */
  problem: messageShape.nullable(),
})
export type LoopState = z.output<typeof loopState>

const logLine = z.object({
  at: time,
  level: z.enum(['info', 'warning', 'error']),
  message: messageShape,
  /** Null: the line concerns no single job. */
  job: jobId.nullable(),
})
export type EngineLogLine = z.output<typeof logLine>

/** Shape of the state of the engine. */
export const engineStatus = z.object({
  startedAt: time,
  uptimeSeconds: z.number().min(0),
  loops: z.array(loopState),
  jobs: z.partialRecord(z.enum(jobStatuses), count),
  /** URLs of all jobs that wait or are being fetched. */
  urlsQueued: count,
  /** Jobs that harvests have submitted, by channel. */
  channels: z.record(z.string(), count),
  /** Other queues. */
  queues: z.object({ tasksActive: count, notificationsWaiting: count }),
  /** Bytes of the process: in memory, and of JavaScript objects in the answering thread. */
  memory: z.object({ residentBytes: count, heapBytes: count }),
  database: z.object({ bytes: count, walBytes: count }),
  diskFreeBytes: count.nullable(),
  viewings: count,
})
export type EngineStatus = z.output<typeof engineStatus>

export const monitoringCalls = {
  status: call(nothing, engineStatus),
  /** Last lines of the logs of all jobs and of the engine, the newest first. */
  log: call(z.strictObject({ limit: z.int().min(1).max(1000).default(200) }), z.array(logLine)),
  /** The status as text for Prometheus (exposition format 0.0.4). */
  metrics: call(nothing, z.object({ text: z.string() })),
} as const
