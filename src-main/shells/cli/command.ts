/** What every verb is given and gives back. */
import type { Output } from './output.ts'
import type { Session, SessionSetting } from './session.ts'

export interface Command {
  archiveFolder: string
  version: string
  json: boolean
  output: Output
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  onBug: SessionSetting['onBug']
  /** Opens the engine for as long as `act` runs. */
  withSession(run: boolean, act: (session: Session) => Promise<ExitCode>): Promise<ExitCode>
}

/** 0 done, 1 done with findings that need a person; the others come from the fault table (contract/faults). */
export type ExitCode = 0 | 1 | 130
