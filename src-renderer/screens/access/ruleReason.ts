/** Why a security rule allows or denies captures to a user. */
import type { SecurityRule } from '../../../src-main/contract/services/security.ts'
import type { Translate } from '../../words/words.tsx'

/** ManifoldCF's name of the token of an authority that gave no answer. */
const unreachableToken = 'DEAD_AUTHORITY'

/** The tokens of a group among those of a user, each as GROUP:TOKEN in the form encoding. */
export function tokensOfGroup(tokens: readonly string[], group: string): string[] {
  return tokens.flatMap((token) => {
    const [ofGroup = '', name = ''] = token.split(':').map(decoded)
    return ofGroup === group ? [name] : []
  })
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

/** One sentence. `held`: the user's tokens of the rule's group. The first reason counts, in the order of the engine. */
export function ruleReason(t: Translate, { allow, deny }: SecurityRule, held: readonly string[]): string {
  const among = (tokens: readonly string[]) => tokens.filter((token) => held.includes(token))
  const named = (tokens: readonly string[]) => ({ tokens: tokens.join(', ') })
  if (held.includes(unreachableToken)) return t('userAccess.why.unreachable')
  const denied = among(deny)
  if (denied.length > 0) return t('userAccess.why.denied', named(denied))
  const allowed = among(allow)
  if (allowed.length > 0) return t('userAccess.why.allowed', named(allowed))
  return allow.length === 0 ? t('userAccess.why.nothing') : t('userAccess.why.lacks', named(allow))
}
