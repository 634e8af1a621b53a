/** Combines the database of one moment with the files of another, for every pair of moments of an action. This corresponds to
 *  restoring an older backup, restoring an older replica, and copies of both taken during an action. */
import { join } from 'node:path'
import { rewindable } from '../../storage/testing/rewindableStore.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import type { Disk } from '../../world/world.ts'
import { askedOf, sceneOf, settled, settings, type Drive } from './faultDrives.ts'
import { invariants } from './invariants.ts'
import { openArchiveFixture, recover } from './archiveFixture.ts'

/** All files of a disk, by path. */
type Files = Map<string, Uint8Array>

/** The distinct databases (paths) and disk contents of an action's moments. */
export interface Moments {
  databases: string[]
  files: Files[]
}

/** Collects the distinct states that power failures leave during an action; the databases are written as files to `folder` on the real
 *  disk. */
export async function momentsOf(drive: Drive, folder: string): Promise<Moments> {
  const databases = new Map<string, string>()
  const files = new Map<string, Files>()
  for (let at = 1, isOver = false; !isOver; at += 1) {
    const store = openStore(':memory:')
    const { world, kept, target, action } = await sceneOf(drive, store)
    const whole = await world.runUntilCut(settled(action.act(kept, target)), at)
    const next = world.crash()
    const after = await next.run(everythingOn(next.disk, '/'))
    const texts = [...after].map(([path, bytes]) => [path, Buffer.from(bytes).toString('latin1')])
    files.set(JSON.stringify(texts), after)
    const content = rowsOf(store)
    if (!databases.has(content)) {
      const path = join(folder, `moment-${databases.size}.db`)
      store.statement<{ path: string }>('VACUUM INTO @path').run({ path })
      databases.set(content, path)
    }
    store.close()
    isOver = whole !== undefined
  }
  return { databases: [...databases.values()], files: [...files.values()] }
}

function rowsOf(store: Store): string {
  const tables = store
    .statement<object, { name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .all({})
  return JSON.stringify(tables.map(({ name }) => [name, store.statement(`SELECT * FROM "${name}"`).all({})]))
}

async function everythingOn(disk: Disk, folder: string, into: Files = new Map()): Promise<Files> {
  for (const { name, kind } of await disk.list(folder)) {
    const path = join(folder, name)
    if (kind === 'folder') await everythingOn(disk, path, into)
    else into.set(path, await disk.read(path, 1e6))
  }
  return into
}

/** Database of one moment, to be combined with the files of other moments. */
export interface MomentDatabase {
  /** Checks the invariants with files of another moment. `isSourceLeft`: whether the sources still exist. */
  over(files: Files, isSourceLeft: boolean): Promise<string[]>
  close(): void
}

/** Opens the database of one moment. `path`: one of `Moments.databases`. */
export function momentDatabase(drive: Drive, path: string): MomentDatabase {
  const store = rewindable(openStore(path))
  return {
    async over(files, isSourceLeft) {
      const world = seededWorld({ seed: drive.seed })
      try {
        return await world.run(asked(world, store, { drive, files, isSourceLeft }))
      } finally {
        store.rewind()
      }
    },
    close: store.close,
  }
}

interface Pair {
  drive: Drive
  files: Files
  isSourceLeft: boolean
}

async function asked(world: SeededWorld, store: Store, { drive, files, isSourceLeft }: Pair): Promise<string[]> {
  for (const [path, bytes] of files) {
    await world.disk.makeFolder(join(path, '..'))
    await world.disk.write(path, bytes)
  }
  const kept = await openArchiveFixture({ world, store, places: settings[drive.setting]('/'), folder: '/archive' })
  await recover(kept)
  const about = await askedOf(kept)
  return invariants({ ...about, ...(isSourceLeft ? {} : { sources: new Map() }) })
}
