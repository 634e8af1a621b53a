/** An area protected by a login form: one login gives access to all its documents, by the cookies that it sets. The first
 *  document triggers the login; the others are put back and not handed out meanwhile. A document whose answer shows that the
 *  session has ended waits for the next login, and no attempt is counted. If it is the first one fetched after a login and its
 *  answer shows the same again, that is the server's answer to this account, and is kept. */
import { message, type Message } from '../../../contract/words/message.ts'
import type { FormLogin } from '../../../contract/services/login.ts'
import { stopwatch } from '../../../world/stopwatch.ts'
import type { Clock } from '../../../world/world.ts'
import type { Answered, Failed } from '../fetch/outcome.ts'
import { isMet, redirectOf, isEmptyRule } from './answerRule.ts'
import { beginsWith, placeOf } from './areas.ts'
import type { Cookies } from './cookies.ts'
import { logInByForm, type SequenceEnd, type SequenceSetting } from './formSequence.ts'
import { formSession, type FormSession } from './formSession.ts'
import type { Area, AreaSetting } from './loginArea.ts'

/** Settings of `formArea`. */
export interface FormAreaSetting extends AreaSetting, Pick<SequenceSetting, 'request'> {
  login: FormLogin
  cookies: Cookies
  /** Called around every login: documents that need it are held back from its beginning to its end. */
  sequence: {
    begin(): void
    end(): void
    /** Makes the document wait for this login and all later ones. */
    wait(document: number): void
  }
  clock: Pick<Clock, 'now' | 'elapsed'>
}

const resultOf = { in: 'loggedIn', refused: 'loginFailed', unanswered: 'loginUnavailable' } as const

/** Creates the area of a form login. */
export function formArea(setting: FormAreaSetting): Area {
  const { login, cookies, log } = setting
  const hasCookie = cookies.fieldFor(login.urls[0] ?? login.page) !== undefined
  const session = formSession(login, log, hasCookie)
  const enter = entrance(setting, session)
  return {
    async fetch({ id, url }, send) {
      const blocker = await enter(id)
      if (blocker) return blocker
      const seen = session.number
      const outcome = await send({ isSecret: !login.untrusted })
      if (outcome.kind === 'failed') return outcome
      if (!(await isLoggedOut(login, outcome, url))) {
        session.fetched(id, seen)
        return outcome
      }
      if (session.loggedOut(id, seen) === 'keep') return outcome
      await outcome.response.discard()
      return failure(setting, 'loggedOut', message('login.sessionEnded'))
    },
  }
}

/** Returns the function that logs in if necessary. It resolves with why the document cannot be fetched now; undefined if there is
 *  a session. */
function entrance(setting: FormAreaSetting, session: FormSession): (id: number) => Promise<Failed | undefined> {
  let running: Promise<SequenceEnd> | undefined
  return async (id) => {
    if (session.failure === undefined && !session.isOpen) {
      setting.sequence.wait(id)
      if (running) return failure(setting, 'loggedOut', message('login.waiting'))
      running = logIn(setting, session).finally(() => (running = undefined))
      const end = await running
      if (end.kind === 'stopped') return failure(setting, 'jobStopped', message('login.stopped'))
      if (end.kind === 'unanswered' && session.failure === undefined)
        return failure(setting, 'loginUnavailable', end.why)
    }
    return session.failure === undefined ? undefined : failure(setting, 'loginFailed', session.failure)
  }
}

/** Logs in once, and records it in the session and in the history. */
async function logIn(setting: FormAreaSetting, session: FormSession): Promise<SequenceEnd> {
  const { login, clock } = setting
  setting.sequence.begin()
  const startMs = clock.now()
  const durationMs = stopwatch(clock)
  try {
    const found = await setting.credentials.secretOf(login.credential)
    const end: SequenceEnd =
      'why' in found ? { kind: 'refused', why: found.why } : await logInByForm(setting, found.secret)
    session.loginEnded(end)
    const why = 'why' in end ? { why: end.why } : {}
    const when = { startMs, durationMs: durationMs() }
    if (end.kind !== 'stopped') setting.note({ address: login.page, result: resultOf[end.kind], ...why, when })
    return end
  } finally {
    setting.sequence.end()
  }
}

/** Whether the answer shows that there is no session. Without a rule: a 401, or a redirect to the page of the login. */
async function isLoggedOut({ loggedOut, page }: FormLogin, answered: Answered, url: string): Promise<boolean> {
  const next = redirectOf(answered, url)
  if (!isEmptyRule(loggedOut)) return isMet(loggedOut, answered, next ?? url)
  return answered.head.status === 401 || (next !== undefined && beginsWith(next, placeOf(page)))
}

function failure({ clock }: Pick<FormAreaSetting, 'clock'>, reason: Failed['reason'], detail: Message): Failed {
  return { kind: 'failed', reason, detail, startedMs: clock.now(), durationMs: 0 }
}
