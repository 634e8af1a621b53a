/** Registers a file in the catalogue before it is stored, and refuses names that are taken: by another file in the catalogue, by one
 *  that differs only in case, or by a file in a replica that the catalogue does not know. */
import { DiskFault } from '../../world/world.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import { ArchiveFault, faultCodeOf } from '../files/archiveFault.ts'
import { hashFile } from '../files/hashing.ts'
import { nameProblem } from '../files/names.ts'
import type { Replica } from '../replica/replica.ts'
import type { FileToStore, StoringParts } from './storingParts.ts'

export function fileRegistry({ world, statements, replicas }: Pick<StoringParts, 'world' | 'statements' | 'replicas'>) {
  /** Returns the file's row, inserted when the name is new, and the checksum of the bytes to be stored, which may differ from the
   *  registered one. */
  async function register(
    { path, name, kind, jobId }: FileToStore,
    signal: AbortSignal,
  ): Promise<{ row: FileRow; sha256: string }> {
    const wrong = nameProblem(name)
    if (wrong !== undefined)
      throw new ArchiveFault('refused', `'${name}' is not a valid file name in the archive: ${wrong}`)
    const { sha256, bytes } = await hashFile(world, { path, bytesPerSecondMax: 0 }, { signal }).catch(
      (error: unknown) => {
        if (!(error instanceof DiskFault)) throw error
        throw new ArchiveFault(faultCodeOf[error.code], `${path} cannot be stored: ${error.message}`, { cause: error })
      },
    )
    if (!statements.file.get({ name })) {
      refuseAlike(name)
      await refuseOther({ name, sha256 }, signal)
    }
    const row = statements.file.get({ name }) ?? registered({ name, bytes, sha256, kind, job: jobId })
    if (!row) throw new Error(`registering ${name} gave no row`)
    return { row, sha256 }
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
    if (other !== undefined)
      throw new ArchiveFault(
        'refused',
        `the archive already has a file named ${other}, which many disks treat as the same name as ${name}. Choose a name that differs in more than case`,
      )
  }

  /** Refuses a name under which a replica holds another file that the catalogue does not know, as after the restore of an older
   *  database. Registering the new file would hide the other one, and it would no longer be reported as unregistered. An identical
   *  file is accepted. */
  async function refuseOther({ name, sha256 }: { name: string; sha256: string }, signal: AbortSignal): Promise<void> {
    const found = await Promise.all(
      replicas.map(async (replica) => ({ replica, lies: await lies(replica, name, signal) })),
    )
    const other = found.find((each) => each.lies !== undefined && each.lies !== sha256)
    if (!other) return
    throw new ArchiveFault(
      'refused',
      `replica ${other.replica.name} has a different file named ${name} (SHA-256 ${other.lies}) that is not in the database. Nothing was stored. If the database is older than the replicas, restore a newer backup; otherwise choose another name`,
    )
  }

  /** Checksum of the file that the replica holds under the name; undefined when there is none, or when the replica is unavailable (its
   *  upload reports that). Throws `ArchiveFault` when a file may exist but cannot be read, since registering the name would hide it
   *  too. */
  async function lies(replica: Replica, name: string, signal: AbortSignal): Promise<string | undefined> {
    if ((await replica.problem()) !== undefined) return undefined
    try {
      return (await replica.stat(name)) && (await replica.checksum(name, { signal }))?.sha256
    } catch (error) {
      if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
      if ((await replica.problem()) !== undefined) return undefined
      throw new ArchiveFault(
        error instanceof DiskFault ? faultCodeOf[error.code] : error.code,
        `replica ${replica.name} has a file named ${name} that is not in the database and cannot be read (${error.message}). Nothing was stored. Inspect the file and try again, or choose another name`,
        { cause: error },
      )
    }
  }

  return { register, registered }
}
