/** What the crawl knows of outputs: which of them a definition names, whether a job lacks one, and that they are told of its end. Documents
 *  need nothing of this: triggers note every change of them. */
import { Fault } from '../contract/calls/faults.ts'
import type { HarvestDefinition } from '../contract/services/definition.ts'
import type { OutputNoticeKind, OutputNoticeState } from '../contract/states/outputStates.ts'
import { message, messageFrom, type Message } from '../contract/words/message.ts'
import type { Store } from '../storage/storage.ts'
import { isInstalled as isConnectorInstalled } from './outputs/outputs.sql.ts'

/** Whether every output of a job (row `job`) can be used, as SQL. */
export const outputsInstalled = `NOT EXISTS (SELECT 1 FROM job_output JOIN output ON output.id = job_output.output_id
  WHERE job_output.job_id = job.id AND NOT ${isConnectorInstalled})`

/** Throws `Fault` badInput if a definition names an output that does not exist. */
export function refuseAbsentOutputs(store: Store, { outputs = [] }: Pick<HarvestDefinition, 'outputs'>): void {
  const one = store.statement<{ name: string }, { id: number }>(`SELECT id FROM output WHERE name = @name`)
  outputs.forEach(({ output: name }, at) => {
    if (!one.get({ name }))
      throw new Fault('badInput', message('output.absent', { name }), { fields: [['outputs', at, 'output']] })
  })
}

/** A notice that a job has ended. */
interface Notice {
  output: string
  state: OutputNoticeState
  /** Why the last attempt failed. */
  problem: Message | null
}

/** The ends of jobs, as outputs are told of them. */
export interface JobEnds {
  /** Notes that all outputs of the job are to be told. Does nothing where that was noted for this run. */
  announce(end: { job: number; run: number; kind: OutputNoticeKind; nowMs: number }): void
  /** What has become of it; empty: the job has no outputs. */
  notices(end: { job: number; run: number; kind: OutputNoticeKind }): Notice[]
  /** Outputs of the job that cannot be used, each with the name of the connector that is missing. */
  lacking(job: number): Message[]
  /** Forgets the notices of a job that is gone, except those that outputs have not been told yet. */
  forget(job: number): void
}

export function openJobEnds(store: Store): JobEnds {
  const sql = {
    announce: store.statement<{ job: number; run: number; kind: OutputNoticeKind; nowMs: number }>(
      `INSERT INTO output_notice (output_id, job_id, run, kind, state, pending_id, due_ms)
       SELECT output_id, @job, @run, @kind, 'WAITING', (SELECT COALESCE(MAX(id), 0) FROM output_pending), @nowMs
       FROM job_output WHERE job_id = @job ON CONFLICT DO NOTHING`,
    ),
    notices: store.statement<
      { job: number; run: number; kind: OutputNoticeKind },
      { output: string; state: OutputNoticeState; problem: string | null }
    >(
      `SELECT output.name AS output, notice.state, notice.message AS problem FROM output_notice AS notice
       JOIN output ON output.id = notice.output_id
       WHERE notice.job_id = @job AND notice.run = @run AND notice.kind = @kind ORDER BY output.name`,
    ),
    lacking: store.statement<{ job: number }, { name: string; connector: string }>(
      `SELECT output.name, output.connector FROM job_output JOIN output ON output.id = job_output.output_id
       WHERE job_output.job_id = @job AND NOT ${isConnectorInstalled} ORDER BY output.name`,
    ),
    forget: store.statement<{ job: number }>(`DELETE FROM output_notice WHERE job_id = @job AND state <> 'WAITING'`),
  }
  return {
    announce: (end) => void sql.announce.run(end),
    notices: (end) => sql.notices.all(end).map((row) => ({ ...row, problem: messageFrom(row.problem) })),
    lacking: (job) => sql.lacking.all({ job }).map((values) => message('output.lacks', values)),
    forget: (job) => void sql.forget.run({ job }),
  }
}
