/** Replaces the database by a prepared one; the present one is renamed, never removed. The archive must be closed. A crash leaves
 *  everything unchanged, or a note by which the next start completes the replacement: an archive without its database would be taken
 *  for an empty one. */
import { join } from 'node:path'
import { message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { ownFileMode } from '../../world/permissions.ts'
import type { Disk } from '../../world/world.ts'
import { undefinedWhenAbsent } from '../files/undefinedWhen.ts'

/** Name of the note in the archive's folder during the replacement. It holds the suffix of the renamed files. */
export const noteName = 'loupe.restore'
const noteBytesMax = 200
const databaseName = 'loupe.db'
/** The database and SQLite's files next to it. They must be moved together, since SQLite would apply a journal to any database next to
 *  it. */
const databaseFiles = ['', '-wal', '-shm', '-journal'].map((ending) => `${databaseName}${ending}`)
/** The file with the head of the audit log, which belongs to the replaced database. */
const auditName = 'loupe.audit'

/** Path of the prepared database. */
export function preparedPath(archiveFolder: string): string {
  return join(archiveFolder, preparedName)
}
export const preparedName = `${databaseName}-restoring`

/** Suffix of the names under which the present files are kept; unused so far. */
export async function asideEnding(disk: Disk, archiveFolder: string, nowMs: number): Promise<string> {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  for (let number = 1; ; number += 1) {
    const ending = `before-restore-${time}${number > 1 ? `-${number}` : ''}`
    const names = [databaseName, auditName].map((name) => asideName(name, ending))
    const taken = await Promise.all(names.map((name) => disk.isTaken(join(archiveFolder, name))))
    if (!taken.includes(true)) return ending
  }
}

/** Name of a file that is kept. Journals keep the name that SQLite expects next to the renamed database. */
export function asideName(name: string, ending: string): string {
  return name.startsWith(databaseName)
    ? `${databaseName}.${ending}${name.slice(databaseName.length)}`
    : `${name}.${ending}`
}

/** Replaces the database. Once the note is written the replacement is completed, now or at the next start. Rejects with `DiskFault`. */
export async function placeDatabase(disk: Disk, archiveFolder: string, ending: string): Promise<void> {
  await disk.write(join(archiveFolder, noteName), Buffer.from(`${ending}\n`), ownFileMode)
  await finishPlacing(disk, archiveFolder)
}

/** Completes an interrupted replacement, if there is one. Called at every start before the database is opened. Rejects with
 *  `DiskFault`, or with `Fault` when the note was not written by Loupe. */
export async function finishPlacing(disk: Disk, archiveFolder: string): Promise<void> {
  const note = join(archiveFolder, noteName)
  const bytes = await disk.read(note, noteBytesMax).catch(undefinedWhenAbsent)
  if (!bytes) return
  const ending = Buffer.from(bytes).toString('utf8').trim()
  if (!/^before-restore-\d{8}T\d{6}Z(-\d+)?$/.test(ending))
    throw new Fault('damaged', message('backup.note.invalid', { path: note }))
  const prepared = preparedPath(archiveFolder)
  // If it is missing, the restored database is already in place.
  if (await disk.isTaken(prepared)) {
    for (const name of [...databaseFiles, auditName]) {
      const from = join(archiveFolder, name)
      if (await disk.isTaken(from)) await disk.rename(from, join(archiveFolder, asideName(name, ending)))
    }
    await disk.syncFolder(archiveFolder)
    await disk.rename(prepared, join(archiveFolder, databaseName))
    await disk.syncFolder(archiveFolder)
  }
  await disk.remove(note)
  await disk.syncFolder(archiveFolder)
}
