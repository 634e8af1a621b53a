/** The contract's `jobs`: the crawl's view of a job, with its files out of the archive. */
import type { Archive } from '../archive/archive.ts'
import type { JobWhole, Loupe } from '../contract/contract.ts'
import { Fault } from '../contract/faults.ts'
import { formerNames } from '../contract/jobStates.ts'
import { jobStates } from '../contract/states.ts'
import type { Imports } from '../crawl/import/imports.ts'
import { restingStatuses, type JobAction, type JobDetail, type Jobs, waitsForWindow } from '../crawl/crawl.ts'
import { nearest } from './nearest.ts'
import { deletedJobs } from './selecting.ts'
import type { Signals } from './signals.ts'

export function jobsService({
  jobs,
  archive,
  imports,
  signals,
}: {
  jobs: Jobs
  archive: Archive
  imports: Pick<Imports, 'countImported'>
  signals: Signals
}): Loupe['jobs'] {
  const act =
    (action: JobAction) =>
    async ({ job }: { job: number }) => {
      const moved = jobs.act(job, action)
      signals.hear({ kind: 'changed', job })
      return moved
    }
  return {
    list: async ({ state }) => jobs.list(state === undefined ? undefined : knownState(state)),
    show: async ({ job }) => {
      const { filesRefused, filesWithErrors, ...detail } = jobs.show(job)
      const files = archive.filesOfJob(job)
      return {
        ...detail,
        files: files.map(({ name, bytes, sha256, kind, stored }) => ({
          name,
          bytes,
          sha256,
          kind,
          stored: stored !== null,
        })),
        findings: findingsOf({ ...detail, filesRefused, filesWithErrors }, () => imports.countImported(job)),
      }
    },
    documents: async ({ offset = 0, limit = 200, ...query }) => jobs.documents({ ...query, offset, limit }),
    log: async ({ job, after = 0, limit = 200 }) => jobs.log(job, after, limit),
    start: async ({ job, minimal = false }) => act(minimal ? 'startMinimal' : 'start')({ job }),
    restart: async ({ job, minimal = false }) => act(minimal ? 'restartMinimal' : 'restart')({ job }),
    delete: act('delete'),
    async deleted() {
      const known = new Map(jobs.deleted().map((row) => [row.job, row]))
      const left = archive.sumsOfJobs(deletedJobs({ jobs, archive })).toReversed()
      return left.map(({ job, files, bytes }) => {
        const row = known.get(job)
        const deleted = row ? new Date(row.deletedMs).toISOString() : null
        return { job, name: row?.name ?? null, deleted, files, bytes }
      })
    },
    pause: act('pause'),
    resume: act('resume'),
    abort: act('abort'),
    changed: (onPayload) => signals.onJob(onPayload),
    removed: (onPayload) => signals.onRemoved(onPayload),
  }
}

/** A state by its name in the table, or by what people call it. */
function knownState(state: string): string {
  const former = formerNames[state.toUpperCase()]
  if (former !== undefined) return former
  const known = [...jobStates.states, ...Object.values(jobStates.rows).map(({ badge }) => badge), ...restingStatuses]
  const folded = (word: string) => word.toLowerCase().replaceAll(/[ ,]/g, '')
  if (known.some((word) => folded(word) === folded(state))) return state
  const near = nearest(state, known)
  throw new Fault(
    'badInput',
    `No job can be in the state "${state}": ${near === undefined ? `states are ${jobStates.states.join(', ')}` : `the nearest known one is "${near}"`}.`,
  )
}

/** What a person should look at when a job has ended. */
function findingsOf(
  job: Pick<
    JobDetail,
    | 'state'
    | 'status'
    | 'reason'
    | 'kind'
    | 'ended'
    | 'documents'
    | 'stopReason'
    | 'byReason'
    | 'byTruncation'
    | 'filesRefused'
    | 'filesWithErrors'
    | 'definition'
    | 'ranWith'
  >,
  countImported: () => number,
) {
  const failed = job.byReason
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ text, documents }) => ({
      level: 'warning' as const,
      text: `${documents} ${documents === 1 ? 'document' : 'documents'}: ${text}`,
    }))
  // Outside its window nothing is wrong with it.
  const error = job.reason === null || waitsForWindow(job.state) ? [] : [{ level: 'error' as const, text: job.reason }]
  const empty = job.ended !== null && job.documents.fetched === 0 ? [withoutCaptures(job, countImported)] : []
  const truncated = job.byTruncation.map(({ text, documents }) => ({
    level: 'warning' as const,
    text: `${documents} ${documents === 1 ? 'capture is' : 'captures are'} incomplete: ${text}`,
  }))
  const stopped =
    job.ended !== null && job.stopReason === 'DOWNLOAD_UNFINISHED'
      ? [{ level: 'warning' as const, text: 'The job was stopped before its end; what waited then was not tried.' }]
      : []
  const dry =
    job.ended !== null && (job.ranWith ?? job.definition).connectors?.output === 'null'
      ? [{ level: 'note' as const, text: 'A dry run: everything was counted, and nothing was written down.' }]
      : []
  return [...error, ...empty, ...importErrors(job), ...stopped, ...truncated, ...failed, ...dry]
}

function importErrors({ filesRefused, filesWithErrors }: Pick<JobDetail, 'filesRefused' | 'filesWithErrors'>) {
  const files = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`
  return [
    ...(filesRefused > 0 ? [`${files(filesRefused)} could not be imported: the list of files says why.`] : []),
    ...(filesWithErrors > 0 ? [`Errors were found in ${files(filesWithErrors)}: the findings say which.`] : []),
  ].map((text) => ({ level: 'error' as const, text }))
}

/** What it means that a job has ended without a capture. An imported file may hold logs or metadata alone. */
function withoutCaptures(
  { kind, status }: Pick<JobDetail, 'kind' | 'status'>,
  countImported: () => number,
): JobWhole['findings'][number] {
  if (kind !== 'import') return { level: 'error', text: 'Nothing was fetched.' }
  const count = countImported()
  if (count === 0 && status === 'Done')
    return { level: 'note', text: 'No file was imported, since jobs of this archive have these files already.' }
  if (count === 0) return { level: 'error', text: 'No file was imported.' }
  const files = count === 1 ? 'The imported file has' : `The ${count} imported files have`
  return { level: 'warning', text: `${files} no captures, so there is nothing to view.` }
}
