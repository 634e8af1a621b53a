/**
 * The archive's folder when no option names one: the value of the environment variable LOUPE_ARCHIVE, otherwise `Loupe` in the user's
 * documents folder, whatever name the system gives that folder. Electron has a function for the documents folder; this module is for plain
 * Node.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Returns undefined when the variable is not set, or empty. */
export function archiveFolderFrom(environment: NodeJS.ProcessEnv): string | undefined {
  const named = environment['LOUPE_ARCHIVE']
  return named ? resolve(named) : undefined
}

/** Returns the folder of the archive for a call without an option that names one. */
export function defaultArchiveFolder(): string {
  return archiveFolderFrom(process.env) ?? archiveInDocuments()
}

function archiveInDocuments(): string {
  const home = homedir()
  const configured = join(process.env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'user-dirs.dirs')
  const userFolders = existsSync(configured) ? readFileSync(configured, 'utf8') : ''
  return join(documentsFolder(home, userFolders), 'Loupe')
}

/**
 * Finds the documents folder in the file of freedesktop.org's xdg-user-dirs, with lines like XDG_DOCUMENTS_DIR="$HOME/Dokumente", always
 * absolute or below $HOME.
 */
export function documentsFolder(home: string, userFolders: string): string {
  const named = /^\s*XDG_DOCUMENTS_DIR="([^"]+)"/m.exec(userFolders)?.[1]?.replace(/^\$HOME(?=\/|$)/, home)
  return named?.startsWith('/') && named !== home ? named : join(home, 'Documents')
}
