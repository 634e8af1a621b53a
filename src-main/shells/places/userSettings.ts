/** The file with the settings of a user for all archives, where the system keeps such files: below `$XDG_CONFIG_HOME`, by default
 *  `~/.config` (freedesktop.org, Base Directory Specification), `%APPDATA%` on Windows, `~/Library/Application Support` on macOS. */
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Returns the absolute path of the file, which may be absent. */
export function userSettingsFile(): string {
  return userSettingsIn({ platform: process.platform, env: process.env, home: homedir() })
}

interface Machine {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  home: string
}

/** Returns the file of a user of this machine. */
export function userSettingsIn({ platform, env, home }: Machine): string {
  return join(configurationFolder({ platform, env, home }), 'loupe', 'loupe.toml')
}

function configurationFolder({ platform, env, home }: Machine): string {
  if (platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  // A relative path is invalid there and must be ignored.
  return env['XDG_CONFIG_HOME']?.startsWith('/') ? env['XDG_CONFIG_HOME'] : join(home, '.config')
}
