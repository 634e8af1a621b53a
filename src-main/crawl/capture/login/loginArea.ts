/** The interface that every kind of login implements (`httpArea.ts`, `formArea.ts`): an area fetches its documents through the
 *  login. `logins.ts` chooses the area of a document. */
import type { Message } from '../../../contract/words/message.ts'
import type { Chance } from '../../../world/world.ts'
import type { Log } from '../../model/jobLog.ts'
import type { RequestOptions } from '../fetch/request.ts'
import type { Failed, HttpOutcome } from '../fetch/outcome.ts'
import type { Credentials } from './credentials.ts'

/** Documents that one login gives access to. */
export interface Area {
  /** Fetches a document through the login. `send` makes one request for it, with the given options. */
  fetch(document: { id: number; url: string }, send: Send): Promise<HttpOutcome | LoginFailed>
}

/** Requests the document once. */
export type Send = (options: RequestOptions) => Promise<HttpOutcome>

/** The login failed, so the document cannot be fetched; `detail` explains to the user why. */
export interface LoginFailed {
  kind: 'loginFailed'
  detail: Message
}

/** Settings that every kind of area needs. */
export interface AreaSetting {
  credentials: Pick<Credentials, 'secretOf'>
  chance: Chance
  log: Log
  /** Adds a login to the history. `when` is absent if the login was part of the request of a document. */
  note(login: { address: string; result: LoginResult; why?: Message; when?: LoginTime }): void
}

/** When a login began, by the wall clock, and how long it took. */
export interface LoginTime {
  startMs: number
  durationMs: number
}

/** Result of a login, as recorded in the history. */
export type LoginResult = 'loggedIn' | 'loginFailed' | 'loginUnavailable'

/** Converts a failed login to the outcome of a fetch. */
export function failedOf(outcome: LoginFailed, startedMs: number): Failed {
  return { kind: 'failed', reason: 'loginFailed', detail: outcome.detail, startedMs, durationMs: 0 }
}
