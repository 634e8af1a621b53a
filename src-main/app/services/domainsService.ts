/** Services `domains`, `crawlerTraps` and `extendedFields` of the contract. */
import { emitter } from '../../contract/calls/emitter.ts'
import type { Loupe } from '../../contract/contract.ts'
import {
  domainConfiguration,
  extendedField,
  seedList as seedListShape,
  trapList,
  type DomainDetails,
} from '../../contract/services/domains.ts'
import type { Domains } from '../../harvest/domains/domains.ts'
import type { ExtendedFields, TrapLists } from '../../harvest/domains/institution.ts'

type Services = Pick<Loupe, 'domains' | 'crawlerTraps' | 'extendedFields'>

interface Parts {
  domains: Domains
  trapLists: TrapLists
  extendedFields: ExtendedFields
}

/** Makes the services. */
export function domainServices({ domains, trapLists, extendedFields }: Parts): Services {
  const changes = emitter<{ domain: string | null }>()
  const changed = (details: DomainDetails): DomainDetails => {
    changes.emit({ domain: details.domain })
    return details
  }
  return {
    domains: {
      list: async ({ offset = 0, limit = 200, ...query }) => domains.list({ ...query, offset, limit }),
      show: async ({ domain }) => domains.show(domain),
      async addList({ text }) {
        const added = await domains.addList(text)
        changes.emit({ domain: null })
        return added
      },
      edit: async (change) => changed(domains.edit(change)),
      setConfiguration: async ({ domain, configuration }) =>
        changed(domains.setConfiguration(domain, domainConfiguration.parse(configuration))),
      removeConfiguration: async ({ domain, name }) => changed(domains.removeConfiguration(domain, name)),
      setSeedList: async ({ domain, seedList }) => changed(domains.setSeedList(domain, seedListShape.parse(seedList))),
      removeSeedList: async ({ domain, name }) => changed(domains.removeSeedList(domain, name)),
      async remove({ domain }) {
        domains.remove(domain)
        changes.emit({ domain: null })
        return {}
      },
      found: async ({ job, offset = 0, limit = 200 }) => domains.found({ job, offset, limit }),
      changed: changes.on,
    },
    crawlerTraps: {
      list: async () => trapLists.list(),
      set: async (list) => trapLists.set(trapList.parse(list)),
      async remove({ name }) {
        trapLists.remove(name)
        return {}
      },
    },
    extendedFields: {
      list: async () => extendedFields.list(),
      set: async (field) => extendedFields.set(extendedField.parse(field)),
      async remove({ subject, name }) {
        extendedFields.remove(subject, name)
        return {}
      },
    },
  }
}
