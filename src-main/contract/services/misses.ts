/**
 * URLs that are missing from jobs: noticed while browsing, and failures of the harvest, in one table; rules that ignore them; and patch jobs
 * that capture them. The viewer's own list, of a view and not of a job, is in `viewer.ts`.
 */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { patternShape } from '../shapes/pattern.ts'
import { count, jobId, messageShape, nothing, page, time } from '../shapes/shapes.ts'
import { missStates } from '../states/missStates.ts'

/**
 * Why a job lacks a URL, where it was neither refused nor failed (for these, see `states/outcomes.ts`). `unknown`: only the crawl log of an
 * imported job may say. `method`: the request was no GET or HEAD, so no harvest can capture its answer. `recapture`: it is captured, and a user
 * wants a better capture.
 */
export const missReasons = ['queued', 'notChecked', 'neverFound', 'unknown', 'method', 'recapture'] as const
export type MissReason = (typeof missReasons)[number]

/** What noticed a miss first. */
const missSources = ['browsing', 'harvest', 'user', 'audit'] as const

/** Properties by which misses are grouped. */
export const missGroups = ['host', 'path', 'type', 'reason', 'page', 'state'] as const
export type MissGroup = (typeof missGroups)[number]

/** Properties by which misses are sorted. */
export const missOrders = ['url', 'host', 'type', 'reason', 'state', 'times', 'last'] as const
export type MissOrder = (typeof missOrders)[number]

/** Misses to which one call applies. */
export const missesAtOnceMax = 10_000
const missIds = z.array(z.int().min(1)).min(1).max(missesAtOnceMax)

/** Selects misses of jobs. Those of a view are those of its jobs. Absent fields select all. */
const missFilter = {
  jobs: z.array(jobId).min(1).max(1_000),
  /** Text that the URL contains. */
  text: z.string().optional(),
  host: z.string().optional(),
  /** Folder and extension, as `groups` returns them. */
  path: z.string().optional(),
  type: z.string().optional(),
  reason: z.string().optional(),
  /** A page that wanted the URL. */
  page: z.string().optional(),
  state: z.enum(missStates.states).optional(),
}
const missesFiltered = z.strictObject(missFilter)
export type MissFilter = z.input<typeof missesFiltered>

/** A URL that is missing from a job. */
export const jobMiss = z.object({
  id: count,
  job: jobId,
  url: z.string(),
  host: z.string(),
  path: z.string(),
  /** Purpose of the request (Sec-Fetch-Dest); '' where it is unknown. */
  type: z.string(),
  source: z.enum(missSources),
  state: z.enum(missStates.states),
  /** A `MissReason`, or a `Reason` of `states/outcomes.ts`. */
  reason: z.string(),
  /** The reason, with the rule, the limit or the line of a log that it comes from. */
  why: messageShape,
  /** The first 20 pages that wanted it. */
  pages: z.array(z.string()),
  note: z.string(),
  /** The pattern of the rule that ignores it. */
  ignoredBy: z.string().nullable(),
  /** The last job that was to capture it; `why`: the reason why it did not. */
  patch: z.object({ job: jobId, why: messageShape.nullable() }).nullable(),
  first: time,
  last: time,
  times: count,
})
export type JobMiss = z.output<typeof jobMiss>

/** Misses with one property in common. `label`: the value as users read it. */
const missGroup = z.object({ value: z.string(), label: messageShape, misses: count })

const missRule = z.object({ rule: count, job: jobId, pattern: z.string(), misses: count, created: time })
export type MissRule = z.output<typeof missRule>

const patchJob = z.object({ job: jobId, patches: jobId, misses: count, created: time })
export type PatchJob = z.output<typeof patchJob>

const changedMisses = z.object({ misses: count })

export const missCalls = {
  /**
   * Lists misses. Failures of a run are added when it has ended; misses that a patch job or a later run has captured are marked as solved
   * first.
   */
  list: call(
    z.strictObject({
      ...missFilter,
      sort: z.enum(missOrders).default('url'),
      descending: z.boolean().default(false),
      ...page,
    }),
    z.object({ rows: z.array(jobMiss), total: count }),
  ),
  /** Groups misses by one property, the largest group first: the first 500. */
  groups: call(z.strictObject({ ...missFilter, by: z.enum(missGroups) }), z.array(missGroup)),
  /** Lists the jobs that have misses, the newest first, with the number of those that are open. */
  jobs: call(nothing, z.array(z.object({ job: jobId, name: z.string(), open: count, total: count }))),
  /**
   * Adds URLs to the misses of a job, also those that it has captured: a capture may be bad. What was solved is open again. Refused where
   * the job can have no more misses.
   */
  add: call(
    z.strictObject({
      job: jobId,
      urls: z.array(z.string()).min(1).max(1_000),
      /** The page that wants them. */
      page: z.string().optional(),
    }),
    changedMisses,
  ),
  /** Ignores the misses of a job whose URLs match a pattern, also those that are noticed later. */
  ignore: call(z.strictObject({ job: jobId, pattern: patternShape.min(1) }), missRule),
  /** Removes an ignore rule: what it ignored is open again, unless another rule matches. */
  unignore: call(z.strictObject({ rule: z.int().min(1) }), changedMisses),
  /** Lists ignore rules, oldest first. */
  rules: call(z.strictObject({ jobs: missFilter.jobs }), z.array(missRule)),
  /** Replaces the note of misses. An empty text removes it. */
  note: call(z.strictObject({ misses: missIds, note: z.string().trim().max(2_000) }), changedMisses),
  /**
   * Makes a job that captures open misses and what their pages need, with the settings of the job from which they are missing; one for each
   * such job. Refused if none of the misses is open.
   */
  patch: call(
    z.strictObject({
      misses: missIds,
      ignoreRobots: z.boolean().default(false),
      /** The job is made but not started. */
      later: z.boolean().default(false),
    }),
    z.array(patchJob),
  ),
  /**
   * Makes and starts a job that captures one URL and what it needs, with the settings of the newest harvest among these jobs, as a patch of it.
   * Refused if none of the jobs is a harvest, or if it ignores the URL or is being patched with it.
   */
  harvest: call(
    z.strictObject({ jobs: missFilter.jobs, url: z.string().min(1), ignoreRobots: z.boolean().default(false) }),
    patchJob,
  ),
  /** Lists the patch jobs of jobs, oldest first. */
  patches: call(z.strictObject({ jobs: missFilter.jobs }), z.array(patchJob)),
} as const
