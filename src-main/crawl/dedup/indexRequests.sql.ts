/** Statements on requests for deduplication indexes. The harvester asks in its thread, the indexes answer in theirs. */
import type { Store } from '../../storage/storage.ts'

/** An index that a job asks for. */
export interface RequestRow {
  job: number
  /** JSON: job numbers. */
  jobs: string
  /** JSON: media types. */
  excludedTypes: string
  /** Number of the request. */
  asked: number
}

/** The answer to a request. */
export interface AnswerRow extends RequestRow {
  path: string | null
  /** JSON: job numbers. */
  jobsMissing: string | null
  filesMissing: number | null
  /** JSON: a message. */
  problem: string | null
}

/** The answer without the request. */
export type Answer = Omit<AnswerRow, keyof RequestRow>

/** Prepares the statements. */
export function indexRequestStatements(store: Store) {
  return {
    /** Adds a request and returns its number. */
    ask: store.statement<Omit<RequestRow, 'asked'>, { asked: number }>(
      `INSERT INTO index_request (job_id, jobs, excluded_types) VALUES (@job, @jobs, @excludedTypes)
       ON CONFLICT (job_id) DO UPDATE SET jobs = excluded.jobs, excluded_types = excluded.excluded_types, asked = asked + 1
       RETURNING asked`,
    ),
    /** The answer to this request or to a later one. */
    answerTo: store.statement<{ job: number; asked: number }, Answer>(
      `SELECT path, jobs_missing AS jobsMissing, files_missing AS filesMissing, problem FROM index_request
       WHERE job_id = @job AND answered >= @asked`,
    ),
    /** Uses index_request_open. */
    open: store.statement<object, RequestRow>(
      `SELECT job_id AS job, jobs, excluded_types AS excludedTypes, asked FROM index_request WHERE answered < asked ORDER BY job_id`,
    ),
    answer: store.statement<AnswerRow>(
      `UPDATE index_request SET answered = @asked, path = @path, jobs_missing = @jobsMissing, files_missing = @filesMissing,
              problem = @problem
       WHERE job_id = @job AND answered < @asked AND jobs = @jobs AND excluded_types = @excludedTypes`,
    ),
    forget: store.statement<{ job: number }>(`DELETE FROM index_request WHERE job_id = @job`),
    /** The jobs in whose captures the last run of a job looked documents up. */
    jobsOf: store.statement<{ job: number }, { jobs: string }>(
      `SELECT jobs FROM index_request WHERE job_id = @job AND path IS NOT NULL AND answered = asked`,
    ),
  }
}
