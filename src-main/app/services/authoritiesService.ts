/** Service `authorities` of the contract: who has which access tokens. */
import { openAccess, type AccessSettings } from '../../access/access.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import type { Loupe } from '../../contract/contract.ts'
import { accessRequest, authorityConnectionInput } from '../../contract/services/authorities.ts'
import type { Credentials } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'

interface Parts {
  store: Store
  world: World
  archiveFolders: readonly string[]
  settings: () => AccessSettings
  credentials: Pick<Credentials, 'secretOf'>
  onBug(error: unknown): void
}

/** Makes the service. */
export function authoritiesService({ credentials, ...parts }: Parts): Loupe['authorities'] {
  const access = openAccess({
    ...parts,
    async secretOf(name) {
      const found = await credentials.secretOf(name)
      return 'secret' in found ? found.secret : found
    },
  })
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
