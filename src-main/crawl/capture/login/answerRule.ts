/** Tests whether an answer matches a rule: by its status, by the URL that it leads to, or by its text. */
import type { AnswerRule } from '../../../contract/services/login.ts'
import { locationOf, payloadOf } from '../../../formats/http/http.ts'
import { charsetOfPage, decoded } from '../../../formats/links/charset.ts'
import { contentTypeOf } from '../fetch/outlinks.ts'
import type { Answered } from '../fetch/outcome.ts'
import { pageBytesMax } from './limits.ts'

/** Whether every part of the rule holds. `address` is the URL of the answer, or the target of its redirect. */
export async function isMet(rule: AnswerRule, answered: Answered, address: string): Promise<boolean> {
  if (rule.status !== undefined && answered.head.status !== rule.status) return false
  if (rule.address !== undefined && !address.startsWith(rule.address)) return false
  if (rule.text === undefined && rule.textAbsent === undefined) return true
  const text = await textOf(answered)
  return (
    (rule.text === undefined || text.includes(rule.text)) &&
    (rule.textAbsent === undefined || !text.includes(rule.textAbsent))
  )
}

/** Whether the rule has no parts, so that it would match every answer. */
export function isEmptyRule(rule: AnswerRule): boolean {
  return Object.keys(rule).length === 0
}

/** Target of a redirect; undefined for every other answer. */
export function redirectOf({ head }: Pick<Answered, 'head'>, url: string): string | undefined {
  return head.status >= 300 && head.status < 400 ? locationOf(head, url)?.href : undefined
}

/** The decoded body of an answer, at most `pageBytesMax` bytes of it. */
export async function bodyOf({ head, response }: Answered): Promise<Uint8Array> {
  return payloadOf(await response.head(head.bytes + pageBytesMax), pageBytesMax).entity
}

async function textOf(answered: Answered): Promise<string> {
  const body = await bodyOf(answered)
  return decoded(body, charsetOfPage(body, contentTypeOf(answered.head).charset))
}
