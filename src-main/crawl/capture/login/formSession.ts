/** The session of a form login: whether there is one, and what an answer says about it. A session may end at any time, and several
 *  documents learn of it at once, so every answer is judged together with the session in which its document was requested. Logs in
 *  and requests nothing itself. */
import type { FormLogin } from '../../../contract/services/login.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import type { Log } from '../../model/jobLog.ts'
import type { SequenceEnd } from './formSequence.ts'
import { loginsInVainMax, loginsUnansweredMax, sentBackTimesMax } from './limits.ts'

/** The session of one area. */
export interface FormSession {
  /** Number of the session that is in use or was used last; 0 if there was none. */
  readonly number: number
  /** False until a login succeeds, and after the session has ended. */
  readonly isOpen: boolean
  /** Why no further login is tried; undefined as long as one may succeed. */
  readonly failure: Message | undefined
  /** Records how a login ended: a new session begins, or the login is given up after a refusal or too many missing answers. */
  loginEnded(end: SequenceEnd): void
  /** Records a document that was fetched in session `seen`. */
  fetched(document: number, seen: number): void
  /** Decides about a document whose answer shows that session `seen` had ended: `again` after the next login; `keep` if the same
   *  answer came right after a login, or too often, which makes it the server's answer to this account. */
  loggedOut(document: number, seen: number): 'keep' | 'again'
}

/** Opens the session. `isOpenBefore`: cookies of an earlier run may still be valid; the first document shows whether they are. */
export function formSession({ page }: Pick<FormLogin, 'page'>, log: Log, isOpenBefore: boolean): FormSession {
  let number = isOpenBefore ? 1 : 0
  let isOpen = isOpenBefore
  let failure: Message | undefined
  let inVainCount = 0
  let unansweredCount = 0
  /** Documents fetched successfully in this session. */
  let fetchedCount = 0
  /** Document id → how often its answer showed an ended session. */
  const sentBack = new Map<number, number>()

  function begin(): void {
    number += 1
    isOpen = true
    fetchedCount = 0
    log('info', message('jobLog.login.in', { url: page }))
  }

  function end(): void {
    isOpen = false
    inVainCount += 1
    if (inVainCount > loginsInVainMax) fail(message('login.inVain'))
    else log('info', message('jobLog.login.expired', { url: page }))
  }

  function fail(why: Message): void {
    if (failure === undefined) log('error', message('jobLog.login.failed', { url: page, why }))
    failure ??= why
  }

  return {
    get number() {
      return number
    },
    get isOpen() {
      return isOpen
    },
    get failure() {
      return failure
    },
    loginEnded(login) {
      if (login.kind === 'stopped') return
      unansweredCount = login.kind === 'unanswered' ? unansweredCount + 1 : 0
      if (login.kind === 'in') begin()
      else if (login.kind === 'refused') fail(login.why)
      else if (unansweredCount >= loginsUnansweredMax)
        fail(message('login.repeatedly', { why: login.why, count: unansweredCount }))
    },
    fetched(document, seen) {
      sentBack.delete(document)
      if (seen !== number) return
      inVainCount = 0
      fetchedCount += 1
    },
    loggedOut(document, seen) {
      const times = sentBack.get(document) ?? 0
      const isCurrent = seen === number && isOpen
      const isFirstOfSession = times > 0 && isCurrent && fetchedCount === 0
      if (isFirstOfSession || times >= sentBackTimesMax) {
        sentBack.delete(document)
        return 'keep'
      }
      sentBack.set(document, times + 1)
      // Other documents of the same session may have shown it already.
      if (isCurrent) end()
      return 'again'
    },
  }
}
