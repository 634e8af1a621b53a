/** The contract's `history`: reports over what the harvester did and over the documents of jobs. */
import type { Loupe } from '../contract/contract.ts'
import { historyQuery } from '../contract/history.ts'
import type { Reporter } from '../crawl/crawl.ts'

export function historyService(reporter: Reporter): Loupe['history'] {
  return { report: (given) => reporter.report(historyQuery.parse(given)) }
}
