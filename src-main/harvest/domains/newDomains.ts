/** New domains: each gets a configuration with a byte limit, and a seed list with its home page (NetarchiveSuite,
 *  `Domain.getDefaultDomain`). */
import {
  defaultBytesMax,
  defaultConfigurationName,
  domainConfiguration,
  type DomainsAdded,
} from '../../contract/services/domains.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { Configurations } from './configurations.ts'
import { domainsIn } from './domainNames.ts'
import { domainStatements } from './domains.sql.ts'

/** Adds domains. */
export interface DomainAdder {
  /** Adds the domains of a list. Between batches it yields, so that other work of the thread goes on. */
  addList(text: string): Promise<DomainsAdded>
  /** Adds a domain unless it is known, within the caller's transaction. Returns whether it is new. */
  addOne(domain: string): boolean
}

/** Domains that are added in one transaction: some ten milliseconds. */
const domainsAtOnce = 500

const usualConfiguration = domainConfiguration.parse({ name: defaultConfigurationName, bytesMax: defaultBytesMax })

/** Returns the functions that add domains. */
export function domainAdder(
  store: Store,
  clock: Pick<Clock, 'now' | 'sleep'>,
  configurations: Pick<Configurations, 'set' | 'setSeedList'>,
): DomainAdder {
  const sql = domainStatements(store)

  function addOne(domain: string): boolean {
    const added = sql.add.get({ domain, nowMs: clock.now() })
    if (!added) return false
    const seeds = `http://www.${domain}\n`
    configurations.setSeedList(added.id, { name: defaultConfigurationName, seeds, comments: '' })
    const configuration = configurations.set(added.id, usualConfiguration)
    sql.setDefault.run({ id: added.id, configuration })
    return true
  }

  return {
    addOne,
    async addList(text) {
      const { domains, repeated, refused } = domainsIn(text)
      let added = 0
      for (let at = 0; at < domains.length; at += domainsAtOnce) {
        const batch = domains.slice(at, at + domainsAtOnce)
        added += store.transaction(() => batch.filter(addOne).length)
        await clock.sleep(0)
      }
      return { added, known: domains.length - added + repeated, refused }
    },
  }
}
