/** Which permissions a new file or folder gets. A folder that is closed to other accounts passes its permissions on to everything that
 *  is made in it: so an archive stays as closed as its top folder, whatever the umask says and whichever part of Loupe makes the file, a worker thread
 *  or SQLite. In any other folder the umask decides, as for every program. Windows has no such permissions: there a folder passes its
 *  access list on by itself. */

/** For the account that makes it only. */
export const ownFileMode = 0o600
export const ownFolderMode = 0o700

/** Other accounts that are in no group of the folder may not enter it. `mode` as of stat(2), with or without the kind of file. */
export function isClosed(mode: number): boolean {
  return (mode & 0o007) === 0
}

/** Of a file made in a closed folder: who may enter the folder may read and write it. */
export function fileModeIn(folderMode: number): number {
  return (folderMode & 0o660) | ownFileMode
}

/** Of a folder made in a closed folder. The bit that hands the group down (set-group-ID) goes with it. */
export function folderModeIn(folderMode: number): number {
  return (folderMode & 0o2770) | ownFolderMode
}
