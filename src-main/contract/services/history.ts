/**
 * Reports on what the harvester did and on the documents. The columns of each report are a table here, so that the engine, the interface
 * and the command line name the same ones.
 */
import { z } from 'zod'
import { comparisons } from '../shapes/comparisons.ts'
import { patternShape } from '../shapes/pattern.ts'
import { jobId, messageShape, time } from '../shapes/shapes.ts'
import { linkGraph, linkGraphQuery } from './linkGraph.ts'
import { call } from '../calls/service.ts'
import { documentStates } from '../states/states.ts'

/** Kinds of activity with the number under which each is stored: numbers are never reused. */
export const activityNumbers = {
  fetch: 1,
  robots: 2,
  recheckUnchanged: 3,
  documentGone: 4,
  login: 5,
  jobStart: 10,
  jobWait: 11,
  jobContinue: 12,
  jobStop: 13,
  jobEnd: 14,
} as const
export type ActivityKind = keyof typeof activityNumbers
export const activityKinds = Object.keys(activityNumbers) as [ActivityKind, ...ActivityKind[]]

/**
 * Types of cells. `comparison`: one of `comparisons`. A time is ISO 8601; `activity` and `state` are names from their tables. `result`: an HTTP status, a reason from
 * `reasons`, or how a job ended. `action`: the next action on a document. `message`: text for users.
 */
const cellKinds = [
  'text',
  'activity',
  'state',
  'result',
  'action',
  'comparison',
  'message',
  'job',
  'time',
  'count',
  'bytes',
  'milliseconds',
  'perMinute',
  'bytesPerSecond',
] as const
export type CellKind = (typeof cellKinds)[number]

export type HistoryFilter =
  | 'jobs'
  | 'time'
  | 'activities'
  | 'identifier'
  | 'result'
  | 'identifierClass'
  | 'resultClass'
  | 'window'
  | 'states'
  | 'run'
  | 'comparisons'

interface ReportRow {
  columns: Readonly<Record<string, CellKind>>
  filters: readonly HistoryFilter[]
  /** Whether rows are returned in pages, in the requested order; other reports return all rows at once, the largest first. */
  paged: boolean
}

const ofActivities = ['jobs', 'time', 'activities', 'identifier', 'result'] as const

/** The reports with their columns. */
export const historyReports = {
  history: {
    columns: {
      started: 'time',
      activity: 'activity',
      job: 'job',
      identifier: 'text',
      result: 'result',
      bytes: 'bytes',
      took: 'milliseconds',
      description: 'message',
    },
    filters: ofActivities,
    paged: true,
  },
  maximumActivity: {
    columns: { class: 'text', most: 'perMinute', from: 'time', to: 'time', activities: 'count' },
    filters: [...ofActivities, 'identifierClass', 'window'],
    paged: false,
  },
  maximumBandwidth: {
    columns: { class: 'text', most: 'bytesPerSecond', from: 'time', to: 'time', bytes: 'bytes' },
    filters: [...ofActivities, 'identifierClass', 'window'],
    paged: false,
  },
  results: {
    columns: { class: 'text', resultClass: 'result', activities: 'count', bytes: 'bytes' },
    filters: [...ofActivities, 'identifierClass', 'resultClass'],
    paged: false,
  },
  documents: {
    columns: {
      identifier: 'text',
      job: 'job',
      state: 'state',
      status: 'result',
      due: 'time',
      action: 'action',
      attempts: 'count',
      fetched: 'time',
      bytes: 'bytes',
    },
    filters: ['jobs', 'states', 'identifier', 'result'],
    paged: true,
  },
  queue: {
    columns: {
      class: 'text',
      total: 'count',
      ready: 'count',
      resting: 'count',
      processing: 'count',
      fetched: 'count',
      failed: 'count',
      excluded: 'count',
      leaving: 'count',
    },
    filters: ['jobs', 'states', 'identifier', 'result', 'identifierClass'],
    paged: false,
  },
  hosts: {
    columns: {
      host: 'text',
      total: 'count',
      queued: 'count',
      fetched: 'count',
      failed: 'count',
      excluded: 'count',
      bytes: 'bytes',
    },
    filters: ['jobs'],
    paged: false,
  },
  mediaTypes: { columns: { mediaType: 'text', documents: 'count', bytes: 'bytes' }, filters: ['jobs'], paged: false },
  statuses: { columns: { status: 'text', documents: 'count', bytes: 'bytes' }, filters: ['jobs'], paged: false },
  seeds: {
    columns: {
      seed: 'text',
      job: 'job',
      state: 'state',
      status: 'result',
      bytes: 'bytes',
      fetched: 'time',
      redirectedTo: 'text',
    },
    filters: ['jobs'],
    paged: false,
  },
  runs: {
    columns: {
      run: 'count',
      job: 'job',
      started: 'time',
      ended: 'time',
      new: 'count',
      changed: 'count',
      unchanged: 'count',
      gone: 'count',
    },
    filters: ['jobs'],
    paged: false,
  },
  changes: {
    columns: {
      identifier: 'text',
      comparison: 'comparison',
      job: 'job',
      run: 'count',
      status: 'result',
      bytes: 'bytes',
      fetched: 'time',
    },
    filters: ['jobs', 'run', 'comparisons', 'identifier'],
    paged: true,
  },
} as const satisfies Record<string, ReportRow>
export type HistoryReportName = keyof typeof historyReports
export const historyReportNames = Object.keys(historyReports) as [HistoryReportName, ...HistoryReportName[]]

/** Default class: the host of a URL. */
export const hostClass = '^[a-z]+://([^/?#]+)'

/** Rows of one answer: enough to make a file from few answers, and few enough to hold in memory. */
export const historyRowsMax = 10_000

/** Earlier runs of a job whose URLs can be listed. The numbers of all runs are kept. */
export const listedRunsMax = 20

/** A longer pattern than any that a user would write is a mistake. */
const pattern = patternShape.min(1).max(1000)

/** Shape of the request for a report. */
export const historyQuery = z.strictObject({
  report: z.enum(historyReportNames),
  jobs: z.array(jobId).max(1000).optional(),
  /** Activities that began at this moment or later. */
  from: time.optional(),
  /** … and before this one. */
  to: time.optional(),
  activities: z.array(z.enum(activityKinds)).optional(),
  /** Pattern that may match anywhere in the identifier: the URL of a document, `job 3` for a job. */
  identifier: pattern.optional(),
  result: pattern.optional(),
  /** The text of the first group is the class; without a group, the matched text. Identifiers that do not match are left out. */
  identifierClass: pattern.default(hostClass),
  resultClass: pattern.default('.+'),
  windowSeconds: z
    .int()
    .min(1)
    .max(30 * 86_400)
    .default(60),
  states: z.array(z.enum(documentStates.states)).optional(),
  /** Number of a run; absent: the last run of each job. */
  run: z.int().min(1).optional(),
  comparisons: z.array(z.enum(comparisons)).optional(),
  /** A column of the report; absent: the newest first. */
  order: z.string().optional(),
  direction: z.enum(['ascending', 'descending']).default('descending'),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(historyRowsMax).default(200),
})
export type HistoryQuery = z.output<typeof historyQuery>

const cell = z.union([z.string(), z.number(), z.null(), messageShape])
export type HistoryCell = z.output<typeof cell>

/** Shape of a report. */
export const historyReport = z.object({
  report: z.enum(historyReportNames),
  /** Cells in the order of the report's columns. */
  rows: z.array(z.array(cell)),
  total: z.int().min(0),
  /** Amount that belongs to no class, in the unit of the report's total column. */
  leftOut: z.int().min(0),
  /** The whole report as bars, with the first page only: the largest rows, or, for activities, their number over time. */
  chart: z.object({
    /** Type of the names, and the measured quantity. */
    names: z.enum(cellKinds),
    amounts: z.enum(cellKinds),
    bars: z.array(z.object({ name: z.string(), amount: z.number().min(0) })),
  }),
})
export type HistoryReport = z.output<typeof historyReport>

export const historyCalls = {
  /** Makes a report in a separate thread, within a time limit: refused when it takes longer, with advice on how to shorten it. */
  report: call(historyQuery, historyReport),
  /** Links between the hosts of a job, made as a report is. */
  linkGraph: call(linkGraphQuery, linkGraph),
}
