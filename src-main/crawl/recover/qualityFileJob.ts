/** Which job a quality file is about that the catalogue does not know. Its name has the number that the job had, which may be another one after
 *  a recovery; its first record has the time when the job was made. */
import { jobInQualityName } from '../../archive/files/qualityNames.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { agreedCopy } from './copies.ts'
import { jobNumberStatements } from './restoreJob.sql.ts'
import type { UnknownFiles } from './unknownFiles.ts'

/** What is needed to find the job. */
export interface QualityFileParts {
  store: Store
  world: World
  archive: Archive
  files: UnknownFiles
  signal: AbortSignal
}

/** Returns the number of the job; null if the database has no such job, or several that may be meant. */
export async function jobOfQualityFile(
  { store, world, archive, files, signal }: QualityFileParts,
  name: string,
): Promise<number | null> {
  const agreement = await agreedCopy({ archive, world, signal, aside: files.asideNamed(name) }, name)
  const createdMs = agreement.kind === 'agreed' ? await jobCreatedIn(world, agreement.file.path) : undefined
  if (createdMs === undefined) return null
  const jobs = jobNumberStatements(store)
    .jobsCreated.all({ createdMs })
    .map(({ id }) => id)
  const named = jobInQualityName(name)
  if (named !== undefined && jobs.includes(named)) return named
  return jobs.length === 1 ? (jobs[0] ?? null) : null
}

/** Bytes of the first record that are read: Loupe writes a few lines. */
const firstRecordBytesMax = 4_096

async function jobCreatedIn({ disk }: Pick<World, 'disk'>, path: string): Promise<number | undefined> {
  const file = await disk.openRead(path)
  try {
    for await (const record of readRecords(file)) {
      if (record.type !== 'warcinfo' || record.blockBytes > firstRecordBytesMax) return undefined
      let text = ''
      for await (const part of record.block()) text += Buffer.from(part).toString('latin1')
      const ms = Date.parse(/^jobCreated: (\S+)/m.exec(text)?.[1] ?? '')
      return Number.isNaN(ms) ? undefined : ms
    }
    return undefined
  } finally {
    await file.close()
  }
}
