/** Jobs that harvests generated, as users see them and decide about them. */
import { Fault } from '../../contract/calls/faults.ts'
import { storedDefinition } from '../../contract/services/definition.ts'
import type { GeneratedJobRow } from '../../contract/services/generatedJobs.ts'
import { generatedActionsIn, generatedLabel, type GeneratedAction } from '../../contract/states/generatedStatuses.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import { message, messageFrom, type Message } from '../../contract/words/message.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import { jobStatements } from '../../crawl/model/jobs.sql.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { Estimate } from '../estimates/estimate.ts'
import { estimateMessages, refusalMessage } from '../splitting/explanation.ts'
import type { SplitJob } from '../splitting/splitter.ts'
import { generatedJobStatements, type GeneratedJobDbRow, type GeneratedJobFilter } from './generatedJobs.sql.ts'

/** Filters of the list; absent: any. */
type AnyFilter = { [Name in keyof GeneratedJobFilter]?: GeneratedJobFilter[Name] | undefined }

interface Page {
  offset: number
  limit: number
}

/** Why the configurations of a job are in it, and why the next is not. */
export interface Explanation {
  rows: { domain: string; configuration: string; objectsExpected: number; estimate: Message[] }[]
  total: number
  next: { domain: string; configuration: string; reason: Message } | null
}

/** Lines of the log of a job about the crawl, and about the storing of its files; oldest first. */
export interface GeneratedJobErrors {
  harvest: { at: string; message: Message }[]
  upload: { at: string; message: Message }[]
}

/** Lines of the log that are read: more than the errors of any usual job. */
const errorLinesMax = 500

/** Generated jobs. A call that names a job which no harvest generated throws `Fault` notFound. */
export interface GeneratedJobs {
  /** Newest first. */
  list(filter: AnyFilter & Page): { rows: GeneratedJobRow[]; total: number }
  show(job: number): GeneratedJobRow
  /** The long form of its errors. */
  errors(job: number): GeneratedJobErrors
  explain(query: { job: number } & Page): Explanation
  /** Repeats a job as a new one. Throws `Fault` refused if its status does not allow it, as do the others. */
  resubmit(job: number): GeneratedJobRow
  reject(job: number): GeneratedJobRow
  unreject(job: number): GeneratedJobRow
}

const anything: GeneratedJobFilter = { status: null, harvest: null, run: null, domain: null, from: null, to: null }

/** Opens the generated jobs. */
export function openGeneratedJobs(
  store: Store,
  clock: Pick<Clock, 'now'>,
  jobs: Pick<Jobs, 'createGenerated'>,
): GeneratedJobs {
  const sql = generatedJobStatements(store)
  const { setupRecords } = jobStatements(store)

  function rowOf(job: number): GeneratedJobDbRow {
    const row = sql.one.get({ job })
    if (!row) throw new Fault('notFound', message('generatedJob.absent', { job }))
    return row
  }

  /** Runs an action in a transaction if the status of the job allows it, and returns the job that it is about. */
  function acted(job: number, action: GeneratedAction, act: (row: GeneratedJobDbRow) => number): GeneratedJobRow {
    return store.transaction(() => {
      const row = rowOf(job)
      if (!generatedActionsIn(row.status).includes(action)) {
        const values = { job, status: generatedLabel(row.status) }
        throw new Fault('refused', message(`generatedJob.notNow.${action}`, values))
      }
      return shown(rowOf(act(row)))
    })
  }

  function repeated({ job: from, status, harvest }: GeneratedJobDbRow): number {
    const origin = sql.origin.get({ job: from })
    if (!origin) throw new Error(`job ${from} has gone`)
    const job = jobs.createGenerated({
      ...{
        name: origin.name,
        definition: storedDefinition.parse(JSON.parse(origin.definition)),
        definitionId: harvest,
      },
      ...{ priority: origin.priority, limits: sql.limitsOf.all({ job: from }) },
      setupRecords: setupRecords.all({ job: from }),
    })
    sql.repeat.run({ job, from, continuationOf: status === 'FAILED' ? from : null })
    sql.repeatConfigurations.run({ job, from })
    sql.setResubmitted.run({ job: from, as: job })
    return job
  }

  function setRejected(job: number, nowMs: number | null): number {
    sql.reject.run({ job, nowMs })
    return job
  }

  return {
    list({ offset, limit, ...filter }) {
      const given = Object.entries(filter).filter(([, value]) => value !== undefined)
      const all = { ...anything, ...Object.fromEntries(given) }
      return { rows: sql.list.all({ ...all, offset, limit }).map(shown), total: sql.total.get(all)?.total ?? 0 }
    },
    show: (job) => shown(rowOf(job)),
    errors(job) {
      rowOf(job)
      const lines = sql.problems.all({ job, limit: errorLinesMax }).toReversed()
      const all = lines.map(({ atMs, message: text }) => ({
        at: new Date(atMs).toISOString(),
        message: messageFrom(text),
      }))
      return {
        harvest: all.filter((line) => !isOfUpload(line.message)),
        upload: all.filter((line) => isOfUpload(line.message)),
      }
    },
    explain({ job, ...page }) {
      const { closedBecause, configurations: total } = rowOf(job)
      const rows = sql.configurations.all({ job, ...page })
      return {
        rows: rows.map((row) => ({ ...row, estimate: estimateMessages(JSON.parse(row.estimate) as Estimate) })),
        ...{ total, next: nextOf(closedBecause) },
      }
    },
    resubmit: (job) => acted(job, 'resubmit', repeated),
    reject: (job) => acted(job, 'reject', () => setRejected(job, clock.now())),
    unreject: (job) => acted(job, 'unreject', () => setRejected(job, null)),
  }
}

function nextOf(closedBecause: string | null): Explanation['next'] {
  const stored = closedBecause === null ? null : (JSON.parse(closedBecause) as SplitJob['closedBecause'])
  if (stored === null) return null
  const { domain, name: configuration, refusal } = stored
  return { domain, configuration, reason: refusalMessage(refusal) }
}

/** Whether a message says that files of a job could not be stored. */
function isOfUpload({ code }: Message): boolean {
  return code === 'job.filesWait'
}

function shown({ closedBecause: _, errorText, unstored, ...row }: GeneratedJobDbRow): GeneratedJobRow {
  const { createdMs, submittedMs, startedMs, endedMs, ...columns } = row
  const error = errorText === null ? null : messageFrom(errorText)
  const isStoring = error !== null && isOfUpload(error)
  const waiting = unstored > 0 && endedMs !== null ? message('generatedJob.unstored', { files: unstored }) : null
  return {
    ...columns,
    harvestError: isStoring ? null : error,
    uploadError: waiting ?? (isStoring ? error : null),
    ...{ created: new Date(createdMs).toISOString(), submitted: timeOf(submittedMs) },
    ...{ started: timeOf(startedMs), ended: timeOf(endedMs), actions: [...generatedActionsIn(row.status)] },
  }
}
