/** What may be shown, by rules over SURT prefixes. The longest prefix that fits decides, so a part of what is kept back can be let
 *  through; between equally long ones the later. Pure. */
import { surt } from '../../formats/cdx/surt.ts'

export type AccessEffect = 'block' | 'exclude' | 'allow'

export interface AccessRule {
  /** As a SURT: `com,example)/private/`, or `com,example` for the host and every host below it. */
  surtPrefix: string
  effect: AccessEffect
}

export function accessTo(url: string, rules: readonly AccessRule[]): AccessEffect {
  if (rules.length === 0) return 'allow'
  const key = surt(url)
  let decided: AccessRule | undefined
  for (const rule of rules)
    if (fits(key, rule.surtPrefix) && rule.surtPrefix.length >= (decided?.surtPrefix.length ?? 0)) decided = rule
  return decided?.effect ?? 'allow'
}

/** Neither blocked nor excluded. */
export function isAllowed(url: string, rules: readonly AccessRule[]): boolean {
  return accessTo(url, rules) === 'allow'
}

/** A prefix that stops inside of a name of the host does not stand for other names that begin alike. */
function fits(key: string, prefix: string): boolean {
  if (!key.startsWith(prefix)) return false
  if (prefix.includes(')') || prefix.endsWith(',') || key.length === prefix.length) return true
  return /^[,):]/.test(key.slice(prefix.length))
}
