/** Verifies backups: whether each still has its checksum and is an intact database. Does not need an open archive, so it can be used
 *  when the archive cannot be opened. */
import { join } from 'node:path'
import { message } from '../../contract/words/message.ts'
import type { BackupRow } from '../../contract/services/backups.ts'
import type { World } from '../../world/world.ts'
import { writeManifest, type Listed } from './backupFolder.ts'
import type { DatabaseCopy } from './databaseCopy.ts'
import { verifyByReading } from './makeBackup.ts'

export interface VerifyParts {
  world: World
  copy: Pick<DatabaseCopy, 'check'>
  folder: string
  bytesPerSecondMax: number
  signal: AbortSignal
  /** Called with the overall progress from 0 to 1. */
  onProgress: (share: number) => void
}

/** Verifies the backups and writes the results to their manifests. Rejects with `DiskFault`, or the signal's reason. */
export async function verifyBackups(parts: VerifyParts, backups: readonly Listed[]): Promise<BackupRow[]> {
  const rows: BackupRow[] = []
  for (const [index, listed] of backups.entries()) {
    const onShare = (share: number) => parts.onProgress((index + share) / backups.length)
    onShare(0)
    rows.push(rowOf(await verifyBackup(parts, listed, onShare)))
  }
  return rows
}

async function verifyBackup(parts: VerifyParts, listed: Listed, onShare: (share: number) => void): Promise<Listed> {
  const { world, copy, folder, bytesPerSecondMax, signal } = parts
  if (!listed.manifest || listed.state === 'missing') return listed
  const read = await verifyByReading(world, { folder, manifest: listed.manifest, bytesPerSecondMax, signal })
  if (read.problem !== null) return { ...listed, state: 'damaged', problem: read.problem, manifest: read }
  const [found] = (await copy.check(join(folder, listed.name), { signal, onReport: onShare })).problems
  const state = listed.state === 'otherArchive' ? 'otherArchive' : 'good'
  if (found === undefined) return { ...listed, state, problem: null, manifest: read }
  const problem = message('backup.file.noDatabase', { problem: found })
  const manifest = { ...read, problem }
  await writeManifest(world.disk, folder, manifest)
  return { ...listed, state: 'damaged', problem, manifest }
}

/** Converts a listed backup to the form of the contract. */
export function rowOf({ name, path, state, problem, manifest }: Listed): BackupRow {
  if (!manifest) return { name, path, state, problem, sha256: null, manifest: null }
  const { sha256, archive, folder, software, made, confirmed, verified, bytes, schemaVersion, jobs, files, audit } =
    manifest
  return {
    ...{ name, path, state, problem, sha256 },
    manifest: { archive, folder, software, made, confirmed, verified, bytes, schemaVersion, jobs, files, audit },
  }
}
