/** What must not be shown, by rules over SURT prefixes: a blocked address says so (RFC 7725), an excluded one is as if it had never
 *  been captured, and is no finding. */
import { accessTo, type AccessRule } from '../model/accessRules.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { Link } from '../viewings/question.ts'
import { plainReply, type Reply } from '../model/reply.ts'

export const access = ({ accessRules }: Pick<ChainParts, 'accessRules'>): Link => ({
  name: 'access',
  whyPassed: () => 'No rule keeps it back.',
  answer: async ({ url }) => keptBack(url, accessRules()),
})

/** Undefined: no rule keeps it back. */
export function keptBack(url: string, accessRules: readonly AccessRule[]): Reply | undefined {
  const effect = accessTo(url, accessRules)
  if (effect === 'block')
    return plainReply(451, 'This address is blocked by a rule of this archive.', [['X-Loupe', 'blocked']])
  if (effect === 'exclude') return plainReply(404, 'This address is not shown.', [['X-Loupe', 'excluded']])
  return undefined
}
