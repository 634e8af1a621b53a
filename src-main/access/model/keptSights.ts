/** Sights of the last users: every request of a browser needs one, and rules and tokens seldom change. */
import type { SecurityRule } from '../../contract/services/security.ts'
import { sightOf, type Sight } from './security.ts'

/** Users with different tokens whose sight is kept. */
const sightsMax = 1_000

/** Makes a function that returns what a user with these tokens, each as GROUP:TOKEN, may see. */
export function keptSights(): (rules: readonly SecurityRule[], tokens: readonly string[]) => Sight {
  let current: readonly SecurityRule[] = []
  const kept = new Map<string, Sight>()
  return (rules, tokens) => {
    if (rules !== current || kept.size >= sightsMax) kept.clear()
    current = rules
    const key = JSON.stringify(tokens)
    const known = kept.get(key)
    if (known) return known
    const sight = sightOf(rules, new Set(tokens))
    kept.set(key, sight)
    return sight
  }
}
