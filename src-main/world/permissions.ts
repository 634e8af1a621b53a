/** Permissions of new files and folders. A folder that is closed to other accounts passes its permissions on to everything
 *  created in it, so an archive stays as closed as its top folder, whatever the umask and whichever part of Loupe creates the
 *  file, a worker thread or SQLite. In any other folder the umask decides, as for every program. Windows has no such
 *  permissions: there a folder passes its access list on by itself. */

/** Access for the creating account only. */
export const ownFileMode = 0o600
/** The same for a folder. */
export const ownFolderMode = 0o700

/** Tells whether accounts outside the folder's group may not enter it. `mode` as from stat(2), with or without the file type. */
export function isClosed(mode: number): boolean {
  return (mode & 0o007) === 0
}

/** Mode of a file created in a closed folder: accounts that may enter the folder may read and write it. */
export function fileModeIn(folderMode: number): number {
  return (folderMode & 0o660) | ownFileMode
}

/** Mode of a folder created in a closed folder. The set-group-ID bit, which passes the group on, is inherited. */
export function folderModeIn(folderMode: number): number {
  return (folderMode & 0o2770) | ownFolderMode
}
