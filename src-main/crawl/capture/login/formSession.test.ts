import { expect, test } from 'vitest'
import { message, type Message } from '../../../contract/words/message.ts'
import { formSession } from './formSession.ts'
import { loginsInVainMax, loginsUnansweredMax, sentBackTimesMax } from './limits.ts'

function opened(isOpenBefore = false) {
  const log: Message[] = []
  const session = formSession({ page: 'https://a.test/login' }, (_level, line) => log.push(line), isOpenBefore)
  return { session, log: () => log.map(({ code }) => code) }
}

test('cookies of an earlier run count as a session until a document shows that it has ended', () => {
  const { session } = opened(true)
  expect([session.number, session.isOpen]).toEqual([1, true])
  expect(session.loggedOut(7, 1)).toBe('again')
  expect([session.number, session.isOpen]).toEqual([1, false])
})

test('several documents that show the same ended session end it once', () => {
  const { session, log } = opened()
  session.loginEnded({ kind: 'in' })
  for (const document of [1, 2, 3]) expect(session.loggedOut(document, 1)).toBe('again')
  expect(log()).toEqual(['jobLog.login.in', 'jobLog.login.expired'])
  session.loginEnded({ kind: 'in' })
  // Requested before the second login, so its response does not concern the current session.
  expect(session.loggedOut(4, 1)).toBe('again')
  expect(session.isOpen).toBe(true)
})

test('the first response after a login is kept even if it shows no session again', () => {
  const { session } = opened(true)
  expect(session.loggedOut(7, 1)).toBe('again')
  session.loginEnded({ kind: 'in' })
  expect(session.loggedOut(7, 2)).toBe('keep')
  expect(session.isOpen).toBe(true)
})

test('a document is not sent back forever', () => {
  const { session } = opened()
  for (let times = 0; times < sentBackTimesMax; times += 1) {
    session.loginEnded({ kind: 'in' })
    session.fetched(1, session.number)
    expect(session.loggedOut(7, session.number)).toBe('again')
  }
  session.loginEnded({ kind: 'in' })
  session.fetched(1, session.number)
  expect(session.loggedOut(7, session.number)).toBe('keep')
})

test('the login fails when pages show no session after every login', () => {
  const { session, log } = opened()
  for (let times = 0; times <= loginsInVainMax; times += 1) {
    expect(session.failure).toBeUndefined()
    session.loginEnded({ kind: 'in' })
    session.loggedOut(times, session.number)
  }
  expect(session.failure).toBeDefined()
  expect(log().at(-1)).toBe('jobLog.login.failed')
})

test('missing answers fail the login only when there are many in a row', () => {
  const { session } = opened()
  const miss = (times: number) => {
    for (let count = 0; count < times; count += 1)
      session.loginEnded({ kind: 'unanswered', why: message('login.redirects', { url: 'https://a.test/login' }) })
  }
  miss(loginsUnansweredMax - 1)
  session.loginEnded({ kind: 'in' })
  miss(loginsUnansweredMax - 1)
  expect(session.failure).toBeUndefined()
  miss(1)
  expect(session.failure?.code).toBe('login.repeatedly')
})

test('a stop of the job changes nothing, and a refusal is final', () => {
  const { session } = opened()
  session.loginEnded({ kind: 'stopped' })
  expect([session.number, session.failure]).toEqual([0, undefined])
  session.loginEnded({ kind: 'refused', why: message('login.notAccepted') })
  expect(session.failure).toEqual(message('login.notAccepted'))
})
