/** Copies one file into a replica's folder: temporary file, fsync, rename, fsync of the folder. The bytes are hashed while they are
 *  copied, so a file that changes meanwhile never gets its name in the replica. An existing file is never overwritten. The caller
 *  decides whether the replica may be written to (`replica/folderReplica.ts`). */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { stopwatch } from '../../world/stopwatch.ts'
import { DiskFault, type Disk, type Task, type TaskContext } from '../../world/world.ts'
import { temporaryName } from './names.ts'
import { chunksOf, nowAndThen, pauseMs } from './readThrough.ts'

export interface CopyInput {
  source: string
  folder: string
  name: string
  sha256: string
  /** Maximum rate in bytes per second; 0: unlimited. */
  bytesPerSecondMax: number
}

/** Outcome of a copy. `occupied`: the name is already taken. `changed`: the source no longer has the registered checksum. */
export type CopyOutcome = 'copied' | 'occupied' | 'changed'

/** Entry of the thread. Reports the number of bytes copied; leaves no temporary file unless the disk fails. */
export const task: Task<CopyInput, CopyOutcome, number> = async (context, input) => {
  const temporary = join(input.folder, temporaryName(input.name))
  let outcome: CopyOutcome | undefined
  try {
    outcome = await copy(context, input, temporary)
    return outcome
  } finally {
    if (outcome !== 'copied') await removeIfThere(context.world.disk, temporary)
  }
}

async function copy(context: TaskContext<number>, input: CopyInput, temporary: string): Promise<CopyOutcome> {
  const { disk } = context.world
  const sha256 = await write(context, input, temporary)
  if (sha256 !== input.sha256) return 'changed'
  const target = join(input.folder, input.name)
  // POSIX rename replaces an existing file. One engine owns an archive and copies one file of a name at a time, so Loupe itself cannot
  // take the name between these two lines.
  if (await disk.isTaken(target)) return 'occupied'
  await disk.rename(temporary, target)
  await disk.syncFolder(input.folder)
  return 'copied'
}

/** Copies the bytes and returns their SHA-256. */
async function write(
  { world, report, signal }: TaskContext<number>,
  { source, bytesPerSecondMax }: CopyInput,
  temporary: string,
): Promise<string> {
  const elapsedMs = stopwatch(world.clock)
  const progress = nowAndThen(world.clock, report)
  const from = await world.disk.openRead(source)
  try {
    const to = await world.disk.openWrite(temporary, 'append')
    try {
      await to.truncate(0)
      const running = createHash('sha256')
      for await (const chunk of chunksOf(from)) {
        signal.throwIfAborted()
        running.update(chunk)
        await to.append([chunk])
        progress(to.position)
        const waitMs = pauseMs(to.position, elapsedMs(), bytesPerSecondMax)
        if (waitMs > 0) await world.clock.sleep(waitMs, signal)
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

/** Removes the temporary file. If that fails, as when the disk was disconnected, recovery removes it (`resumeUploads`). */
async function removeIfThere(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
  }
}
