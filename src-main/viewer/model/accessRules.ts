/** Access rules over SURT prefixes. The longest matching prefix decides, so part of a blocked site can be allowed. Of equally
 *  long prefixes the later rule wins. Pure. */
import { surt } from '../../formats/cdx/surt.ts'
import { isBelowPrefix } from '../../formats/cdx/surtPrefix.ts'

/** Effect of a rule: a refusal (451), a page that looks as if the URL had never been captured (404), or none. */
export type AccessEffect = 'block' | 'exclude' | 'allow'

/** A rule for all URLs below a SURT prefix. */
export interface AccessRule {
  /** A SURT prefix: `com,example)/private/`, or `com,example` for the host and every host below it. */
  surtPrefix: string
  effect: AccessEffect
}

/** Returns the effect for a URL; `allow` where no rule matches. */
export function accessTo(url: string, rules: readonly AccessRule[]): AccessEffect {
  if (rules.length === 0) return 'allow'
  const key = surt(url)
  let decided: AccessRule | undefined
  for (const rule of rules)
    if (isBelowPrefix(key, rule.surtPrefix) && rule.surtPrefix.length >= (decided?.surtPrefix.length ?? 0))
      decided = rule
  return decided?.effect ?? 'allow'
}

/** Whether the URL is neither blocked nor excluded. */
export function isAllowed(url: string, rules: readonly AccessRule[]): boolean {
  return accessTo(url, rules) === 'allow'
}
