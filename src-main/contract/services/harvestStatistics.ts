/** Statistics of harvests: what jobs fetched of each domain, the history of domains and harvests, and abnormal runs. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { count, jobId, messageShape, nothing, page, time } from '../shapes/shapes.ts'
import { message, type Message } from '../words/message.ts'

/** Why the harvest of a domain stopped, in NetarchiveSuite's order (`StopReason`). */
export const domainStopReasons = [
  'DOWNLOAD_COMPLETE',
  /** Limit of the harvest. */
  'OBJECT_LIMIT',
  /** Limit of the harvest. */
  'SIZE_LIMIT',
  /** Limit of the domain's configuration. */
  'CONFIG_SIZE_LIMIT',
  'DOWNLOAD_UNFINISHED',
  /** Limit of the domain's configuration. */
  'CONFIG_OBJECT_LIMIT',
  'TIME_LIMIT',
] as const
export type DomainStopReason = (typeof domainStopReasons)[number]

/** Returns the few words of a stop reason. */
export function domainStopMessage(reason: DomainStopReason): Message {
  return message(`domainStop.${reason}`)
}

/** What a job fetched of a domain. */
export const domainResult = z.object({
  job: jobId,
  domain: z.string(),
  /** '': no harvest generated the job. */
  configuration: z.string(),
  harvest: z.int().min(1).nullable(),
  run: z.int().min(1).nullable(),
  /** End of the job. */
  at: time,
  objects: count,
  bytes: count,
  stopReason: z.enum(domainStopReasons),
})
export type DomainResultOut = z.output<typeof domainResult>

/** An abnormal run. */
const runAlarm = z.object({
  kind: z.enum(['small', 'large']),
  of: z.enum(['objects', 'bytes']),
  value: count,
  /** Median of the earlier runs. */
  usual: z.number().min(0),
  message: messageShape,
})

/** The size of a run of a harvest. */
export const runStatistics = z.object({
  run: z.int().min(1),
  ended: time,
  jobs: count,
  objects: count,
  bytes: count,
  /** Domains by the reason why their harvest stopped. */
  stopReasons: z.partialRecord(z.enum(domainStopReasons), count),
  alarms: z.array(runAlarm),
})
export type RunStatistics = z.output<typeof runStatistics>

/** The newest complete run of a harvest. */
const latestRun = z.object({ harvest: z.int().min(1), name: z.string(), ...runStatistics.shape })
export type LatestRun = z.output<typeof latestRun>

const results = z.object({ rows: z.array(domainResult), total: count })

export const harvestStatisticsCalls = {
  /** Results of a job, the largest first. */
  ofJob: call(z.strictObject({ job: jobId, ...page }), results),
  /** Results of a domain, the newest first. */
  ofDomain: call(z.strictObject({ domain: z.string().min(1), ...page }), results),
  /** Runs of a harvest all of whose jobs have ended, the newest first. */
  ofHarvest: call(
    z.strictObject({ harvest: z.int().min(1), limit: z.int().min(1).max(1000).default(100) }),
    z.array(runStatistics),
  ),
  /** The newest complete run of each harvest, the newest first; without harvests that have none. */
  latest: call(nothing, z.array(latestRun)),
  /** A job was counted. */
  counted: event(z.object({ job: jobId, harvest: z.int().min(1).nullable() })),
} as const
