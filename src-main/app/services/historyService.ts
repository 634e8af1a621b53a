/** Service `history` of the contract: reports on what the harvester did and on the documents of jobs. */
import type { Loupe } from '../../contract/contract.ts'
import { historyQuery } from '../../contract/services/history.ts'
import { linkGraphQuery } from '../../contract/services/linkGraph.ts'
import type { Jobs, Reporter } from '../../crawl/crawl.ts'

export function historyService({ reporter, jobs }: { reporter: Reporter; jobs: Jobs }): Loupe['history'] {
  /** Throws `Fault` notFound for an unknown job. A deleted job is known if its history remains. */
  async function refuseUnknown(job: number): Promise<void> {
    if (jobs.known(job)) return
    const { total } = await reporter.report(historyQuery.parse({ report: 'history', jobs: [job], limit: 1 }))
    if (total === 0) jobs.summary(job)
  }
  return {
    async report(given) {
      const query = historyQuery.parse(given)
      for (const job of query.jobs ?? []) await refuseUnknown(job)
      return reporter.report(query)
    },
    async linkGraph(given) {
      const query = linkGraphQuery.parse(given)
      // Throws if there is no such job.
      jobs.summary(query.job)
      return reporter.linkGraph(query)
    },
  }
}
