/** Loses the database after a harvest and recovers everything from the replicas into a new one. Files, job, documents and captures must be
 *  the same in both. */
import { textOf } from '../contract/words/render.ts'
import { join } from 'node:path'
import { openArchive } from '../archive/store/archive.ts'
import { openJobs } from '../crawl/crawl.ts'
import { settleOwnership } from '../crawl/ownership/settleOwnership.ts'
import { documentsOf } from '../crawl/finish/jobRecordReports.ts'
import { recover } from '../crawl/recover/recover.ts'
import { openStore, type Store } from '../storage/storage.ts'
import { checksumReplica, jobsFolder, quarantineFolder, replicas, type Evidence } from './evidence.ts'
import { unlike } from './invariants.ts'

/** `isMarkCertain`: the sequence mark could be read at every start. A start that cannot read it quarantines unknown files. */
export async function lostDatabase(
  { world, store: old, job }: Evidence,
  { folder, isMarkCertain }: { folder: string; isMarkCertain: boolean },
): Promise<string[]> {
  const store = openStore(join(folder, 'recovered.db'))
  try {
    const setting = { store, world, quarantineFolder, signal: new AbortController().signal }
    const act = async () => {
      const archive = await openArchive({ store, world, replicas: [...replicas, checksumReplica] })
      const mark = await settleOwnership({ ...setting, archive, folder: jobsFolder, log: () => undefined })
      await mark.close()
      const parts = { ...setting, archive, jobs: openJobs(store, world) }
      return recover(parts, { signal: setting.signal, onProgress: () => undefined })
    }
    const { problems, importJob } = await world.run(act())
    return [
      ...problems.map(({ name, message }) => `Not recovered: ${name}: ${textOf(message)}`),
      ...(importJob === null || !isMarkCertain ? [] : ['Recovery found files in the quarantine.']),
      ...unlike('files of the lost database', filesIn(old), filesIn(store)),
      ...unlike('job of the lost database', [jobIn(old, job)], [jobIn(store, job)]),
      ...unlike('documents of the lost database', documentsIn(old, job), documentsIn(store, job)),
    ]
  } finally {
    store.close()
  }
}

function filesIn(store: Store): string[] {
  return store
    .statement<object, object>(
      `SELECT name, bytes, sha256, job_id, kind, stored_ms IS NOT NULL AS stored,
              (SELECT GROUP_CONCAT(replica || ' ' || upload_state) FROM (
                 SELECT replica, upload_state FROM replica_file WHERE file_id = archive_file.id ORDER BY replica)) AS copies
       FROM archive_file ORDER BY name`,
    )
    .all({})
    .map((row) => JSON.stringify(row))
}

/** Leaves out what may change after the last run, such as the schedule, and when files were stored. */
function jobIn(store: Store, job: number): string {
  return JSON.stringify(
    store
      .statement<{ job: number }, object>(
        `SELECT job.id, name, kind, state, stop_reason, job.created_ms, started_ms, running_ms, documents_total, documents_fetched,
                documents_failed, documents_excluded, documents_duplicate, bytes, run, run_id, priority, is_described,
                ended_ms IS NOT NULL AS has_ended, error_text,
                (SELECT GROUP_CONCAT(name || ' ' || run) FROM (SELECT * FROM run_metadata WHERE job_id = job.id ORDER BY run)) AS accounts,
                (SELECT GROUP_CONCAT(name || ' ' || state || ' ' || metadata_name) FROM (
                   SELECT * FROM harvest_file WHERE job_id = job.id ORDER BY name)) AS files,
                (SELECT definition FROM run_definition WHERE job_id = job.id ORDER BY id DESC LIMIT 1) AS definition
         FROM job JOIN harvest ON harvest.id = harvest_id WHERE job.id = @job`,
      )
      .get({ job }),
  )
}

function documentsIn(store: Store, job: number): string[] {
  return [...documentsOf(store, job)].map((line) => JSON.stringify(line))
}
