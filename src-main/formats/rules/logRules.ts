/** Rules of the logs that harvesters write in addition to archive files. */
import type { RuleTable } from './rule.ts'

export const logRules = {
  crawlLogLineInvalid: {
    severity: 'warning',
    clause: 'Heritrix, user manual: the fields of crawl.log',
  },
  crawlLogDateInvalid: {
    severity: 'note',
    clause: 'Heritrix, user manual: the fields of crawl.log',
  },
} as const satisfies RuleTable
