/** Which folder is the archive when no option names one: the one that the environment variable LOUPE_ARCHIVE names, else `Loupe` in the
 *  user's documents folder, under whatever name the system gives that folder. Electron knows the documents folder by itself;
 *  finding it here is for plain Node. */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Undefined: the variable is not set, or empty. */
export function archiveFolderFrom(environment: NodeJS.ProcessEnv): string | undefined {
  const named = environment['LOUPE_ARCHIVE']
  return named ? resolve(named) : undefined
}

export function defaultArchiveFolder(): string {
  return archiveFolderFrom(process.env) ?? archiveInDocuments()
}

function archiveInDocuments(): string {
  const home = homedir()
  const configured = join(process.env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'user-dirs.dirs')
  const userFolders = existsSync(configured) ? readFileSync(configured, 'utf8') : ''
  return join(documentsFolder(home, userFolders), 'Loupe')
}

/** freedesktop.org's xdg-user-dirs: lines like XDG_DOCUMENTS_DIR="$HOME/Dokumente", always absolute or below $HOME. */
export function documentsFolder(home: string, userFolders: string): string {
  const named = /^\s*XDG_DOCUMENTS_DIR="([^"]+)"/m.exec(userFolders)?.[1]?.replace(/^\$HOME(?=\/|$)/, home)
  return named?.startsWith('/') && named !== home ? named : join(home, 'Documents')
}
