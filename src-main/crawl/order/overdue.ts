/** Looks after numbers whose results do not come, so that nothing stops the line for ever. */
import { message } from '../../contract/words/message.ts'
import type { World } from '../../world/world.ts'
import type { ReadyDocument } from '../frontier/readyDocuments.ts'
import type { Log } from '../model/jobLog.ts'
import { answerMsMax, handOutMsMax } from '../model/limits.ts'
import type { CommitWindow } from './commitWindow.ts'
import type { Fetchers } from './fetchers.ts'
import type { Numbers } from './issuing.ts'

/** Parameters of `watchOver`. */
export interface WatchSetting {
  window(): Pick<CommitWindow, 'entries' | 'headSinceMs' | 'overdue'>
  numbers: Pick<Numbers, 'documentOf'>
  fetchers: Pick<Fetchers, 'countOf' | 'readyOf'>
  clock: World['clock']
  log: Log
  /** Whether the document waits or is being fetched. */
  isQueued(document: number): boolean
  /** Counts that a number is given again; false if it was given as often as it may be. */
  reschedule(number: number): boolean
  /** Hands a document out again; false if its host may not be asked now. */
  again(ready: ReadyDocument): boolean
  /** Leaves the place of a number empty. */
  giveUp(number: number): void
}

/** Returns the function that looks at the numbers once. */
export function watchOver(setting: WatchSetting): () => void {
  const { numbers, fetchers, log } = setting
  const documentOf = (number: number) => numbers.documentOf(number) ?? 0

  function leaveEmpty(number: number): void {
    log('warning', message('jobLog.order.empty', { number }))
    setting.giveUp(number)
  }

  function giveAgain(number: number): void {
    if (!setting.reschedule(number)) return leaveEmpty(number)
    const ready = fetchers.readyOf(documentOf(number))
    // The host may allow no further connection; then the first answer is waited for.
    if (ready && setting.again(ready)) log('info', message('jobLog.order.again', { number, url: ready.document.url }))
  }

  return () => {
    const nowMs = setting.clock.elapsed()
    const window = setting.window()
    const overdue = window.overdue(nowMs - answerMsMax)
    if (overdue !== undefined && fetchers.countOf(documentOf(overdue)) > 0) return giveAgain(overdue)
    const [head] = window.entries
    if (!head || head.isAcknowledged) return
    const document = documentOf(head.number)
    if (fetchers.countOf(document) > 0) return
    const isStuck = nowMs - Math.max(head.scheduledMs, window.headSinceMs) > handOutMsMax
    if (isStuck || !setting.isQueued(document)) leaveEmpty(head.number)
  }
}
