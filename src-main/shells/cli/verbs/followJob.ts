/**
 * Follows a job until it ends, or until Ctrl-C. A problem that keeps this process's engine from working on the job ends the command, which
 * would otherwise wait forever; problems of another engine are only reported.
 */
import type { JobSummary } from '../../../contract/services/jobSummary.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { phaseOf } from '../../../contract/states/jobStates.ts'
import { stopped, type Command } from '../session/command.ts'
import type { Session } from '../session/session.ts'
import { refuseWhenBlocked } from './blockedJob.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

/** Interval after which the job is queried when no event has told that its state has changed. Events are hints; only the state of the job is
 *  decisive. A query counts the URLs of the job, so it is not made for each of the events, which come three times a second. */
const checkEveryMs = 1_000

export interface FollowedJob {
  job: number
  /** Whether the job was found paused or pausing: running the command again resumes it. */
  goOn: boolean
  /**
   * Called before each query of the state, so that what is logged by then is printed before the end of the job. Returns the function that
   * prints it.
   */
  before?: () => Promise<(summary: JobSummary) => void>
  progressText: (summary: JobSummary) => string
}

export async function followJob(
  { output, signal }: Command,
  { services, own }: Session,
  { job, goOn, before, progressText }: FollowedJob,
): Promise<'ended' | 'stopped'> {
  const ctrlC = stopped(signal)
  let ring = () => {}
  let paused = false
  let resumes = goOn
  let fatal: Fault | undefined
  let known: JobSummary['state'] | undefined
  const ends = [
    services.jobs.changed((summary) => {
      if (summary.job !== job) return
      if (summary.state === known && summary.ended === null) output.progress(progressText(summary))
      else ring()
    }),
    services.system.problem(({ message: problem, code, of, job: whose }) => {
      if (own && of === 'crawl' && (whose === job || whose === null)) fatal = new Fault(code, problem)
      else output.note(textOf(problem))
      ring()
    }),
  ]
  try {
    for (;;) {
      const { promise, resolve } = Promise.withResolvers<void>()
      ring = resolve
      if (fatal) throw fatal
      const reportState = await before?.()
      const summary = await services.jobs.show({ job })
      reportState?.(summary)
      known = summary.state
      if (summary.ended !== null && phaseOf(summary.state) === 'resting') return 'ended'
      if (signal.aborted) return 'stopped'
      if (resumes && summary.state === 'PAUSED') {
        resumes = false
        await services.jobs.resume({ job })
        continue
      }
      if (own) refuseWhenBlocked(summary)
      if (summary.state === 'PAUSED' && !paused) output.note(textOf(message('cli.job.paused', { job })))
      paused = summary.state === 'PAUSED'
      output.progress(progressText(summary))
      const timer = setTimeout(resolve, checkEveryMs)
      await Promise.race([promise, ctrlC])
      clearTimeout(timer)
    }
  } finally {
    for (const end of ends) end()
  }
}
