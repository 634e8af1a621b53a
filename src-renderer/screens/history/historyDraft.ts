/** The filters of a report as they are typed, as an address contains them, and as the request for the engine. */
import {
  activityKinds,
  historyReportNames,
  historyReports,
  hostClass,
  type ActivityKind,
  type HistoryFilter,
  type HistoryReportName,
} from '../../../src-main/contract/services/history.ts'
import type { Message } from '../../../src-main/contract/words/message.ts'
import type { DocumentState } from '../../../src-main/contract/states/documentStates.ts'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { comparisons, type Comparison } from '../../../src-main/contract/shapes/comparisons.ts'
import { patternProblem } from '../../../src-main/contract/shapes/pattern.ts'
import { jobsOf } from '../../state/jobNumbers.ts'

export type HistoryAsking = Parameters<Loupe['history']['report']>[0]

export interface HistoryDraft {
  report: HistoryReportName
  jobs: string
  from: string
  to: string
  activities: readonly string[]
  states: readonly DocumentState[]
  /** Null: the last run of each job. */
  run: number | null
  comparisons: readonly Comparison[]
  identifier: string
  result: string
  identifierClass: string
  resultClass: string
  windowSeconds: number
}

export const emptyDraft: HistoryDraft = {
  report: 'history',
  jobs: '',
  from: '',
  to: '',
  activities: [],
  states: [],
  run: null,
  comparisons: [],
  identifier: '',
  result: '',
  identifierClass: hostClass,
  resultClass: '.+',
  windowSeconds: 60,
}

/** The report, jobs, run and comparison named in the URL; all other filters have their defaults. */
export function draftOf(filter: string | undefined): HistoryDraft {
  const parameters = new URLSearchParams(filter)
  const report = historyReportNames.find((name) => name === parameters.get('report')) ?? emptyDraft.report
  const run = Number(parameters.get('run'))
  return {
    ...{ ...emptyDraft, report, jobs: parameters.get('jobs') ?? '' },
    run: Number.isInteger(run) && run > 0 ? run : null,
    comparisons: comparisons.filter((name) => name === parameters.get('comparison')),
  }
}

export const patternFields = ['identifier', 'result', 'identifierClass', 'resultClass'] as const
export type PatternField = (typeof patternFields)[number]

export function hasFilter(report: HistoryReportName, filter: HistoryFilter): boolean {
  return (historyReports[report].filters as readonly string[]).includes(filter)
}

export function areJobsWrong({ jobs }: HistoryDraft): boolean {
  return jobsOf(jobs) === null
}

/** The error in a pattern filter; null where the report has no such filter or the pattern is valid. */
export function patternWrong(draft: HistoryDraft, field: PatternField): Message | null {
  return hasFilter(draft.report, field) ? patternProblem(draft[field]) : null
}

/** The request with the filters that the report supports; undefined while one of them is invalid. */
export function queryOf(draft: HistoryDraft): HistoryAsking | undefined {
  const jobs = jobsOf(draft.jobs)
  if (jobs === null || patternFields.some((field) => patternWrong(draft, field) !== null)) return undefined
  const { report, from, to, states, windowSeconds } = draft
  const has = (filter: HistoryFilter) => hasFilter(report, filter)
  const activities = draft.activities.filter((kind): kind is ActivityKind =>
    activityKinds.some((known) => known === kind),
  )
  const patterns = patternFields.filter((field) => has(field) && draft[field] !== '')
  return {
    report,
    ...(jobs.length > 0 && { jobs }),
    ...(has('time') && momentOf(from) && { from: momentOf(from) }),
    ...(has('time') && momentOf(to) && { to: momentOf(to) }),
    ...(has('activities') && activities.length > 0 && { activities }),
    ...(has('states') && states.length > 0 && { states: [...states] }),
    ...(has('run') && draft.run !== null && { run: draft.run }),
    ...(has('comparisons') && draft.comparisons.length > 0 && { comparisons: [...draft.comparisons] }),
    ...(has('window') && { windowSeconds }),
    ...Object.fromEntries(patterns.map((field) => [field, draft[field]])),
  }
}

/** The value of a date and time field, as UTC. */
function momentOf(text: string): string | undefined {
  const ms = Date.parse(`${text}Z`)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
