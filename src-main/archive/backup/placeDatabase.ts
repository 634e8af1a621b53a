/** Puts a prepared database in the place of the present one, which is moved aside and never removed. It needs the archive closed. A kill
 *  leaves everything as it was, or a note by which the next start goes on to the end: an archive without its database would pass
 *  for an empty one. */
import { join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import type { Disk } from '../../world/world.ts'
import { undefinedWhenAbsent } from '../files/undefinedWhen.ts'

/** Lies in the archive's folder while a restored database is put in its place, and holds the ending of what is moved aside. */
export const noteName = 'loupe.restore'
const noteBytesMax = 200
const ownerOnly = 0o600

const databaseName = 'loupe.db'
/** SQLite's files next to a database belong to it: next to another database, its journal would be read as that one's. */
const databaseFiles = ['', '-wal', '-shm', '-journal'].map((ending) => `${databaseName}${ending}`)
/** The file that names the last entry of the audit trail is about the database that was there. */
const auditName = 'loupe.audit'

/** Where the database is made ready that is to be put in place. */
export function preparedPath(archiveFolder: string): string {
  return join(archiveFolder, preparedName)
}
export const preparedName = `${databaseName}-restoring`

/** The ending of the names under which the present files are kept: none is taken yet. */
export async function asideEnding(disk: Disk, archiveFolder: string, nowMs: number): Promise<string> {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  for (let number = 1; ; number += 1) {
    const ending = `before-restore-${time}${number > 1 ? `-${number}` : ''}`
    const names = [databaseName, auditName].map((name) => asideName(name, ending))
    const taken = await Promise.all(names.map((name) => disk.isTaken(join(archiveFolder, name))))
    if (!taken.includes(true)) return ending
  }
}

/** The journal keeps the name that SQLite looks for. */
export function asideName(name: string, ending: string): string {
  return name.startsWith(databaseName)
    ? `${databaseName}.${ending}${name.slice(databaseName.length)}`
    : `${name}.${ending}`
}

/** Rejects with `DiskFault`. Once the note is written it happens, now or at the next start. */
export async function placeDatabase(disk: Disk, archiveFolder: string, ending: string): Promise<void> {
  await disk.write(join(archiveFolder, noteName), Buffer.from(`${ending}\n`), ownerOnly)
  await finishPlacing(disk, archiveFolder)
}

/** Goes on with what a kill interrupted, if something was. For every start, before the database is opened. Rejects with `DiskFault`, or
 *  with `Fault` where the note is not Loupe's. */
export async function finishPlacing(disk: Disk, archiveFolder: string): Promise<void> {
  const note = join(archiveFolder, noteName)
  const bytes = await disk.read(note, noteBytesMax).catch(undefinedWhenAbsent)
  if (!bytes) return
  const ending = Buffer.from(bytes).toString('utf8').trim()
  if (!/^before-restore-\d{8}T\d{6}Z(-\d+)?$/.test(ending))
    throw new Fault('damaged', `${note} does not say what was restored: move it away, and see whether loupe.db is the database that you want.`) // prettier-ignore
  const prepared = preparedPath(archiveFolder)
  // Without it the restored database is in its place already.
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
