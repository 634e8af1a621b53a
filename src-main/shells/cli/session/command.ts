/** The environment of a verb, and its result. */
import type { FolderAccepted } from '../../../app/given/engineSetting.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { Output } from '../output/output.ts'
import type { Session, SessionSetting } from './session.ts'
import { message } from '../../../contract/words/message.ts'

/** The environment of a verb. */
export interface Command {
  archiveFolder: string
  version: string
  output: Output
  /** Whether `--debug` was given: stacks are shown. */
  debug: boolean
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  onBug: SessionSetting['onBug']
  onNotice: SessionSetting['onNotice']
  /**
   * Opens the engine while `act` runs. `works`: jobs are worked on meanwhile. Only an archive with its database is opened unless `accepts`
   * allows more.
   */
  withSession(
    how: 'works' | 'looks',
    act: (session: Session) => Promise<ExitCode>,
    accepts?: FolderAccepted,
  ): Promise<ExitCode>
}

/**
 * Exit codes of a verb: 0 done, 1 done with findings that need a user's attention, 130 stopped. All others come from the fault table
 * (contract/calls/faults).
 */
export type ExitCode = 0 | 1 | 130

/** Runs a verb and sets the exit code. */
export type Run = (verb: (command: Command) => Promise<ExitCode>) => Promise<void>

/** Resolves when the signal is aborted. */
export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Waits for a read-only operation; on Ctrl-C it rejects without waiting for its end. Rejects with `Fault` stopped. */
export async function unlessStopped<T>(signal: AbortSignal, act: Promise<T>): Promise<T> {
  const refusal = stopped(signal).then(() => {
    throw new Fault('stopped', message('cli.stopped'))
  })
  return Promise.race([act, refusal])
}
