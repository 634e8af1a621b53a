/** SQL statements about output connections, the jobs that deliver to them, and the counts of their documents. */
import type { OutputDocument } from '../../contract/services/outputs.ts'
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import type { OutputNoticeKind, OutputNoticeState } from '../../contract/states/outputStates.ts'
import type { Store } from '../../storage/storage.ts'

/** An output connection as it is stored. */
export interface OutputDbRow {
  id: number
  name: string
  description: string
  /** JSON. */
  settings: string
  /** JSON. */
  steps: string
  requestsMax: number
  reingests: number
  revision: number
  /** A stored message; null: none. */
  problem: string | null
  /** Name of the connector of the user that it has; null: one of Loupe's. */
  connector: string | null
  /** Whether that connector is installed. */
  isInstalled: number
  /** Id of its plan, scanner and destination. */
  plan: number
  scanner: number
  destination: number
}

/** Documents by what the output has and by the state of the last delivery. */
export interface CountRow {
  content: 'sent' | 'none' | 'removed'
  state: DeliveryState | ''
  documents: number
}

/** The newest notice of a job to an output. */
export interface NoticeOfJobRow {
  kind: OutputNoticeKind
  state: OutputNoticeState
  message: string | null
}

/** What is known of a URL at an output, as it is stored. */
type KnownDbRow = Omit<OutputDocument, 'state' | 'first' | 'last' | 'checked'> & {
  state: DeliveryState | ''
  firstMs: number
  lastMs: number
  checkedMs: number
}

interface Written {
  description: string
  settings: string
  steps: string
  requestsMax: number
}

/** Whether the connector of an output is one of Loupe's or is installed. */
export const isInstalled = `(output.connector IS NULL
  OR EXISTS (SELECT 1 FROM output_connector WHERE name = output.connector AND state = 'INSTALLED'))`

const outputs = `SELECT output.id, output.name, output.description, output.settings, output.steps, output.requests_max AS requestsMax,
    output.reingests, output.revision, output.problem, output.connector, ${isInstalled} AS isInstalled,
    plan.id AS plan, scanner.id AS scanner, destination.id AS destination
  FROM output JOIN delivery_plan AS plan ON plan.output_id = output.id JOIN delivery_scanner AS scanner ON scanner.plan_id = plan.id
    JOIN delivery_destination AS destination ON destination.scanner_id = scanner.id`

/** Prepares the statements. */
export function outputStatements(store: Store) {
  return {
    all: store.statement<object, OutputDbRow>(`${outputs} ORDER BY output.name`),
    one: store.statement<{ name: string }, OutputDbRow>(`${outputs} WHERE output.name = @name`),
    any: store.statement<object, { one: number }>(`SELECT 1 AS one FROM output LIMIT 1`),
    add: store.statement<Written & { name: string }, { id: number }>(
      `INSERT INTO output (name, description, settings, steps, requests_max)
       VALUES (@name, @description, @settings, @steps, @requestsMax) RETURNING id`,
    ),
    change: store.statement<Written & { id: number }>(
      `UPDATE output SET description = @description, settings = @settings, steps = @steps, requests_max = @requestsMax,
              revision = revision + 1 WHERE id = @id`,
    ),
    reingest: store.statement<{ id: number }>(
      `UPDATE output SET reingests = reingests + 1, revision = revision + 1 WHERE id = @id`,
    ),
    setProblem: store.statement<{ id: number; problem: string | null }>(
      `UPDATE output SET problem = @problem WHERE id = @id AND problem IS NOT @problem`,
    ),
    remove: store.statement<{ id: number }>(`DELETE FROM output WHERE id = @id`),
    /** Removes some of the documents of an output that is being removed, with their deliveries. */
    removeDeliveries: store.statement<{ scanner: number; limit: number }>(
      `DELETE FROM delivery_document WHERE id IN (SELECT id FROM delivery_document WHERE scanner_id = @scanner LIMIT @limit)`,
    ),
    removeRecords: store.statement<{ output: number; limit: number }>(
      `DELETE FROM output_document WHERE id IN (SELECT id FROM output_document WHERE output_id = @output LIMIT @limit)`,
    ),
    addPlan: store.statement<{ output: number; name: string; plan: string; nowMs: number }, { id: number }>(
      `INSERT INTO delivery_plan (name, version, plan, toml, created_ms, output_id) VALUES (@name, 1, @plan, '', @nowMs, @output) RETURNING id`,
    ),
    jobs: store.statement<{ id: number }, { count: number }>(
      `SELECT COUNT(*) AS count FROM job_output WHERE output_id = @id`,
    ),
    /** Newest first. */
    users: store.statement<{ id: number; limit: number }, { job: number; name: string }>(
      `SELECT job.id AS job, harvest.name FROM job_output JOIN job ON job.id = job_output.job_id
         JOIN harvest ON harvest.id = job.harvest_id WHERE output_id = @id ORDER BY job.id DESC LIMIT @limit`,
    ),
    counts: store.statement<{ id: number }, CountRow>(
      `SELECT content, state, SUM(documents) AS documents FROM output_count WHERE output_id = @id GROUP BY content, state`,
    ),
    countsOfJob: store.statement<{ id: number; job: number }, CountRow>(
      `SELECT content, state, documents FROM output_count WHERE output_id = @id AND job_id = @job`,
    ),
    pending: store.statement<{ id: number }, { count: number }>(
      `SELECT COUNT(*) AS count FROM output_pending WHERE output_id = @id`,
    ),
    /** Outputs of a job: those that it names, and those where documents of it are known. */
    ofJob: store.statement<{ job: number }, OutputDbRow>(
      `${outputs} WHERE output.id IN (SELECT output_id FROM job_output WHERE job_id = @job)
         OR EXISTS (SELECT 1 FROM output_count WHERE output_id = output.id AND job_id = @job AND documents > 0) ORDER BY output.name`,
    ),
    known: store.statement<{ output: number; key: Uint8Array }, KnownDbRow>(
      `SELECT job_id AS job, content, state, version, output_version AS outputVersion, transformation_version AS transformationVersion,
              first_ms AS firstMs, last_ms AS lastMs, checked_ms AS checkedMs, change_count AS changes
       FROM output_document WHERE output_id = @output AND url_key = @key`,
    ),
    notice: store.statement<{ id: number; job: number }, NoticeOfJobRow>(
      `SELECT kind, state, message FROM output_notice WHERE output_id = @id AND job_id = @job ORDER BY id DESC LIMIT 1`,
    ),
  }
}
