/** Brings one file into a replica's folder: a temporary file, fsync, rename, fsync of the folder. The bytes are hashed on
 *  their way, so that a file which changes while it is being copied never gets its name in the replica. A name that is
 *  taken is never overwritten. Whether the replica may be written to is decided before (see `upload.ts`). */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DiskFault, type Task, type TaskContext } from '../world/world.ts'
import { refusalOf, type DiskRefusal } from './archiveFault.ts'
import { temporaryName } from './names.ts'
import { chunksOf, nowAndThen } from './readThrough.ts'

export interface CopyInput {
  source: string
  folder: string
  name: string
  sha256: string
}

export type CopyOutcome =
  | { kind: 'copied' }
  /** Something lies under the name already. */
  | { kind: 'occupied' }
  /** The source no longer has the checksum that was registered. */
  | { kind: 'changed' }
  | DiskRefusal
  | { kind: 'stopped' }

export const task: Task<CopyInput, CopyOutcome, number> = async (context, input) => {
  const { disk } = context.world
  const temporary = join(input.folder, temporaryName(input.name))
  const outcome = await copied(context, input, temporary).catch(refusalOf)
  if (outcome.kind !== 'copied') await removeIfThere(disk, temporary)
  return outcome
}

async function copied(context: TaskContext<number>, input: CopyInput, temporary: string): Promise<CopyOutcome> {
  const { disk } = context.world
  const sha256 = await write(context, input.source, temporary)
  if (sha256 === undefined) return { kind: 'stopped' }
  if (sha256 !== input.sha256) return { kind: 'changed' }
  const target = join(input.folder, input.name)
  // POSIX rename replaces what is there. One engine owns an archive, and it copies one file of a name at a time, so
  // nothing of ours can take the name between these two lines.
  if (await disk.stat(target)) return { kind: 'occupied' }
  await disk.rename(temporary, target)
  await disk.syncFolder(input.folder)
  return { kind: 'copied' }
}

/** Copies and gives the SHA-256 of what went through; undefined when it was stopped. */
async function write(context: TaskContext<number>, source: string, temporary: string): Promise<string | undefined> {
  const { world, report, signal } = context
  const progress = nowAndThen(world.clock, report)
  const from = await world.disk.openRead(source)
  try {
    const to = await world.disk.openWrite(temporary, 'append')
    try {
      await to.truncate(0)
      const running = createHash('sha256')
      for await (const chunk of chunksOf(from)) {
        if (signal.aborted) return undefined
        running.update(chunk)
        await to.append([chunk])
        progress(to.position)
      }
      await to.sync()
      return running.digest('hex')
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

/** What cannot be removed now (the disk went away) is removed when the archive is opened the next time. */
async function removeIfThere(disk: TaskContext<number>['world']['disk'], path: string): Promise<void> {
  try {
    await disk.remove(path)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
  }
}
