/** The filters of a report as SQL conditions. Only the given ones appear in the statement, so that indexes can be used. */
import { activityNumbers, type HistoryQuery } from '../../contract/services/history.ts'
import { documentStatus } from '../model/jobDocuments.sql.ts'

/** Conditions with their named parameters. */
export interface Conditions {
  /** A WHERE clause, or empty. */
  where: string
  values: Record<string, string | number>
}

type Condition = [sql: string, value: string | number | undefined]

/** Conditions on `activity`. Results are stored once each, so the pattern is matched once against each distinct result. */
export function activityConditions(query: HistoryQuery): Conditions {
  const { jobs, from, to, activities, identifier, result } = query
  return conditions({
    jobs: [`activity.job_id IN (SELECT value FROM json_each(@jobs))`, listed(jobs)],
    fromMs: [`activity.start_ms >= @fromMs`, from && Date.parse(from)],
    toMs: [`activity.start_ms < @toMs`, to && Date.parse(to)],
    activities: [
      `activity.kind IN (SELECT value FROM json_each(@activities))`,
      listed(activities?.map((kind) => activityNumbers[kind])),
    ],
    result: [`activity.result_id IN (SELECT id FROM activity_result WHERE text REGEXP @result)`, result],
    identifier: [`activity.identifier REGEXP @identifier`, identifier],
  })
}

/** Conditions on `document`. The result filter matches `documentStatus`. */
export function documentConditions({ jobs, states, identifier, result }: HistoryQuery): Conditions {
  return conditions({
    jobs: [`document.job_id IN (SELECT value FROM json_each(@jobs))`, listed(jobs)],
    states: [`document.state IN (SELECT value FROM json_each(@states))`, listed(states)],
    result: [`${documentStatus} REGEXP @result`, result],
    identifier: [`document.url REGEXP @identifier`, identifier],
  })
}

/** Conditions on `job`. */
export function jobConditions({ jobs }: HistoryQuery): Conditions {
  return conditions({ jobs: [`job.id IN (SELECT value FROM json_each(@jobs))`, listed(jobs)] })
}

/** Conditions on compared URLs. The run and the jobs are chosen before. */
export function comparedConditions({ comparisons, identifier }: HistoryQuery): Conditions {
  return conditions({
    comparisons: [`comparison IN (SELECT value FROM json_each(@comparisons))`, listed(comparisons)],
    identifier: [`url REGEXP @identifier`, identifier],
  })
}

function conditions(all: Record<string, Condition>): Conditions {
  const given = Object.entries(all).flatMap(([name, [sql, value]]) =>
    value === undefined ? [] : [{ name, sql, value }],
  )
  return {
    where: given.length === 0 ? '' : `WHERE ${given.map(({ sql }) => sql).join(' AND ')}`,
    values: Object.fromEntries(given.map(({ name, value }) => [name, value])),
  }
}

function listed(values: readonly (string | number)[] | undefined): string | undefined {
  return values && JSON.stringify(values)
}
