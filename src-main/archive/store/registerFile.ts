/** Registers a file in the catalogue before it is stored, and refuses names that are taken: by another file in the catalogue, by one
 *  that differs only in case, or by a file in a replica that the catalogue does not know. */
import { message } from '../../contract/words/message.ts'
import { DiskFault } from '../../world/world.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import { ArchiveFault, faultCodeOf, isArchiveOrDiskFault, reasonIn } from '../files/archiveFault.ts'
import type { Hashed } from '../files/hashChunks.ts'
import { hashFile } from '../files/hashing.ts'
import { nameProblem } from '../files/names.ts'
import type { Replica } from '../replica/replica.ts'
import type { FileToStore, StoringParts } from './storingParts.ts'

/** Creates the functions that register files. Both throw `ArchiveFault` refused when the name is taken. */
export function fileRegistry({ world, statements, replicas }: Pick<StoringParts, 'world' | 'statements' | 'replicas'>) {
  /** Returns the file's row, inserted when the name is new, and the checksum of the bytes to be stored, which may differ from the
   *  registered one. */
  async function register(
    { path, name, kind, jobId, content }: FileToStore,
    signal: AbortSignal,
  ): Promise<{ row: FileRow; sha256: string }> {
    const wrong = nameProblem(name)
    if (wrong !== undefined) throw new ArchiveFault('refused', message('fileName.refused', { name, problem: wrong }))
    const { sha256, bytes } = content ?? (await hashSource(path, signal))
    if (!statements.file.get({ name })) {
      refuseAlike(name)
      await refuseOther({ name, sha256 }, signal)
    }
    const row = statements.file.get({ name }) ?? registered({ name, bytes, sha256, kind, job: jobId })
    if (!row) throw new Error(`registering ${name} gave no row`)
    return { row, sha256 }
  }

  async function hashSource(path: string, signal: AbortSignal): Promise<Hashed> {
    try {
      return await hashFile(world, { path, bytesPerSecondMax: 0 }, { signal })
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      const reason = reasonIn(error)
      throw new ArchiveFault(faultCodeOf[error.code], message('store.unreadable', { path, reason }), { cause: error })
    }
  }

  function registered(file: Omit<Parameters<typeof statements.register.get>[0], 'nowMs'>): FileRow | undefined {
    // A name that differs only in case may have been registered while the replicas were queried.
    refuseAlike(file.name)
    return statements.register.get({ ...file, nowMs: world.clock.now() })
  }

  /** Refuses a name that differs only in case from a registered one. Names have only ASCII letters (`names.ts`), so case is the only
   *  way in which a file system can take two names for the same. */
  function refuseAlike(name: string): void {
    const other = statements.alike.get({ name })?.name
    if (other !== undefined) throw new ArchiveFault('refused', message('store.alike', { name, other }))
  }

  /** Refuses a name under which a replica holds another file that the catalogue does not know, as after the restore of an older
   *  database. Registering the new file would hide the other one, and it would no longer be reported as unregistered. An identical
   *  file is accepted. */
  async function refuseOther({ name, sha256 }: { name: string; sha256: string }, signal: AbortSignal): Promise<void> {
    const held = await Promise.all(
      replicas.map(async (replica) => ({ replica, found: await checksumIn(replica, name, signal) })),
    )
    const other = held.find(({ found }) => found !== undefined && found !== sha256)
    if (other?.found === undefined) return
    throw new ArchiveFault(
      'refused',
      message('store.unknownFile', { replica: other.replica.name, name, sha256: other.found }),
    )
  }

  /** Checksum of the file that the replica holds under the name; undefined when there is none, or when the replica is unavailable (its
   *  upload reports that). Throws `ArchiveFault` when a file may exist but cannot be read, since registering the name would hide it
   *  too. */
  async function checksumIn(replica: Replica, name: string, signal: AbortSignal): Promise<string | undefined> {
    if ((await replica.problem()) !== undefined) return undefined
    try {
      return (await replica.stat(name)) && (await replica.checksum(name, { signal }))?.sha256
    } catch (error) {
      if (!isArchiveOrDiskFault(error)) throw error
      if ((await replica.problem()) !== undefined) return undefined
      throw new ArchiveFault(
        error instanceof DiskFault ? faultCodeOf[error.code] : error.code,
        message('store.unknownUnreadable', { replica: replica.name, name, reason: reasonIn(error) }),
        { cause: error },
      )
    }
  }

  return { register, registered }
}
