/** One attempt to make a backup: makes it, records the result, and removes outdated ones. */
import { message } from '../../contract/words/message.ts'
import type { BackupMade, BackupProgress } from '../../contract/services/backups.ts'
import type { World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { ArchiveLimits } from '../files/limits.ts'
import { paceOf } from '../files/readThrough.ts'
import { goodOf, listBackups, removeBackup } from './backupFolder.ts'
import type { BackupRecord } from './backupRecord.ts'
import type { BackupSettings } from './backupStatus.ts'
import { makeBackup, verifyByReading, type MakeParts } from './makeBackup.ts'
import { outdated } from './retention.ts'
import { rowOf } from './verifyBackups.ts'

export interface MakeRequest {
  by: 'user' | 'schedule'
  /** Accepts a folder without any of the backups made in it; the caller has made sure that it is the right one. */
  emptied?: boolean
}

export interface AttemptParts {
  world: World
  makeParts: MakeParts
  record: BackupRecord
  limits: ArchiveLimits
  signal: AbortSignal
  onProgress: (progress: BackupProgress) => void
  /** Called with faults of the disk that do not fail the attempt; throws any other error. */
  onFault: (error: unknown) => void
}

/** Makes a backup. Rejects with `Fault`, `DiskFault` or `StorageFault` after recording the failure. */
export async function attempt(
  parts: AttemptParts,
  settings: BackupSettings,
  { by, emptied = false }: MakeRequest,
): Promise<BackupMade> {
  const { world, makeParts, record, limits, signal, onProgress, onFault } = parts
  const { folder } = settings
  onProgress({ phase: 'copying', share: 0 })
  try {
    const archive = record.identity()
    const { folder: lastFolder, last } = record.state()
    const isExpected = lastFolder === folder && last !== null && !emptied
    const bytesPerSecondMax = paceOf(limits, by)
    const order = { archive, folder, isExpected, bytesPerSecondMax, signal, onProgress }
    const { outcome, manifest } = await makeBackup(makeParts, order)
    await record.noteMade({ archive, folder, manifest })
    // The backup is complete; files that cannot be removed now are removed after the next one.
    const removed = await prune(parts, settings, { archive, bytesPerSecondMax }).catch((error: unknown) => {
      onFault(error)
      return []
    })
    const row = (await listBackups(world.disk, folder, archive)).find(({ name }) => name === manifest.name)
    if (!row) throw new ArchiveFault('unreachable', message('backup.gone', { name: manifest.name, folder }))
    return { outcome, backup: rowOf(row), removed }
  } catch (error) {
    // Closing Loupe is not a failure of the backup.
    if (!signal.aborted) await record.noteFailure(error, folder)
    throw error
  }
}

/** Removes outdated backups and returns their names. Called right after a backup was made or confirmed, when the newest is known to be
 *  good. */
async function prune(
  { world, signal }: AttemptParts,
  settings: BackupSettings,
  { archive, bytesPerSecondMax }: { archive: string; bytesPerSecondMax: number },
): Promise<string[]> {
  const { folder } = settings
  const removed: string[] = []
  const good = goodOf(await listBackups(world.disk, folder, archive))
  const kept = good.map(({ name, confirmed }) => ({ name, confirmedMs: Date.parse(confirmed) }))
  for (const name of outdated(kept, settings, world.clock.now())) {
    const manifest = good.find((each) => each.name === name)
    if (!manifest) continue
    // A file that Loupe did not write in this form belongs to another program, or is evidence.
    if ((await verifyByReading(world, { folder, manifest, bytesPerSecondMax, signal })).problem !== null) continue
    await removeBackup(world.disk, folder, name)
    removed.push(name)
  }
  return removed
}
