/** Metadata files that are not registered yet, with the jobs that they describe. */
import type { Archive } from '../../archive/store/archive.ts'
import type { World } from '../../world/world.ts'
import type { JobRecord } from '../finish/jobRecord.ts'
import { agreedCopy } from './copies.ts'
import { readJobMetadata, type JobMetadata } from './readJobMetadata.ts'
import { archiveNameOf, metadataName, type UnknownFiles } from './unknownFiles.ts'

/** A metadata file, and where it can be read. */
export interface FoundMetadata {
  name: string
  path: string
  record: JobRecord
}

interface Parts {
  world: World
  archive: Archive
  files: UnknownFiles
  signal: AbortSignal
}

/** Finds the metadata files in the replicas, then those that only the quarantine has. */
export async function findMetadata({ world, archive, files, signal }: Parts): Promise<FoundMetadata[]> {
  const found: FoundMetadata[] = []
  const add = async (name: string, path: string) => {
    const read = await metadataAt(world, path)
    if (read) found.push({ name, path, record: read.record })
  }
  for await (const name of files.inReplicas()) {
    if (!metadataName.test(name)) continue
    const agreement = await agreedCopy({ archive, world, signal, aside: files.asideNamed(name) }, name)
    if (agreement.kind === 'agreed') await add(name, agreement.file.path)
  }
  for (const file of files.inQuarantine) {
    const name = archiveNameOf(file)
    if (metadataName.test(name) && !found.some((each) => each.name === name)) await add(name, file.path)
  }
  return found
}

/** Reads a metadata file; undefined if it is not one of Loupe. */
export async function metadataAt(world: World, path: string): Promise<JobMetadata | undefined> {
  const file = await world.disk.openRead(path)
  try {
    return await readJobMetadata(file)
  } finally {
    await file.close()
  }
}

/** Groups the files by job, in the order of the jobs' numbers; each group is in the order of the runs. Metadata files that an
 *  import brought are content files of that import's job, so they describe no job here. */
export function byJob(found: readonly FoundMetadata[]): FoundMetadata[][] {
  const imported = new Set(found.flatMap(({ record }) => record.files.map(({ name }) => name)))
  const jobs = Map.groupBy(
    found.filter(({ name }) => !imported.has(name)),
    ({ record }) => `${record.archive} ${record.job} ${record.createdMs}`,
  )
  return [...jobs.values()]
    .toSorted(([one], [other]) => (one?.record.job ?? 0) - (other?.record.job ?? 0))
    .map((runs) => runs.toSorted((one, other) => one.record.run - other.record.run))
}
