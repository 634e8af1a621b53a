/** Creates an empty file for a library that would otherwise create it with permissions of its own, such as SQLite: it opens
 *  an existing file unchanged and gives the journals next to it the permissions of the database. Synchronous, like that
 *  library. */
import { closeSync, constants, fchmodSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileModeIn, isClosed, ownFileMode } from './permissions.ts'

/** Creates the file for the accounts that may enter its folder, or for its own account only if that folder is open to others.
 *  An existing file is left unchanged; errors of a missing or read-only folder are left to the code that opens the file. */
export function makeClosedFile(path: string): void {
  try {
    const folderMode = statSync(dirname(path)).mode
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, ownFileMode)
    try {
      // Not through the mode of `openSync`: the umask would remove permissions from it.
      if (isClosed(folderMode)) fchmodSync(file, fileModeIn(folderMode))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}
