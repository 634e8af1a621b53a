/** The outputs of an archive as its engine runs them: in one thread, which starts with the first output. */
import { messageOf } from '../contract/text/messageOf.ts'
import { message, type Message } from '../contract/words/message.ts'
import type { Store } from '../storage/storage.ts'
import { sleepUnlessAborted } from '../world/sleepUnlessAborted.ts'
import type { World } from '../world/world.ts'
import type { ReplicaPlace } from './delivery.ts'
import type { OutputCheckInput } from './outputCheck.thread.ts'
import { finishConnectors } from './outputs/connectors.ts'
import { outputStatements } from './outputs/outputs.sql.ts'
import type { OutputsInput, ReportOfOutput } from './outputs.thread.ts'
import { watchStatuses } from './planUpkeep.ts'

/** Pause before the thread is started again after it ended with an error. */
const restartMs = 5_000

interface OutputRunsSetting {
  store: Store
  world: World
  databasePath: string
  /** `<archive>/jobs`. */
  jobsFolder: string
  /** `<archive>/indexes`. */
  indexesFolder: string
  replicas: ReplicaPlace[]
  archiveFolders: readonly string[]
  /** Whether this process is the engine of the archive. */
  isEngine: boolean
  /** Resolves when archived files can be read. */
  ready: Promise<void>
  onReport(report: ReportOfOutput): void
  /** Called when a status has changed. */
  onChanged(): void
  /** Called with what the thread throws. */
  onProblem(error: unknown): void
}

/** The outputs as they run. */
export interface OutputRuns {
  /** Starts the thread if it does not run: an output was added. */
  begin(): void
  /** Returns what is wrong with an output; undefined: nothing. */
  check(output: string): Promise<Message | undefined>
  /** Installs and deinstalls connectors of the user. */
  finishConnectors(): Promise<void>
  /** Stops all; they continue at the next start. */
  close(): Promise<void>
}

export function openOutputRuns(setting: OutputRunsSetting): OutputRuns {
  const { store, world, isEngine } = setting
  const closed = new AbortController()
  let running: Promise<unknown> | undefined
  let finishing: Promise<void> | undefined
  let isReady = false

  async function work(): Promise<void> {
    await setting.ready
    isReady = true
    const { databasePath, jobsFolder, indexesFolder, replicas, archiveFolders } = setting
    const module = new URL('./outputs.thread.ts', import.meta.url)
    while (!closed.signal.aborted) {
      try {
        await world.threads.run<OutputsInput, void, ReportOfOutput>(
          module,
          { databasePath, jobsFolder, indexesFolder, replicas, archiveFolders },
          { signal: closed.signal, lasting: true, onReport: setting.onReport },
        )
      } catch (error) {
        if (closed.signal.aborted) return
        setting.onProblem(error)
        await sleepUnlessAborted(world.clock, restartMs, closed.signal)
      }
    }
  }

  function begin(): void {
    if (isEngine && !closed.signal.aborted)
      running ??= Promise.all([work(), watchStatuses(setting, () => true, closed.signal)])
  }

  async function check(output: string): Promise<Message | undefined> {
    const { databasePath, archiveFolders } = setting
    try {
      return await world.threads.run<OutputCheckInput, Message | undefined>(
        new URL('./outputCheck.thread.ts', import.meta.url),
        { databasePath, archiveFolders, output },
        { signal: closed.signal },
      )
    } catch (error) {
      if (closed.signal.aborted) throw error
      return message('text', { text: messageOf(error) })
    }
  }

  /** One at a time: a module is not installed while it is still being deinstalled. */
  function finish(): Promise<void> {
    finishing = Promise.allSettled([finishing]).then(() => finishConnectors(setting, closed.signal))
    return finishing
  }

  /** Repeats what a kill has interrupted. */
  async function resume(): Promise<void> {
    try {
      await finish()
      setting.onChanged()
    } catch (error) {
      if (!closed.signal.aborted) setting.onProblem(error)
    }
  }

  if (isEngine) void resume()
  if (outputStatements(store).any.get({})) begin()
  return {
    begin,
    check,
    finishConnectors: finish,
    async close() {
      closed.abort(new Error('the engine is closing'))
      await Promise.allSettled([finishing])
      // Before archived files can be read, the thread has not begun.
      if (isReady) await running
    },
  }
}
