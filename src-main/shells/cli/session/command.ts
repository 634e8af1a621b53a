/** What every verb is given and gives back. */
import type { FolderAccepted } from '../../../app/given/engineSetting.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { Output } from '../output/output.ts'
import type { Session, SessionSetting } from './session.ts'
import { message } from '../../../contract/words/message.ts'

export interface Command {
  archiveFolder: string
  version: string
  output: Output
  /** `--debug` was said: stacks are shown. */
  debug: boolean
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  onBug: SessionSetting['onBug']
  onNotice: SessionSetting['onNotice']
  /** Opens the engine for as long as `act` runs. `works`: jobs are worked on meanwhile. Only an archive with its database is opened
   *  unless `accepts` says more. */
  withSession(
    how: 'works' | 'looks',
    act: (session: Session) => Promise<ExitCode>,
    accepts?: FolderAccepted,
  ): Promise<ExitCode>
}

/** 0 done, 1 done with findings that need a person, 130 stopped; the others come from the fault table (contract/faults). */
export type ExitCode = 0 | 1 | 130

/** How the command line runs a verb. */
export type Run = (verb: (command: Command) => Promise<ExitCode>) => Promise<void>

export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** For what only reads: Ctrl-C does not wait for its end. Rejects with `Fault` stopped. */
export async function unlessStopped<T>(signal: AbortSignal, act: Promise<T>): Promise<T> {
  const refusal = stopped(signal).then(() => {
    throw new Fault('stopped', message('cli.stopped'))
  })
  return Promise.race([act, refusal])
}
