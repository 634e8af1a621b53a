/** Fills in the registered domain of the hosts of a job, by which budgets count. Rows that were written before there were budgets
 *  have none until then. */
import { domainOf } from '../model/urlKeys.ts'
import type { Store } from '../../storage/storage.ts'
import type { LiveStatements } from './live.sql.ts'

/** Access to the domains of hosts. */
export function domainsOf(store: Store, sql: Pick<LiveStatements, 'hostsWithoutDomain' | 'setDomain'>) {
  return {
    /** Sets the domain of each host of the job that has none. */
    fill(job: number): void {
      const hosts = sql.hostsWithoutDomain.all({ job })
      if (hosts.length === 0) return
      store.transaction(() => {
        for (const { id, origin } of hosts) sql.setDomain.run({ host: id, domain: domainOf(origin) })
      })
    },
  }
}
