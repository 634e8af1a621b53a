/** Rules of the logs that harvesters write in addition to archive files. */
import type { RuleTable } from './rule.ts'

export const logRules = {
  crawlLogLineInvalid: {
    severity: 'warning',
    clause: 'Heritrix, user manual: the fields of crawl.log',
    means: 'A line of the crawl log does not have the fields that Heritrix writes. The other lines are read.',
  },
  crawlLogDateInvalid: {
    severity: 'note',
    clause: 'Heritrix, user manual: the fields of crawl.log',
    means: 'A line of the crawl log has no valid date. Its other fields are read.',
  },
} as const satisfies RuleTable
