/** Tells an output that jobs have ended, after the documents of the job. A notice is repeated after a failure or a kill, and given up after
 *  some attempts: it is no document, and nothing is lost with it. */
import { storedMessage, type Message } from '../../contract/words/message.ts'
import { mover } from '../../storage/guard.ts'
import { outputNoticeStates } from '../../contract/states/outputStates.ts'
import type { Store } from '../../storage/storage.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { Clock } from '../../world/world.ts'
import type { Destination } from '../model/steps.ts'
import { failureOf } from '../run/failure.ts'
import { timeLimits } from '../run/inTime.ts'
import { noticeStatements, type NoticeRow } from './notices.sql.ts'

/** Attempts before a notice is given up. */
const attemptsMax = 5
/** Time between two looks for notices. */
const lookMs = 500
/** Time for one notice. */
const timeoutMs = 120_000

interface NoticesSetting {
  store: Store
  clock: Clock
  output: number
  destination: Destination
  /** Pause before a notice that has failed is repeated. */
  retryDelayMs: number
  /** Called when a notice is given up. */
  onGivenUp(job: number, why: Message): void
  signal: AbortSignal
}

/** Tells the output until the signal is aborted. Rejects with bugs only. */
export async function tellOfEnds(setting: NoticesSetting): Promise<void> {
  const { store, clock, output, destination, signal } = setting
  const move = mover(store, outputNoticeStates, { table: 'output_notice' })
  const { ready, failed } = noticeStatements(store)
  const bug = Promise.withResolvers<never>()
  const inTime = timeLimits(clock, bug.reject)

  async function tell({ id, job, kind, attempts }: NoticeRow): Promise<void> {
    try {
      await inTime(timeoutMs, (limit) => destination.completed?.({ job, kind }, limit))
      move(id, 'told')
    } catch (error) {
      const { why } = failureOf(error)
      const isLast = attempts + 1 >= attemptsMax
      store.transaction(() => {
        failed.run({ id, dueMs: clock.now() + setting.retryDelayMs, why: storedMessage(why) })
        if (isLast) move(id, 'givenUp')
      })
      if (isLast) setting.onGivenUp(job, why)
    }
  }

  async function look(): Promise<void> {
    while (!signal.aborted) {
      for (const notice of ready.all({ output, nowMs: clock.now() })) {
        if (signal.aborted) return
        await tell(notice)
      }
      await sleepUnlessAborted(clock, lookMs, signal)
    }
  }

  await Promise.race([look(), bug.promise])
}
