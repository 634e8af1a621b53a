/** One login by a form, from fetching the page with the form to deciding whether the login succeeded. Only the cookies are kept:
 *  the exchanges are not documents and are not written to WARC files. The password is sent only to the server of the page that
 *  the user named, or to the one named as `submitsTo`. */
import { message, type Message } from '../../../contract/words/message.ts'
import type { FormLogin } from '../../../contract/services/login.ts'
import { fieldsOf } from '../../../formats/http/http.ts'
import { formsIn, type PageForm } from '../../../formats/links/forms.ts'
import type { Chance } from '../../../world/world.ts'
import { contentTypeOf } from '../fetch/outlinks.ts'
import type { Answered, HttpOutcome } from '../fetch/outcome.ts'
import type { RequestOptions } from '../fetch/request.ts'
import { bodyOf, isMet, redirectOf, isEmptyRule } from './answerRule.ts'
import type { Cookies } from './cookies.ts'
import { filledIn, submissionOf, type Submission } from './formBody.ts'
import type { Credentials as Secret } from './httpAccess.ts'
import { loginRedirectsMax } from './limits.ts'

/** Settings of `logInByForm`. */
export interface SequenceSetting {
  login: FormLogin
  cookies: Cookies
  chance: Chance
  /** Fetches one URL without following redirects. */
  request(url: string, referrer: string | undefined, options: RequestOptions): Promise<HttpOutcome>
}

/** Result of a login. */
export type SequenceEnd =
  | { kind: 'in' }
  /** The login failed, and trying again will not help. */
  | { kind: 'refused'; why: Message }
  /** The server gave no usable answer; a later attempt may succeed. */
  | { kind: 'unanswered'; why: Message }
  | { kind: 'stopped' }

/** Logs in once. Faults of the server or the network do not reject, but end as `unanswered` or `refused`. */
export async function logInByForm(setting: SequenceSetting, secret: Secret): Promise<SequenceEnd> {
  const { login, chance } = setting
  const page = await follow(setting, { url: login.page, options: {} }, undefined)
  if ('kind' in page) return page
  const form = await formIn(page, login)
  await page.answered.response.discard()
  if (!form) return { kind: 'refused', why: message('login.noForm', { url: page.url, user: login.userField, password: login.passwordField }) } // prettier-ignore
  const { origin } = new URL(form.action)
  if (!placesOf(login).has(origin)) return { kind: 'refused', why: message('login.sendsElsewhere', { origin }) } // prettier-ignore
  const { userField, passwordField, otherFields } = login
  const fields = filledIn(form, { ...otherFields, [userField]: secret.user, [passwordField]: secret.password })
  const submission = submissionOf(form, fields, `loupe-${chance.uuid()}`)
  const end = await follow(setting, withOrigin(submission, page.url), page.url)
  if ('kind' in end) return end
  const isIn = await hasSucceeded(end, login)
  await end.answered.response.discard()
  return isIn ? { kind: 'in' } : { kind: 'refused', why: message('login.rejected', { url: login.page }) }
}

/** Origins to which the password may be sent. */
function placesOf({ page, submitsTo }: FormLogin): Set<string> {
  return new Set([page, ...(submitsTo === undefined ? [] : [submitsTo])].map((address) => new URL(address).origin))
}

/** Adds the Origin field (RFC 6454 section 7), which servers check to detect forged requests. */
function withOrigin({ url, options }: Submission, page: string): Submission {
  const fields = [...(options.fields ?? []), ...(options.method === 'POST' ? [['Origin', new URL(page).origin] as const] : [])] // prettier-ignore
  return { url, options: { ...options, fields } }
}

interface Reached {
  url: string
  answered: Answered
}

/** Sends the request and follows redirects to the end, at most `loginRedirectsMax`. */
async function follow(
  setting: SequenceSetting,
  first: Submission,
  referrer: string | undefined,
): Promise<Reached | Exclude<SequenceEnd, { kind: 'in' | 'refused' }> | { kind: 'refused'; why: Message }> {
  const { cookies, login } = setting
  let { url, options } = first
  let isSecret = referrer !== undefined
  for (let redirects = 0; redirects <= loginRedirectsMax; redirects++) {
    const cookie = cookies.fieldFor(url)
    const fields = [...(options.fields ?? []), ...(cookie === undefined ? [] : [['Cookie', cookie] as const])]
    const guarded = (isSecret || cookie !== undefined) && !login.untrusted
    const outcome = await setting.request(url, referrer, { ...options, fields, isSecret: guarded })
    if (outcome.kind === 'failed') return unanswered(outcome, url)
    const { head } = outcome
    cookies.take(url, fieldsOf(head, 'set-cookie'))
    const next = redirectOf(outcome, url)
    if (next === undefined) {
      if (head.status < 500 && head.status !== 429) return { url, answered: outcome }
      await outcome.response.discard()
      return {
        kind: 'unanswered',
        why: message('login.answered', { origin: new URL(url).origin, status: head.status }),
      }
    }
    await outcome.response.discard()
    // RFC 9110 section 15.4: 307 and 308 repeat the request with its body; after any other redirect a plain GET follows.
    const isRepeated = options.method === 'POST' && (head.status === 307 || head.status === 308)
    if (isRepeated && !placesOf(login).has(new URL(next).origin))
      return { kind: 'refused', why: message('login.sentOn', { origin: new URL(next).origin }) } // prettier-ignore
    if (!isRepeated) {
      options = {}
      isSecret = false
    }
    url = next
  }
  return { kind: 'unanswered', why: message('login.redirects', { url: login.page }) }
}

/** Describes a failure without the full URL, which holds the password if the form is submitted by GET. */
function unanswered(
  outcome: Extract<HttpOutcome, { kind: 'failed' }>,
  url: string,
): SequenceEnd & { kind: 'unanswered' | 'stopped' | 'refused' } {
  // prettier-ignore
  if (outcome.reason === 'jobStopped') return { kind: 'stopped' }
  const why = message('login.unanswered', { origin: URL.parse(url)?.origin ?? '', why: outcome.detail })
  return { kind: outcome.reason === 'tlsFailed' ? 'refused' : 'unanswered', why }
}

async function formIn(
  { url, answered }: Reached,
  { userField, passwordField }: FormLogin,
): Promise<PageForm | undefined> {
  const forms = formsIn({ url, body: await bodyOf(answered), charset: contentTypeOf(answered.head).charset })
  return forms.find(({ names }) => names.has(userField) && names.has(passwordField))
}

/** Whether the login succeeded. Without a rule: the answer is no error and does not contain the form again. */
async function hasSucceeded(end: Reached, login: FormLogin): Promise<boolean> {
  if (!isEmptyRule(login.success)) return isMet(login.success, end.answered, end.url)
  return end.answered.head.status < 400 && (await formIn(end, login)) === undefined
}
