/** Rules of links found in documents: bounds of ours, so that one page cannot flood a harvest. */
import type { RuleTable } from './rule.ts'

export const linkRules = {
  tooManyLinks: {
    severity: 'warning',
    clause: 'Loupe: the links of a document are bounded',
    means: 'The document has more links than are followed of one page. The rest was left out.',
  },
  urlTooLong: {
    severity: 'warning',
    clause: 'Loupe: the length of an address is bounded',
    means: 'An address is longer than servers take. It was left out.',
  },
} as const satisfies RuleTable
