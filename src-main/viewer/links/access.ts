/** Applies the access rules, and hides captures that the caller may not see. A blocked URL is answered with 451 (RFC 7725). An excluded or
 *  hidden one looks as if it had never been captured, and is not a finding. */
import { message } from '../../contract/words/message.ts'
import { accessTo, type AccessRule } from '../model/accessRules.ts'
import { askedOf } from '../replay/captures.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { Link } from '../viewings/question.ts'
import { plainReply, type Reply } from '../model/reply.ts'

export const access = ({ accessRules, isRefusalSaid }: Pick<ChainParts, 'accessRules' | 'isRefusalSaid'>): Link => ({
  name: 'access',
  whyPassed: () => message('viewer.step.access'),
  async answer(question) {
    const reply = keptBack(question.url, accessRules())
    if (reply || question.sight.everything) return reply
    const asked = await askedOf(question)
    return asked && question.isHidden(asked) ? refusedReply(isRefusalSaid()) : undefined
  },
})

/** The reply for a capture that the caller may not see: it looks as if it had not been captured, or says that it is restricted. */
export function refusedReply(isSaid: boolean): Reply {
  return isSaid
    ? plainReply(403, message('viewer.restricted'), [['X-Loupe', 'restricted']])
    : plainReply(404, message('viewer.excluded'), [['X-Loupe', 'excluded']])
}

/** The reply for a URL that must not be shown. Undefined: no rule applies. */
export function keptBack(url: string, accessRules: readonly AccessRule[]): Reply | undefined {
  const effect = accessTo(url, accessRules)
  if (effect === 'block') return plainReply(451, message('viewer.blocked'), [['X-Loupe', 'blocked']])
  if (effect === 'exclude') return plainReply(404, message('viewer.excluded'), [['X-Loupe', 'excluded']])
  return undefined
}
