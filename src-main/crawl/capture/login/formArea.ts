/** An area protected by a login form: one login gives access to all its documents, by the cookies that it sets. The first
 *  document triggers the login; the others are put back and not handed out meanwhile. A document whose answer shows that the
 *  session has ended waits for the next login, and no attempt is counted. If it is the first one fetched after a login and its
 *  answer shows the same again, that is the server's answer to this account, and is kept. */
import { message } from '../../../contract/words/message.ts'
import type { FormLogin } from '../../../contract/services/login.ts'
import { stopwatch } from '../../../world/stopwatch.ts'
import type { Clock } from '../../../world/world.ts'
import type { Answered, Failed } from '../fetch/fetch.ts'
import { isMet, redirectOf, isEmptyRule } from './answerRule.ts'
import { beginsWith, placeOf } from './areas.ts'
import type { Cookies } from './cookies.ts'
import { logInByForm, type SequenceEnd, type SequenceSetting } from './formSequence.ts'
import type { Area, AreaSetting } from './httpArea.ts'
import { loginsInVainMax, loginsUnansweredMax, sentBackTimesMax } from './limits.ts'

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
  /** Number of sessions so far. A session left by an earlier run may still be valid: the first document shows whether it is. */
  let session = cookies.fieldFor(login.urls[0] ?? login.page) === undefined ? 0 : 1
  let isIn = session > 0
  let running: Promise<SequenceEnd> | undefined
  let failure: string | undefined
  let inVainCount = 0
  let unansweredCount = 0
  /** Document id → how often its answer showed an ended session. */
  const sentBack = new Map<number, number>()
  /** Number of documents fetched successfully in this session. */
  let hadCount = 0

  async function logIn(): Promise<SequenceEnd> {
    setting.sequence.begin()
    const startMs = setting.clock.now()
    const durationMs = stopwatch(setting.clock)
    try {
      const found = await setting.credentials.secretOf(login.credential)
      const end: SequenceEnd =
        'why' in found ? { kind: 'refused', why: found.why } : await logInByForm(setting, found.secret)
      note(end)
      const why = 'why' in end ? { why: end.why } : {}
      const when = { startMs, durationMs: durationMs() }
      if (end.kind !== 'stopped') setting.note({ address: login.page, result: resultOf[end.kind], ...why, when })
      return end
    } finally {
      setting.sequence.end()
    }
  }

  function note(end: SequenceEnd): void {
    if (end.kind === 'stopped') return
    unansweredCount = end.kind === 'unanswered' ? unansweredCount + 1 : 0
    if (end.kind === 'in') {
      session += 1
      isIn = true
      hadCount = 0
      log('info', message('jobLog.login.in', { url: login.page }))
    } else if (end.kind === 'refused') fail(end.why)
    else if (unansweredCount >= loginsUnansweredMax) fail(`${end.why}, ${unansweredCount} times in a row`)
  }

  function fail(why: string): void {
    if (failure === undefined) log('error', message('jobLog.login.failed', { url: login.page, why }))
    failure ??= why
  }

  async function isLoggedOut(answered: Answered, url: string): Promise<boolean> {
    const next = redirectOf(answered, url)
    if (!isEmptyRule(login.loggedOut)) return isMet(login.loggedOut, answered, next ?? url)
    return answered.head.status === 401 || (next !== undefined && beginsWith(next, placeOf(login.page)))
  }

  function afterLoggedOut(id: number, seen: number): 'keep' | 'again' {
    const times = sentBack.get(id) ?? 0
    const isItsOwn = times > 0 && seen === session && isIn && hadCount === 0
    if (isItsOwn || times >= sentBackTimesMax) {
      sentBack.delete(id)
      return 'keep'
    }
    sentBack.set(id, times + 1)
    if (seen === session && isIn) {
      isIn = false
      inVainCount += 1
      if (inVainCount > loginsInVainMax) fail('pages show that nobody is logged in right after every login')
      else log('info', message('jobLog.login.expired', { url: login.page }))
    }
    return 'again'
  }

  const failed = (reason: Failed['reason'], detail: string): Failed => ({
    kind: 'failed',
    reason,
    detail,
    startedMs: setting.clock.now(),
    durationMs: 0,
  })

  /** Logs in if necessary. Returns why the document cannot be fetched now; undefined if there is a session. */
  async function enter(id: number): Promise<Failed | undefined> {
    if (failure === undefined && !isIn) {
      setting.sequence.wait(id)
      if (running) return failed('loggedOut', 'somebody is logging in')
      running = logIn().finally(() => (running = undefined))
      const end = await running
      if (end.kind === 'stopped') return failed('jobStopped', 'stopped while logging in')
      if (end.kind === 'unanswered' && failure === undefined) return failed('loginUnavailable', end.why)
    }
    return failure === undefined ? undefined : failed('loginFailed', failure)
  }

  return {
    async fetch({ id, url }, send) {
      const blocker = await enter(id)
      if (blocker) return blocker
      const seen = session
      const outcome = await send({ isSecret: !login.untrusted })
      if (outcome.kind === 'failed') return outcome
      if (!(await isLoggedOut(outcome, url))) {
        sentBack.delete(id)
        if (seen === session) {
          inVainCount = 0
          hadCount += 1
        }
        return outcome
      }
      if (afterLoggedOut(id, seen) === 'keep') return outcome
      await outcome.response.discard()
      return failed('loggedOut', 'the session had ended')
    },
  }
}
