/** The metadata file of each run of a job: `<job>-metadata-1.warc` or `.warc.gz`, then the next number for each further run. The name is
 *  chosen when the run begins and recorded before the file is written, so that no other file takes it and a kill changes
 *  nothing. If another file has the name (an earlier version chose names later), a new one is chosen. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Store } from '../../storage/storage.ts'
import { forgetAccount } from '../capture/records/jobFiles.ts'
import { nameStatements } from '../model/fileNames.sql.ts'
import type { MetadataCompression } from '../model/limits.ts'
import type { RunFile } from '../ownership/ownership.sql.ts'

/** Names of the metadata files of a job. */
export interface MetadataFiles {
  /** File of the run that is in progress or ended last; chosen now, for this compression, if there is none. */
  ofThisRun(compression: MetadataCompression): RunFile
  /** The same; undefined if none has been chosen yet. */
  given(): RunFile | undefined
  /** Files of runs before this one. */
  earlier(): RunFile[]
  /** Files of all runs, including earlier ones, whose files a replica may have refused. */
  all(): RunFile[]
  /** Releases the name of a metadata file that was never written, and unassigns the WARC files that it was to describe. */
  forget(file: RunFile): void
}

/** The job, and the archive that tells which names are taken. */
export interface MetadataFilesSetting {
  store: Store
  archive: Pick<Archive, 'file' | 'unregistered'>
  job: number
}

/** Opens the metadata files of a job. */
export function metadataFiles({ store, archive, job }: MetadataFilesSetting): MetadataFiles {
  const sql = statements(store)
  const names = nameStatements(store)

  /** Tells whether another file has the name: a file of a job, one being imported, one in a replica, or one of another job. */
  function isOfAnother(name: string): boolean {
    if (names.fileOfJob.get({ name }) !== undefined) return true
    const known = archive.file(name)
    if (known) return known.kind !== 'metadata' || known.job !== job
    return archive.unregistered.placesOf(name).length > 0
  }

  function forget({ name }: RunFile): void {
    store.transaction(() => {
      forgetAccount(store, { job, metadataName: name })
      sql.forget.run({ job, name })
    })
  }

  function chosen(compression: MetadataCompression): RunFile {
    for (let version = 1; ; version += 1) {
      const plain = `${job}-metadata-${version}.warc`
      const packed = `${plain}.gz`
      if ([plain, packed].some((name) => names.alike.get({ name }) !== undefined)) continue
      const row = sql.add.get({ job, name: compression === 'gzip' ? packed : plain })
      if (!row) throw new Error(`the metadata file of job ${job} got no name`)
      return row
    }
  }

  return {
    ofThisRun(compression) {
      const given = sql.given.get({ job })
      if (given && !isOfAnother(given.name)) return given
      if (given) forget(given)
      return chosen(compression)
    },
    given: () => sql.given.get({ job }),
    earlier: () => sql.earlier.all({ job }),
    all: () => sql.all.all({ job }),
    forget,
  }
}

const columns = 'run_metadata.name, run_metadata.run_id AS runId'

function statements(store: Store) {
  return {
    given: store.statement<{ job: number }, RunFile>(
      `SELECT ${columns} FROM run_metadata JOIN job ON job.id = job_id AND job.run = run_metadata.run WHERE job_id = @job`,
    ),
    all: store.statement<{ job: number }, RunFile>(
      `SELECT ${columns} FROM run_metadata WHERE job_id = @job ORDER BY run`,
    ),
    earlier: store.statement<{ job: number }, RunFile>(
      `SELECT ${columns} FROM run_metadata JOIN job ON job.id = job_id AND run_metadata.run < job.run WHERE job_id = @job`,
    ),
    forget: store.statement<{ job: number; name: string }>(
      `DELETE FROM run_metadata WHERE job_id = @job AND name = @name`,
    ),
    add: store.statement<{ job: number; name: string }, RunFile>(
      `INSERT INTO run_metadata (job_id, run, name, run_id) SELECT id, run, @name, run_id FROM job WHERE id = @job
       RETURNING name, run_id AS runId`,
    ),
  }
}
