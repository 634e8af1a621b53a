/** A drive of its own for a test: what is full, unplugged or another file system can only be had with a real one. Only the system's
 *  administrator may mount one, and not everywhere: tests of it are skipped elsewhere, which their name says. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface MountedDrive {
  /** Where it is mounted. */
  at: string
  /** As when a cable is pulled: its empty mount point stays. */
  unplug(): void
  /** With what was on it, unless it is a drive of a size. */
  plugIn(): void
  remove(): Promise<void>
}

/** Undefined where none can be mounted. `size`: as tmpfs takes it, such as '3m'; without, it is a folder of the disk with all its room. */
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
      } catch {
        // It is unplugged already.
      }
      await rm(folder, { recursive: true })
    },
  }
  try {
    drive.plugIn()
    return drive
  } catch {
    await rm(folder, { recursive: true })
    return undefined
  }
}
