/** The hosts of a job's URLs, with a memory so that most URLs need neither parsing nor a query. */
import type { FoundHost } from '../model/document.ts'
import { flatCopy } from '../model/knownUrls.ts'
import { domainOf, originOf } from '../model/urlKeys.ts'
import type { FrontierStatements } from './frontier.sql.ts'

/** The hosts of one job. */
export interface FoundHosts {
  /** Returns the host of a URL; adds it if the job does not know it. Called inside a transaction. */
  of(url: string): FoundHost
  /** Forgets all hosts: a transaction that added some may have been rolled back. */
  forget(): void
}

/** Most hosts to remember: some megabytes. */
const hostsMax = 50_000

/** Opens the hosts of a job. */
export function foundHosts({ addHost }: Pick<FrontierStatements, 'addHost'>, job: number): FoundHosts {
  const hosts = new Map<string, FoundHost>()
  return {
    of(url) {
      // URLs with the same text before their path have the same origin; parsing each one is expensive.
      const pathAt = url.indexOf('/', url.indexOf('//') + 2)
      const beforePath = pathAt < 0 ? url : url.slice(0, pathAt)
      const known = hosts.get(beforePath)
      if (known) return known
      const origin = originOf(url)
      const added = addHost.get({ job, origin, domain: domainOf(origin) })
      if (!added) throw new Error(`no row for the host ${origin}`)
      if (hosts.size >= hostsMax) hosts.clear()
      hosts.set(flatCopy(beforePath), added)
      return added
    },
    forget: () => hosts.clear(),
  }
}
