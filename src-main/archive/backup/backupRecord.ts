/** What is known about the backups of an archive: the identity of the archive, and the results of the last attempts, in a file that can
 *  be read when the database cannot (`stateFile.ts`). */
import { message, type Message } from '../../contract/words/message.ts'
import type { BackupState } from '../../contract/services/backups.ts'
import { Fault, userMessageOf } from '../../contract/calls/faults.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { StorageFault, type Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { reasonIn } from '../files/archiveFault.ts'
import { backupStatements } from './backup.sql.ts'
import { DatabaseDamaged } from './makeBackup.ts'
import type { Manifest } from './manifest.ts'
import { readState, writeState } from './stateFile.ts'

export interface BackupRecord {
  state(): BackupState
  /** Identity of this archive. */
  identity(): string
  /** Identity of the archive whose backups are expected. An empty database has a new identity, while the backups belong to the lost
   *  one. */
  identityOfBackups(): string | undefined
  hasContent(): boolean
  /** When the first and the last file were stored. */
  stored(): { firstMs: number | null; lastMs: number | null }
  /** Records a good backup. */
  noteMade(made: { archive: string; folder: string; manifest: Manifest }): Promise<void>
  /** Records a failed attempt, and the damage of the database that it found. */
  noteFailure(error: unknown, folder: string): Promise<void>
  /** Records the newest good backup of a folder. If the last one is no longer good, the schedule need not wait for its turn. */
  noteNewest(folder: string, newest: Manifest | undefined): Promise<void>
}

const nothingYet: BackupState = { archive: null, folder: null, last: null, failure: null, damage: null }

/** `onFault`: called when the file cannot be written; the state is in memory then. */
export async function openRecord(
  { disk, clock }: Pick<World, 'disk' | 'clock'>,
  { store, archiveFolder, onFault }: { store: Store; archiveFolder: string; onFault: (error: unknown) => void },
): Promise<BackupRecord> {
  const statements = backupStatements(store)
  let state = (await readState(disk, archiveFolder)) ?? nothingYet

  async function note(change: Partial<BackupState>): Promise<void> {
    state = { ...state, ...change }
    await writeState(disk, archiveFolder, state).catch(onFault)
  }

  function identity(): string {
    const known = statements.identity.get({})?.id
    if (known === undefined) throw new Error('the row of the database state is missing')
    return known
  }

  const hasContent = () => statements.hasContent.get({})?.has === 1

  return {
    state: () => state,
    identity,
    identityOfBackups: () => (hasContent() ? identity() : (state.archive ?? undefined)),
    hasContent,
    stored: () => statements.stored.get({}) ?? { firstMs: null, lastMs: null },
    noteMade: ({ archive, folder, manifest }) =>
      note({ archive, folder, last: lastOf(manifest), failure: null, damage: null }),
    async noteFailure(error, folder) {
      const at = new Date(clock.now()).toISOString()
      const problem = failureOf(error)
      const tries = state.failure?.folder === folder ? state.failure.tries + 1 : 1
      const isDamage = error instanceof DatabaseDamaged || (error instanceof StorageFault && error.code === 'damaged')
      await note({
        failure: { at, folder, tries, message: problem },
        ...(isDamage ? { damage: { at, message: problem } } : {}),
      })
    },
    async noteNewest(folder, newest) {
      if (state.folder !== folder || newest?.name === state.last?.name) return
      await note({ last: newest ? lastOf(newest) : null })
    },
  }
}

type LastBackup = NonNullable<BackupState['last']>

/** The part of the manifest of the last good backup that is recorded. */
export function lastOf({ name, made, confirmed, bytes }: LastBackup): LastBackup {
  return { name, made, confirmed, bytes }
}

function failureOf(error: unknown): Message {
  if (error instanceof Fault) return userMessageOf(error)
  if (error instanceof DiskFault) return message('backup.failed.write', { problem: reasonIn(error) })
  if (error instanceof StorageFault) return message('backup.failed.write', { problem: error.userMessage })
  return message('backup.failed.bug', { problem: messageOf(error) })
}
