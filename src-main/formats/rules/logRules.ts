/** Rules of the logs that harvesters leave beside what they fetched. */
import type { RuleTable } from './rule.ts'

export const logRules = {
  crawlLogLineInvalid: {
    severity: 'warning',
    clause: 'Heritrix, user manual: the fields of crawl.log',
    means:
      'A line of a crawl log has not the fields that Heritrix writes, so what it says of an address is not known. The other lines are read.',
  },
  crawlLogDateInvalid: {
    severity: 'note',
    clause: 'Heritrix, user manual: the fields of crawl.log',
    means: 'A line of a crawl log does not say when it was written. What else it says is read.',
  },
} as const satisfies RuleTable
