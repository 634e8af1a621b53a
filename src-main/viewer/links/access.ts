/** Applies the access rules. A blocked URL is answered with 451 (RFC 7725). An excluded one looks as if it had never been captured, and is not a
 *  finding. Captures that the caller may not see are in no later link; here it is said that they are restricted, if that is wanted. */
import { message } from '../../contract/words/message.ts'
import { accessTo, type AccessRule } from '../model/accessRules.ts'
import { isHidden } from '../replay/captures.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { Link } from '../viewings/question.ts'
import { plainReply, type Reply } from '../model/reply.ts'

export const access = ({ accessRules, isRefusalSaid }: Pick<ChainParts, 'accessRules' | 'isRefusalSaid'>): Link => ({
  name: 'access',
  whyPassed: () => message('viewer.step.access'),
  async answer(question) {
    const reply = keptBack(question.url, accessRules())
    return reply ?? (isRefusalSaid() && (await isHidden(question)) ? restricted() : undefined)
  },
})

/** The reply that says that the caller may not see a capture. */
export function restricted(): Reply {
  return plainReply(403, message('viewer.restricted'), [['X-Loupe', 'restricted']])
}

/** The reply for a URL that must not be shown. Undefined: no rule applies. */
export function keptBack(url: string, accessRules: readonly AccessRule[]): Reply | undefined {
  const effect = accessTo(url, accessRules)
  if (effect === 'block') return plainReply(451, message('viewer.blocked'), [['X-Loupe', 'blocked']])
  if (effect === 'exclude') return plainReply(404, message('viewer.excluded'), [['X-Loupe', 'excluded']])
  return undefined
}
