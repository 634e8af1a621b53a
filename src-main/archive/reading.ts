/** Getting a file's bytes out of a replica. A copy is only given when the catalogue has no reason to distrust it and it has
 *  its right length; whether its bytes are right is what bit preservation looks at (`preservation.ts`). */
import { DiskFault, type ReadableFile, type World } from '../world/world.ts'
import { ArchiveFault, faultCodeOf } from './archiveFault.ts'
import type { ArchiveStatements, CopyRow, FileRow } from './archive.sql.ts'
import type { ReplicaFolder } from './replicaFolder.ts'

export interface OpenedFile {
  replica: string
  file: ReadableFile
  bytes: number
}

/** From the first replica, in the order of the settings, that gives a good copy; undefined when none does. */
export async function openFirst(
  world: World,
  statements: ArchiveStatements,
  places: readonly ReplicaFolder[],
  name: string,
) {
  for (const place of places) {
    const opened = await openCopy(world, statements, place, name)
    if (!(opened instanceof ArchiveFault)) return opened
  }
  return undefined
}

/** From this replica, or the reason why not. */
export async function openCopy(
  world: World,
  statements: ArchiveStatements,
  place: ReplicaFolder,
  name: string,
): Promise<OpenedFile | ArchiveFault> {
  const row = statements.file.get({ name })
  if (!row) return new ArchiveFault('notFound', `there is no file ${name} in the archive`)
  const copy = statements.copiesOf
    .all({ files: JSON.stringify([row.id]) })
    .find(({ replica }) => replica === place.name)
  return distrust(copy, row, place.name) ?? opened(world, place, row)
}

/** Why the catalogue would not give this copy away. */
function distrust(copy: CopyRow | undefined, { name }: FileRow, replica: string): ArchiveFault | undefined {
  if (copy?.upload !== 'UPLOAD_COMPLETED')
    return new ArchiveFault('notFound', `${name} is not stored in replica ${replica}`)
  const verdict = verdicts[copy.preservation]
  return verdict && new ArchiveFault(verdict.code, `the copy of ${name} in replica ${replica} ${verdict.text}`)
}

const verdicts: Partial<Record<string, { code: 'notFound' | 'refused'; text: string }>> = {
  MISSING: { code: 'notFound', text: 'was missing at its last check' },
  CORRUPT: { code: 'refused', text: 'was damaged at its last check: take it from another replica' },
}

async function opened(
  world: World,
  place: ReplicaFolder,
  { name, bytes }: FileRow,
): Promise<OpenedFile | ArchiveFault> {
  let file: ReadableFile | undefined
  try {
    file = await world.disk.openRead(place.pathOf(name))
    const found = await file.bytes()
    if (found === bytes) return { replica: place.name, file, bytes }
    await file.close()
    return new ArchiveFault(
      'refused',
      `${name} in replica ${place.name} has ${found} bytes instead of ${bytes}: run a check`,
    )
  } catch (error) {
    await file?.close()
    if (!(error instanceof DiskFault)) throw error
    return new ArchiveFault(
      faultCodeOf[error.code],
      `${name} cannot be read from replica ${place.name}: ${error.message}`,
    )
  }
}
