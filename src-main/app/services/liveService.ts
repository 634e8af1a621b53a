/** Service `queue` of the contract: shows and changes a job's queue while it runs. */
import type { Loupe } from '../../contract/contract.ts'
import { selectionShape } from '../../contract/services/live.ts'
import type { Jobs, LiveControl } from '../../crawl/crawl.ts'
import type { Signals } from '../signals/signals.ts'

/** Makes the service. `isTrial` counts what an action would change, without changing it. */
export function liveService({
  live,
  signals,
  jobs,
  isWorkedOn,
}: {
  live: LiveControl
  signals: Signals
  jobs: Pick<Jobs, 'show'>
  /** False in a process that only reads an archive on which no other process works either. */
  isWorkedOn: boolean
}): Loupe['queue'] {
  /** Reports the change of a job after the action, unless the action was only a trial. */
  async function reported<T>(job: number, isTrial: boolean, change: Promise<T>): Promise<T> {
    const done = await change
    if (!isTrial) signals.report({ kind: 'changed', job })
    return done
  }
  return {
    async show(given) {
      const queue = await live.show(given)
      return isWorkedOn ? queue : { ...queue, doing: jobs.show(given.job).doing }
    },
    reject: ({ isTrial = false, ...given }) => reported(given.job, isTrial, live.reject({ ...given, isTrial })),
    unreject: (given) => reported(given.job, false, live.unreject(given)),
    drop: ({ isTrial = false, of, ...given }) =>
      reported(given.job, isTrial, live.drop({ ...given, of: selectionShape.parse(of), isTrial })),
    lift: ({ isTrial = false, of, ...given }) =>
      reported(given.job, isTrial, live.lift({ ...given, of: selectionShape.parse(of), isTrial })),
    async priority(given) {
      live.priority(given)
      signals.report({ kind: 'changed', job: given.job })
      return {}
    },
    budgets: ({ isTrial = false, ...given }) => reported(given.job, isTrial, live.budgets({ ...given, isTrial })),
  }
}
