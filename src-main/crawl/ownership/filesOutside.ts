/** Files of the archive that are not in its catalogue: those that ended jobs could not store, and those that the database does not
 *  know, in the quarantine or still in the folder of a job. */
import { join } from 'node:path'
import type { FilesOutside } from '../../contract/services/archivedFiles.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { localNameOf } from './ownedFiles.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { listQuarantine } from './quarantine.ts'
import { jobFolders } from './settleOwnership.ts'

/** Settings of `filesOutside`. */
export interface OutsideSetting {
  store: Store
  world: Pick<World, 'disk' | 'clock'>
  /** `<archive>/jobs`. */
  folder: string
  quarantineFolder: string
}

/** Files of each kind that are listed; the totals count all of them. */
const namedMax = 1_000

/** Lists the files. */
export async function filesOutside(setting: OutsideSetting): Promise<FilesOutside> {
  const { store, world, folder, quarantineFolder } = setting
  const waiting = waitingFiles(store, folder)
  const aside = await listQuarantine({ world, folder: quarantineFolder })
  const unknown = [...(await inUnknownFolders(setting)), ...aside]
  return {
    waiting: waiting.slice(0, namedMax),
    waitingTotal: waiting.length,
    unknown: unknown.slice(0, namedMax),
    unknownTotal: unknown.length,
  }
}

/** Files in folders of jobs that the database does not know. They are moved to the quarantine at the next start of the engine. */
async function inUnknownFolders({ store, world, folder }: OutsideSetting): Promise<FilesOutside['unknown']> {
  if (!(await world.disk.stat(folder))) return []
  const { one } = jobStatements(store)
  const files: FilesOutside['unknown'] = []
  for (const { job, path } of await jobFolders(world, folder)) {
    if (one.get({ job }) !== undefined) continue
    for (const { name, bytes } of await world.disk.list(path)) files.push({ path: join(path, name), name, bytes, job })
  }
  return files
}

function waitingFiles(store: Store, folder: string): FilesOutside['waiting'] {
  const contents = store.statement<object, { name: string; job: number; bytes: number }>(
    `SELECT name, job_id AS job, committed_bytes AS bytes FROM harvest_file JOIN job ON job.id = job_id
     WHERE harvest_file.state <> 'STORED' AND job.state = 'INACTIVE' AND job.ended_ms IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM archive_file WHERE archive_file.name = harvest_file.name)
     ORDER BY job_id, serial`,
  )
  const metadata = store.statement<object, { name: string; job: number; runId: string }>(
    `SELECT run_metadata.name, job_id AS job, run_metadata.run_id AS runId FROM run_metadata JOIN job ON job.id = job_id
     WHERE job.state = 'INACTIVE' AND job.ended_ms IS NOT NULL
       AND EXISTS (SELECT 1 FROM harvest_file WHERE metadata_name = run_metadata.name)
       AND NOT EXISTS (SELECT 1 FROM archive_file WHERE archive_file.name = run_metadata.name)
     ORDER BY job_id, run_metadata.run`,
  )
  const pathIn = (job: number, name: string) => join(folder, String(job), name)
  return [
    ...contents.all({}).map(({ name, job, bytes }) => ({ name, job, bytes, path: pathIn(job, name) })),
    ...metadata
      .all({})
      .map(({ name, job, runId }) => ({ name, job, bytes: null, path: pathIn(job, localNameOf({ name, runId })) })),
  ]
}
