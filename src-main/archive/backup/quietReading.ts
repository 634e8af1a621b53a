/** Verification of older backups in the background: after each scheduled backup one of them is read, so that all are read in turn. It
 *  gives way to what the user requests. */
import { DiskFault, type World } from '../../world/world.ts'
import type { ArchiveLimits } from '../files/limits.ts'
import { goodOf, listBackups } from './backupFolder.ts'
import type { BackupRecord } from './backupRecord.ts'
import type { BackupTurns } from './backupTurns.ts'
import { verifyByReading } from './makeBackup.ts'

interface QuietParts {
  world: World
  record: BackupRecord
  turns: BackupTurns
  limits: ArchiveLimits
  /** Aborted when Loupe is closed. */
  signal: AbortSignal
  onProblem: (error: unknown) => void
}

export interface QuietReading {
  /** Reads the older backup that was not read for the longest time. Never rejects. */
  readOne(folder: string): Promise<void>
  /** Stops the present reading; the next call of `readOne` begins it again. */
  stop(): void
}

export function quietReading({ world, record, turns, limits, signal: closed, onProblem }: QuietParts): QuietReading {
  let ender: AbortController | undefined

  async function read(folder: string): Promise<void> {
    const own = new AbortController()
    ender = own
    const signal = AbortSignal.any([own.signal, closed])
    try {
      const [, ...older] = goodOf(await listBackups(world.disk, folder, record.identityOfBackups()))
      const [manifest] = older.toSorted((one, other) => (one.verified < other.verified ? -1 : 1))
      if (!manifest) return
      turns.onProgress({ phase: 'verifying', share: 0 })
      await verifyByReading(world, { folder, manifest, bytesPerSecondMax: limits.quietBytesPerSecondMax, signal })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof DiskFault)) throw error
      onProblem(error)
    } finally {
      ender = undefined
    }
  }

  return {
    async readOne(folder) {
      try {
        await turns.inTurn(() => read(folder))
      } catch (error) {
        if (!closed.aborted) onProblem(error)
      }
    },
    stop: () => ender?.abort(),
  }
}
