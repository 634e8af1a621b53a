/** Service `authorities` of the contract: who has which access tokens. */
import type { Access } from '../../access/access.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import type { Loupe } from '../../contract/contract.ts'
import { accessRequest, authorityConnectionInput } from '../../contract/services/authorities.ts'

/** Makes the service. */
export function authoritiesService({ access }: { access: Access }): Loupe['authorities'] {
  const { connections, connectors, groups, domains } = access
  const changes = emitter<Record<string, never>>()
  const changed = <Row>(row: Row): Row => {
    changes.emit({})
    return row
  }
  return {
    list: async () => connections.list(),
    show: async ({ kind = 'authority', name }) => connections.show({ kind, name }),
    add: async (given) => changed(connections.add(authorityConnectionInput.parse(given))),
    edit: async ({ kind = 'authority', name, change }) => changed(connections.edit({ kind, name }, change)),
    async remove({ kind = 'authority', name }) {
      connections.remove({ kind, name })
      return changed({})
    },
    check: async ({ kind = 'authority', name }) => connections.check({ kind, name }),
    groups: async () => groups.list(),
    addGroup: async ({ name, description = '' }) => changed(groups.add({ name, description })),
    editGroup: async (given) => changed(groups.edit(given)),
    async removeGroup({ name }) {
      groups.remove(name)
      return changed({})
    },
    domains: async () => domains.list(),
    addDomain: async ({ name, description = '' }) => changed(domains.add({ name, description })),
    editDomain: async (given) => changed(domains.edit(given)),
    async removeDomain({ name }) {
      domains.remove(name)
      return changed({})
    },
    connectors: async () => connectors.list(),
    install: async ({ kind = 'authority', ...given }) => changed(await connectors.install({ kind, ...given })),
    deinstall: async ({ kind = 'authority', name }) => changed(await connectors.deinstall({ kind, name })),
    ask: async (given) => access.ask(accessRequest.parse(given)),
    changed: changes.on,
  }
}
