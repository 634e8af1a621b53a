/** Seeds that are added to an event harvest: each domain gets a configuration and a seed list with the name of the harvest
 *  (NetarchiveSuite, `EventHarvestUtil`). */
import { Fault } from '../../contract/calls/faults.ts'
import { domainConfiguration } from '../../contract/services/domains.ts'
import type { SeedsAdded } from '../../contract/services/harvestDefinitions.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Domains } from '../domains/domains.ts'
import { domainIn } from '../domains/domainNames.ts'
import { seedProblems, seedsIn } from '../domains/seedLists.ts'
import type { Limits } from '../model/configurations.ts'
import { harvestReadStatements, harvestWriteStatements } from './harvestDefinitions.sql.ts'

/** Seeds to add, and how they are harvested. */
export interface EventSeeds extends Limits {
  harvest: number
  /** One URL per line; lines that begin with # are comments. */
  text: string
  template: string
}

/** Returns the function that adds seeds. It throws `Fault` notFound, or refused for a harvest of another kind. */
export function eventSeedsOf(
  store: Store,
  domains: Pick<Domains, 'addOne' | 'show' | 'setSeedList' | 'setConfiguration'>,
): (given: EventSeeds) => SeedsAdded {
  const read = harvestReadStatements(store)
  const write = harvestWriteStatements(store)

  function nameOf(harvest: number): string {
    const row = read.byId.get({ id: harvest })
    if (!row) throw new Fault('notFound', message('harvest.absent', { harvest }))
    if (row.kind !== 'event') throw new Fault('refused', message('harvest.notEvent', { name: row.name }))
    return row.name
  }

  return ({ harvest, text, template, objectsMax, bytesMax }) =>
    store.transaction(() => {
      const name = nameOf(harvest)
      const lines = new Set(seedProblems(text).map(({ line }) => line))
      const good = text.split(/\r?\n/).filter((_, at) => !lines.has(at + 1))
      const byDomain = Map.groupBy(seedsIn(good.join('\n')), (seed) => domainIn(seed) ?? '')
      byDomain.delete('')
      let domainsNew = 0
      let seeds = 0
      for (const [domain, added] of byDomain) {
        if (domains.addOne(domain)) domainsNew += 1
        const before = domains.show(domain).seedLists.find((list) => list.name === name)
        const all = [...new Set([...seedsIn(before?.seeds ?? ''), ...added])]
        seeds += all.length - seedsIn(before?.seeds ?? '').length
        domains.setSeedList(domain, { name, seeds: `${all.join('\n')}\n`, comments: before?.comments ?? '' })
        const configuration = { name, template, objectsMax, bytesMax, seedLists: [name] }
        domains.setConfiguration(domain, domainConfiguration.parse(configuration))
        write.addConfiguration.run({ id: harvest, domain, configuration: name })
      }
      const refused = seedProblems(text).map(({ line, problem }) => ({ line, problem }))
      return { configurations: byDomain.size, domainsNew, seeds, refused }
    })
}
