/** Test fixture: an archive with backups on a seeded world. The database is a real one in a real folder, copied and checked by the
 *  same functions as in the engine. Copies are written through the seeded disk, so that it can be full, fail, or lose power during a
 *  write. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkDatabase, snapshotDatabase, writeCompact } from '../../storage/copies.ts'
import { openReader, openStore, type Store } from '../../storage/storage.ts'
import type { SeededWorld } from '../../world/testing/seeded.ts'
import type { World } from '../../world/world.ts'
import { defaultArchiveLimits } from '../files/limits.ts'
import { contentStatement } from '../backup/backup.sql.ts'
import { openBackups, type Backups, type BackupsParts } from '../backup/backups.ts'
import type { BackupSettings } from '../backup/backupStatus.ts'
import type { CheckedCopy } from '../backup/checkCopy.thread.ts'
import type { DatabaseCopy } from '../backup/databaseCopy.ts'

export const archiveFolder = '/archive'
export const backupFolder = '/drive/backups'
export const usualSettings: BackupSettings = { folder: backupFolder, everyHours: 24, keepCount: 2, keepDays: 10 }
const chunkBytes = 100_000

/** A test database on the real disk. */
export interface RealDatabase {
  store: Store
  path: string
  /** Sets the content to that of a version; equal numbers give equal content. */
  set(version: number): void
  /** Changes the content to that of the next version. */
  change(): void
  copyOn(world: World): DatabaseCopy
  close(): void
}

export function realDatabase(): RealDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-backups-'))
  const path = join(folder, 'loupe.db')
  const store = openStore(path)
  store.statement("INSERT INTO harvest (name, kind, definition, created_ms) VALUES ('0', 'event', '{}', 0)").run({})
  const rename = store.statement<{ version: number }>('UPDATE harvest SET name = @version')
  let current = 0
  /** Copies by version: the same content gives the same copy, and hundreds of positions need only a few copies. */
  const copies = new Map<number, Buffer>()
  let files = 0
  const checked = new Map<string, CheckedCopy>()
  const freePath = () => join(folder, String((files += 1)))

  function set(version: number): void {
    rename.run({ version })
    current = version
  }

  async function compactCopy(signal: AbortSignal): Promise<Buffer> {
    const [snapshot, target] = [freePath(), freePath()]
    await snapshotDatabase({ source: path, target: snapshot }, { signal })
    writeCompact({ snapshot, target }, { leftOut: ['cookie'] })
    const bytes = readFileSync(target)
    for (const made of [snapshot, target]) rmSync(made)
    return bytes
  }

  async function checkedBytes(bytes: Buffer, signal: AbortSignal): Promise<CheckedCopy> {
    const { problems, schemaVersion } = await checkDatabase(bytes, { signal })
    return { problems, schemaVersion, content: problems.length > 0 ? undefined : contentIn(bytes) }
  }

  return {
    store,
    path,
    set,
    change: () => set(current + 1),
    copyOn: ({ disk }) => ({
      async write({ target }, { signal, onReport }) {
        const bytes = copies.get(current) ?? (await compactCopy(signal))
        copies.set(current, bytes)
        onReport({ phase: 'writing', share: 0 })
        const file = await disk.openWrite(target, 'append')
        try {
          for (let at = 0; at < bytes.length; at += chunkBytes) await file.append([bytes.subarray(at, at + chunkBytes)])
        } finally {
          await file.close()
        }
        return { problems: [] }
      },
      async check(target, { signal }) {
        const bytes = Buffer.from(await disk.read(target, 1e8))
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        const known = checked.get(sha256) ?? (await checkedBytes(bytes, signal))
        checked.set(sha256, known)
        return known
      },
    }),
    close() {
      store.close()
      rmSync(folder, { recursive: true })
    },
  }

  function contentIn(bytes: Buffer) {
    const copy = freePath()
    writeFileSync(copy, bytes)
    const reader = openReader(copy)
    try {
      return contentStatement(reader).get({})
    } finally {
      reader.close()
      rmSync(copy)
    }
  }
}

export interface Opened {
  world: SeededWorld
  backups: Backups
  problems: unknown[]
}

/** Opens the backups as the engine does at a start. */
export async function openOn(
  world: SeededWorld,
  database: RealDatabase,
  changes: Partial<BackupsParts> & { settings?: () => BackupSettings } = {},
): Promise<Opened> {
  const problems: unknown[] = []
  await world.disk.makeFolder(archiveFolder)
  const backups = await openBackups({
    world,
    store: database.store,
    databasePath: join(archiveFolder, 'loupe.db'),
    archiveFolder,
    software: 'Loupe/test',
    replicas: [{ name: 'ONE', folder: '/archive/replicas/ONE' }],
    settings: () => usualSettings,
    limits: { ...defaultArchiveLimits, freeBytesMin: 0 },
    leftOut: ['cookie'],
    isScheduled: true,
    onProblem: (error) => void problems.push(error),
    copy: database.copyOn(world),
    ...changes,
  })
  return { world, backups, problems }
}
