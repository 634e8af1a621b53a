/** Reads a file's bytes from a replica. A copy is returned only when the catalogue does not list it as bad and its length is right.
 *  Checksums are verified by bit preservation (`preservation.ts`), not here. */
import type { ArchivedFile } from '../../contract/services/archivedFiles.ts'
import { joined } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { isGoodCopy, isStoredCopy } from '../../contract/states/copyStates.ts'
import { DiskFault, type ReadableFile } from '../../world/world.ts'
import { ArchiveFault, faultCodeOf, reasonIn, type ArchiveFaultCode } from '../files/archiveFault.ts'
import type { PreservationState } from '../../contract/states/states.ts'
import type { ArchiveStatements, CopyRow, FileRow } from '../copies/archive.sql.ts'
import type { Replica } from '../replica/replica.ts'

/** An open copy, with the replica that provides it. */
export interface OpenedFile {
  replica: string
  file: ReadableFile
  bytes: number
}

/** Replicas that hold the file's bytes in a copy not known to be bad. Excludes replicas of checksums, which hold no bytes, and
 *  replicas that were removed from the settings. */
export function giversOf(places: readonly Pick<Replica, 'name' | 'kind'>[], { replicas }: ArchivedFile): string[] {
  return replicas
    .filter(isGoodCopy)
    .map(({ replica }) => replica)
    .filter((replica) => places.some(({ name, kind }) => name === replica && kind === 'files'))
}

/** Opens the first good copy, in the order of the settings; undefined when no replica provides one. */
export async function openFirst(statements: ArchiveStatements, replicas: readonly Replica[], name: string) {
  for (const replica of replicas) {
    const opened = await openCopy(statements, replica, name)
    if (!(opened instanceof ArchiveFault)) return opened
  }
  return undefined
}

/** Path of the first good copy, in the order of the settings, among replicas whose files have paths. Each copy is opened to find out
 *  whether it is good. */
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

/** Why each replica that should hold the bytes does not provide a good copy, in complete sentences; undefined when one does. */
export async function whyNoneGives(
  statements: ArchiveStatements,
  replicas: readonly Replica[],
  name: string,
): Promise<Message | undefined> {
  const reasons: Message[] = []
  for (const replica of replicas.filter(({ kind }) => kind === 'files')) {
    const opened = await openCopy(statements, replica, name)
    if (!(opened instanceof ArchiveFault)) {
      await opened.file.close()
      return undefined
    }
    reasons.push(reasonIn(opened))
  }
  return reasons.length === 0 ? undefined : joined(reasons)
}

/** Opens the copy in this replica, or returns the reason why it cannot be used. The caller closes the file. */
export async function openCopy(
  statements: ArchiveStatements,
  replica: Replica,
  name: string,
): Promise<OpenedFile | ArchiveFault> {
  const row = statements.file.get({ name })
  if (!row) return new ArchiveFault('notFound', message('file.absent', { name }))
  const copy = statements.copiesOf
    .all({ files: JSON.stringify([row.id]) })
    .find((each) => each.replica === replica.name)
  return distrust(copy, row, replica.name) ?? opened(replica, row)
}

/** Reason why the catalogue rules out this copy; undefined when it does not. */
function distrust(copy: CopyRow | undefined, { name }: FileRow, replica: string): ArchiveFault | undefined {
  if (!copy || !isStoredCopy(copy)) return new ArchiveFault('notFound', message('copy.notStored', { name, replica }))
  const verdict = verdicts[copy.preservation]
  return verdict && new ArchiveFault(verdict.code, message(verdict.message, { name, replica }))
}

const verdicts: Partial<Record<PreservationState, Verdict>> = {
  MISSING: { code: 'notFound', message: 'copy.missing' },
  CORRUPT: { code: 'refused', message: 'copy.damaged' },
}

interface Verdict {
  code: ArchiveFaultCode
  message: 'copy.missing' | 'copy.damaged'
}

async function opened(replica: Replica, { name, bytes }: FileRow): Promise<OpenedFile | ArchiveFault> {
  let file: ReadableFile | undefined
  try {
    file = await replica.open(name)
    const found = await file.bytes()
    if (found === bytes) return { replica: replica.name, file, bytes }
    await file.close()
    return new ArchiveFault('refused', message('copy.wrongLength', { name, replica: replica.name, found, bytes }))
  } catch (error) {
    await file?.close()
    if (error instanceof ArchiveFault) return error
    if (!(error instanceof DiskFault)) throw error
    return new ArchiveFault(
      faultCodeOf[error.code],
      message('copy.unreadable', { name, replica: replica.name, reason: reasonIn(error) }),
    )
  }
}
