/** Waits until the outputs of a job were told that it has ended. Their thread tells them when they have the documents of the job; the database
 *  says what has become of it. A job rests in the end whatever they answer: a notice is a nicety, as in ManifoldCF. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { OutputNoticeKind } from '../../contract/states/outputStates.ts'
import { message } from '../../contract/words/message.ts'
import { outputsToldMsMax, pollMs } from '../model/limits.ts'
import type { Engine } from './engine.ts'

/** The end of a run, or of a job. */
export interface End {
  job: number
  run: number
  kind: OutputNoticeKind
}

/** Asks that the outputs of a job be told of its end. Does nothing if that was asked for before. */
export function announceEnd({ ends, rowOf, world }: Engine, job: number, kind: OutputNoticeKind): End {
  const end = { job, run: rowOf(job).run, kind }
  ends.announce({ ...end, nowMs: world.clock.now() })
  return end
}

/** Resolves when all outputs were told, have failed, or are late; the log of the job says which. Notices of those that are late stay. */
export async function outputsTold(engine: Engine, end: End, signal: AbortSignal): Promise<void> {
  const { ends, world } = engine
  const untilMs = world.clock.elapsed() + outputsToldMsMax
  const waiting = () => ends.notices(end).filter(({ state }) => state === 'WAITING')
  while (!signal.aborted && waiting().length > 0 && world.clock.elapsed() < untilMs)
    await sleepUnlessAborted(world.clock, pollMs, signal)
  if (signal.aborted) return
  for (const { output: name, state, problem } of ends.notices(end)) {
    if (state === 'WAITING')
      engine.log(end.job, 'warning', message('output.late', { name, minutes: outputsToldMsMax / 60_000 }))
    if (state === 'FAILED' && problem) engine.log(end.job, 'warning', message('output.notTold', { name, problem }))
  }
}
