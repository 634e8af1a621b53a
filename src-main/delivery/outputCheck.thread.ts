/** Checks one output in a thread: modules run in none that answers users. */
import type { Message } from '../contract/words/message.ts'
import { openStore } from '../storage/storage.ts'
import type { TaskContext } from '../world/world.ts'
import type { StepEnvironment } from './model/steps.ts'
import { openOutputs } from './outputs/outputs.ts'
import { openOutput } from './outputs/runOutput.ts'
import { failureOf } from './run/failure.ts'
import { timeLimits } from './run/inTime.ts'

/** What is checked. */
export interface OutputCheckInput {
  databasePath: string
  archiveFolders: readonly string[]
  /** Name of the output. */
  output: string
}

/** Time for a check: a user waits for it. */
const checkMsMax = 20_000

/** Returns what is wrong with the output; undefined: nothing. */
export async function task({ world }: TaskContext<never>, input: OutputCheckInput): Promise<Message | undefined> {
  const store = openStore(input.databasePath)
  try {
    const { archiveFolders, output } = input
    // A check reads no document and writes no index.
    const none = { indexesFolder: '', openFile: () => Promise.resolve(undefined), filesOf: () => Promise.resolve([]) }
    const environment: StepEnvironment = { store, world, ...none }
    return await problemOf(environment, openOutputs(store, world.clock).stored(output), archiveFolders)
  } finally {
    store.close()
  }
}

async function problemOf(
  environment: StepEnvironment,
  row: Parameters<typeof openOutput>[1],
  archiveFolders: readonly string[],
): Promise<Message | undefined> {
  const opened = await openOutput(environment, row, archiveFolders)
  if ('problem' in opened) return opened.problem
  const bug = Promise.withResolvers<never>()
  const inTime = timeLimits(environment.world.clock, bug.reject)
  try {
    await inTime(checkMsMax, (signal) => opened.destination.check?.(signal) ?? Promise.resolve())
    return undefined
  } catch (error) {
    return failureOf(error).why
  } finally {
    await opened.close?.()
  }
}
