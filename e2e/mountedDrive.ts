/** Mounts a drive for a test. Full or unplugged drives and other file systems need a real mount, which only the administrator may do
 *  and not every machine supports; elsewhere the tests that need it are skipped, as their names say. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A drive that is mounted for one test. */
export interface MountedDrive {
  /** The mount point. */
  at: string
  /** Detaches the drive as if a cable were pulled; the empty mount point remains. */
  unplug(): void
  /** Mounts the drive again. Its content is kept unless it was mounted with a `size`. */
  plugIn(): void
  remove(): Promise<void>
}

/** Mounts a drive; undefined when that is not possible. `size` is in the notation of tmpfs, such as '3m'; without it, the drive is a
 *  folder of the disk with all of its free space. */
export async function mountDrive({ size }: { size?: string } = {}): Promise<MountedDrive | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-drive-'))
  const [at, content] = [join(folder, 'drive'), join(folder, 'content')]
  await mkdir(at)
  await mkdir(content)
  const words = size === undefined ? ['--bind', content, at] : ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', at]
  const drive: MountedDrive = {
    at,
    unplug: () => void execFileSync('umount', ['-l', at]),
    plugIn: () => void execFileSync('mount', words, { stdio: 'ignore' }),
    async remove() {
      try {
        drive.unplug()
      } catch (error) {
        // The drive is unplugged already.
        if (!(error instanceof Error && 'status' in error)) throw error
      }
      await rm(folder, { recursive: true })
    },
  }
  try {
    drive.plugIn()
    return drive
  } catch (error) {
    await rm(folder, { recursive: true })
    // There is no `mount`, or this user may not use it.
    if (error instanceof Error && ('status' in error || 'syscall' in error)) return undefined
    throw error
  }
}
