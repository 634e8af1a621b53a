/** The registered domain of each host of a job stands in its row: budgets count by it. Rows of before there were budgets get
 *  theirs when they are needed. */
import { domainOf } from '../model/urlKeys.ts'
import type { Store } from '../../storage/storage.ts'
import type { LiveStatements } from './live.sql.ts'

export function domainsOf(store: Store, sql: Pick<LiveStatements, 'hostsWithoutDomain' | 'setDomain'>) {
  return {
    fill(job: number): void {
      const hosts = sql.hostsWithoutDomain.all({ job })
      if (hosts.length === 0) return
      store.transaction(() => {
        for (const { id, origin } of hosts) sql.setDomain.run({ host: id, domain: domainOf(origin) })
      })
    },
  }
}
