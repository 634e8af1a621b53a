/** Parameters with which a shell opens the engine of an archive. */
import type { Shell } from '../../contract/calls/caller.ts'
import type { StartBrowser } from './separateBrowsers.ts'
import type { DrawnPage, PageToDraw } from './drawnPage.ts'
import type { OpenPageBrowser } from './pageBrowser.ts'

/**
 * Which folders are opened. `archive`: only archives with their database. `lostDatabase`: also archives without one, which begin with an
 * empty database. `newArchive`: also absent or empty folders, in which an archive is created. Foreign folders are never opened.
 */
export type FolderAccepted = 'archive' | 'lostDatabase' | 'newArchive'

/** Parameters of `openEngine`. */
export interface EngineSetting {
  /** Absolute path of the archive's folder. */
  archiveFolder: string
  /** Settings of the user for all archives; the file may be absent. Absent here: there are none. */
  userSettingsFile?: string
  /** Kind of shell that opens the engine. */
  shell: 'electron' | 'server' | 'cli'
  /** Version of Loupe, for WARC files and reports. */
  version: string
  /** Absent: `newArchive`, as at the start of a window. */
  accepts?: FolderAccepted
  /** Whether jobs are worked on. A read-only command leaves them alone. */
  run: boolean
  /** Takes sentences for the log of the shell, about what was found and changed while the archive was opened. */
  onNotice?: (sentence: string) => void
  /** Overrides the setting `viewer.port`. */
  viewerPort?: number
  /** Whether every connection to the viewer's proxy has to log in. Absent: those without credentials are the account that runs the engine. */
  viewerNeedsCredentials?: boolean
  /** Address of the rewritten replay, once the shell has opened it. Absent: the shell has none. */
  rewrittenAddress?: () => string | undefined
  /** Origins of the interface, which may query the viewer proxy about itself. */
  allowedOrigins?: string[]
  /** 32 bytes in base64 from the system's key storage, which the shell can reach: credentials are sealed with it. */
  sealingKey?: string
  /** Has a browser draw a page for a picture. Absent: the shell takes pictures itself, or there are none. */
  drawPage?: (wanted: PageToDraw) => Promise<DrawnPage>
  /** Opens a browser for page audits. Absent: there are none. */
  openPageBrowser?: OpenPageBrowser
  /** Starts a browser of this machine for a separate viewing. Absent: the shell starts none. */
  startBrowser?: StartBrowser
}

/** Names of the kinds of shell in the audit log. */
export const shellOf: Record<EngineSetting['shell'], Shell> = {
  electron: 'window',
  server: 'server',
  cli: 'commandLine',
}
