/** Rules of links in documents: limits of Loupe, so that a single page cannot overload a harvest. */
import type { RuleTable } from './rule.ts'

export const linkRules = {
  tooManyLinks: {
    severity: 'warning',
    clause: 'Loupe: the links of a document are bounded',
  },
  urlTooLong: {
    severity: 'warning',
    clause: 'Loupe: the length of an address is bounded',
  },
} as const satisfies RuleTable
