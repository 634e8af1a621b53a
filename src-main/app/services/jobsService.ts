/** Service `jobs` of the contract: the crawl's view of a job, with its files from the archive. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Loupe } from '../../contract/contract.ts'
import type { JobAction, Jobs } from '../../crawl/crawl.ts'
import { deletedJobs } from './selecting.ts'
import { statesNamed } from './statesNamed.ts'
import type { Signals } from '../signals/signals.ts'

/** Makes the service. Every action is followed by an event of the changed job. */
export function jobsService({
  jobs,
  archive,
  signals,
}: {
  jobs: Jobs
  archive: Archive
  signals: Signals
}): Loupe['jobs'] {
  const act =
    (action: JobAction) =>
    async ({ job }: { job: number }) => {
      const moved = jobs.act(job, action)
      signals.report({ kind: 'changed', job })
      return moved
    }
  return {
    list: async ({ state }) => jobs.list(state === undefined ? undefined : statesNamed(state)),
    show: async ({ job }) => {
      const detail = jobs.show(job)
      const files = archive.filesOfJob(job)
      return {
        ...detail,
        fileBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        files: files.map(({ name, bytes, sha256, kind, stored }) => ({
          name,
          bytes,
          sha256,
          kind,
          stored: stored !== null,
        })),
      }
    },
    documents: async ({ offset = 0, limit = 200, ...query }) => jobs.documents({ ...query, offset, limit }),
    progress: async ({ job }) => jobs.progress(job),
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
