/** Rules of links in documents: limits of Loupe, so that a single page cannot overload a harvest. */
import type { RuleTable } from './rule.ts'

export const linkRules = {
  tooManyLinks: {
    severity: 'warning',
    clause: 'Loupe: the links of a document are bounded',
    means: 'The resource has more links than Loupe follows from one page. The rest was ignored.',
  },
  urlTooLong: {
    severity: 'warning',
    clause: 'Loupe: the length of an address is bounded',
    means: 'A URL is longer than servers accept. It was ignored.',
  },
} as const satisfies RuleTable
