/** A thread with a loaded batch module, reused from file to file. If the module exceeds its time limit or ends its thread, the step
 *  reports that; the thread and the module's state are then lost. */
import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import { DiskFault, type OwnThread, type World } from '../../world/world.ts'
import { deadline } from './deadline.ts'
import type { ModulePlace } from './modulePlace.ts'
import type { BatchStep, StepEnd } from './batchStep.thread.ts'
import type { BatchLimits } from './limits.ts'
import { messageOf } from '../../contract/text/messageOf.ts'

/** Outcome of a step. `died`: the thread ended, with the reason. `cut`: the run was stopped. */
export type StepOutcome = { kind: 'ended'; end: StepEnd } | { kind: 'died'; text: string } | { kind: 'cut' }

export interface StepWatch {
  /** Signal of the run. */
  signal: AbortSignal
  msMax: number
  onBytes?: (bytes: number) => void
}

/** A thread that runs the steps of a module one by one. */
export interface BatchThread {
  readonly thread: OwnThread
  step(step: BatchStep, watch: StepWatch): Promise<StepOutcome>
}

const module = new URL('./batchStep.thread.ts', import.meta.url)

export function batchThread(world: World, limits: BatchLimits): BatchThread {
  const thread = world.threads.own(limits)
  return {
    thread,
    async step(step, { signal, msMax, onBytes }) {
      const time = deadline(world.clock, msMax)
      const options = { signal: AbortSignal.any([signal, time.signal]), ...(onBytes && { onReport: onBytes }) }
      try {
        return { kind: 'ended', end: await thread.run<BatchStep, StepEnd, number>(module, step, options) }
      } catch (error) {
        thread.close()
        if (signal.aborted) return { kind: 'cut' }
        if (time.signal.aborted)
          return { kind: 'died', text: textOf(message('batch.file.time', { seconds: msMax / 1_000 })) }
        // A failed write of the output is not the module's fault.
        if (error instanceof DiskFault) throw error
        return { kind: 'died', text: deathText(error) }
      } finally {
        await time.end()
      }
    },
  }
}

export function loadStep(place: ModulePlace): BatchStep {
  return { step: 'load', module: place }
}

function deathText(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return textOf(message('batch.file.memory'))
  return textOf(message('batch.file.thread', { problem: messageOf(error) }))
}
