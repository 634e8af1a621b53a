/** Which folder is the archive when nobody says: `Loupe` in the user's documents folder, under whatever name the system
 *  gives that folder. Electron knows by itself; this is for plain Node. */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export function defaultArchiveFolder(): string {
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
