/** Getting a file's bytes out of a replica. A copy is only given when the catalogue has no reason to distrust it and it has
 *  its right length; whether its bytes are right is what bit preservation looks at (`preservation.ts`). */
import type { ArchivedFile } from '../../contract/services/archive.ts'
import { isGoodCopy } from '../../contract/states/copyStates.ts'
import { DiskFault, type ReadableFile } from '../../world/world.ts'
import { ArchiveFault, faultCodeOf } from '../files/archiveFault.ts'
import type { ArchiveStatements, CopyRow, FileRow } from '../copies/archive.sql.ts'
import type { Replica } from '../replica/replica.ts'

export interface OpenedFile {
  replica: string
  file: ReadableFile
  bytes: number
}

/** The replicas that have the file's bytes and whose copy is not known to be bad. One of checksums has none, and one
 *  that left the settings is asked no more. */
export function giversOf(places: readonly Pick<Replica, 'name' | 'kind'>[], { replicas }: ArchivedFile): string[] {
  return replicas
    .filter(isGoodCopy)
    .map(({ replica }) => replica)
    .filter((replica) => places.some(({ name, kind }) => name === replica && kind === 'files'))
}

/** From the first replica, in the order of the settings, that gives a good copy; undefined when none does. */
export async function openFirst(statements: ArchiveStatements, replicas: readonly Replica[], name: string) {
  for (const replica of replicas) {
    const opened = await openCopy(statements, replica, name)
    if (!(opened instanceof ArchiveFault)) return opened
  }
  return undefined
}

/** As `openFirst`, among those whose files have paths: which copy is good shows by opening it. */
export async function pathOfFirst(statements: ArchiveStatements, replicas: readonly Replica[], name: string) {
  for (const replica of replicas) {
    const path = replica.pathOf(name)
    const opened = path === undefined ? undefined : await openCopy(statements, replica, name)
    if (path === undefined || !opened || opened instanceof ArchiveFault) continue
    await opened.file.close()
    return { replica: replica.name, path }
  }
  return undefined
}

/** Of each replica that should have its bytes, in a sentence; undefined when one gives a good copy. */
export async function whyNoneGives(
  statements: ArchiveStatements,
  replicas: readonly Replica[],
  name: string,
): Promise<string | undefined> {
  const reasons: string[] = []
  for (const replica of replicas.filter(({ kind }) => kind === 'files')) {
    const opened = await openCopy(statements, replica, name)
    if (!(opened instanceof ArchiveFault)) {
      await opened.file.close()
      return undefined
    }
    reasons.push(opened.message)
  }
  return reasons.join('; ')
}

/** From this replica, or the reason why not. */
export async function openCopy(
  statements: ArchiveStatements,
  replica: Replica,
  name: string,
): Promise<OpenedFile | ArchiveFault> {
  const row = statements.file.get({ name })
  if (!row) return new ArchiveFault('notFound', `there is no file ${name} in the archive`)
  const copy = statements.copiesOf
    .all({ files: JSON.stringify([row.id]) })
    .find((each) => each.replica === replica.name)
  return distrust(copy, row, replica.name) ?? opened(replica, row)
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

async function opened(replica: Replica, { name, bytes }: FileRow): Promise<OpenedFile | ArchiveFault> {
  let file: ReadableFile | undefined
  try {
    file = await replica.open(name)
    const found = await file.bytes()
    if (found === bytes) return { replica: replica.name, file, bytes }
    await file.close()
    return new ArchiveFault(
      'refused',
      `${name} in replica ${replica.name} has ${found} bytes instead of ${bytes}: run a check`,
    )
  } catch (error) {
    await file?.close()
    if (error instanceof ArchiveFault) return error
    if (!(error instanceof DiskFault)) throw error
    return new ArchiveFault(
      faultCodeOf[error.code],
      `${name} cannot be read from replica ${replica.name}: ${error.message}`,
    )
  }
}
