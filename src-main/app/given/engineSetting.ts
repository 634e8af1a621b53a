/** What a shell says when it opens the engine of an archive. */
import type { AuditShell } from '../../contract/shapes/choices.ts'
import type { StartBrowser } from './separateBrowsers.ts'
import type { DrawnPage, PageToDraw } from './drawnPage.ts'

/** Which folders are opened: `archive` only archives with their database; `lostDatabase` also archives without one, which begin with
 *  an empty database; `newArchive` these, and absent or empty folders, in which an archive is created. Foreign folders never are. */
export type FolderAccepted = 'archive' | 'lostDatabase' | 'newArchive'

export interface EngineSetting {
  archiveFolder: string
  shell: 'electron' | 'server' | 'cli'
  version: string
  /** Absent: `newArchive`, as at the start of a window. */
  accepts?: FolderAccepted
  /** Whether jobs are worked on. A command that only looks something up leaves them alone. */
  run: boolean
  /** Takes sentences for the log of the shell, about what was found and changed while the archive was opened. */
  onNotice?: (sentence: string) => void
  /** Overrides the setting `viewer.port`. */
  viewerPort?: number
  /** Origins of the interface, which may ask the viewer proxy about itself. */
  allowedOrigins?: string[]
  /** 32 bytes, base64, that the system's own storage gave to the shell: credentials are sealed with it. */
  sealingKey?: string
  /** Has a browser draw a page for a picture of it. Absent: the shell takes pictures itself, or there are none. */
  drawPage?: (wanted: PageToDraw) => Promise<DrawnPage>
  /** Starts a browser of this machine for a viewing of its own. Absent: the shell starts none. */
  startBrowser?: StartBrowser
}

/** What the audit trail calls each kind of shell. */
export const auditShellOf: Record<EngineSetting['shell'], AuditShell> = {
  electron: 'window',
  server: 'server',
  cli: 'commandLine',
}
