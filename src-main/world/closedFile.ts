/** An empty file for a library that would make it with permissions of its own, as SQLite does: it takes a file that is there as it is, and
 *  gives the permissions of a database to the journals next to it. Synchronous, like that library. */
import { closeSync, constants, fchmodSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileModeIn, isClosed, ownFileMode } from './permissions.ts'

/** Makes it for the accounts that may enter its folder, or for its own account alone where that folder is open to others. Leaves what is
 *  there as it is, and leaves the fault of a folder that is not there, or may not be written, to the code that opens the file. */
export function makeClosedFile(path: string): void {
  try {
    const folderMode = statSync(dirname(path)).mode
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, ownFileMode)
    try {
      // Not by the mode above: the umask would take from it.
      if (isClosed(folderMode)) fchmodSync(file, fileModeIn(folderMode))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}
