/** Service `connections` of the contract: connectors with their settings under a name, which jobs share. */
import type { Archive } from '../../archive/store/archive.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import type { Loupe } from '../../contract/contract.ts'
import { connectionChange, connectionInput } from '../../contract/services/connections.ts'
import { checkConnection, openConnections, refuseUnusableModule, type Jobs } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { Settings } from '../settings/settings.ts'
import type { Signals } from '../signals/signals.ts'

interface Parts {
  store: Store
  world: World
  archive: Pick<Archive, 'places'>
  jobs: Jobs
  settings: Pick<Settings, 'crawl'>
  signals: Signals
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
  /** Where jobs write. */
  places: { folder: string }
  /** Names of the templates that name a connection. */
  templatesNaming(connection: string): string[]
}

/** Makes the service. */
export function connectionsService(parts: Parts): Loupe['connections'] {
  const { store, world, archive, jobs, settings, signals, places } = parts
  const connections = openConnections(store, world)
  const changes = emitter<{ name: string }>()
  const changed = <Row extends { name: string }>(row: Row): Row => {
    changes.emit({ name: row.name })
    return row
  }
  return {
    list: async ({ kind }) => connections.list(kind),
    show: async ({ name }) => connections.show(name),
    async add(given) {
      const input = connectionInput.parse(given)
      if (input.kind === 'repository') await refuseUnusableModule(parts, input.settings, ['settings'])
      return changed(connections.add(input))
    },
    async edit({ name, change: given }) {
      const change = connectionChange.parse(given)
      if (change.settings?.connector === 'module') await refuseUnusableModule(parts, change.settings, ['settings'])
      const edited = connections.edit(name, change)
      for (const job of edited.jobs) signals.report({ kind: 'changed', job })
      return changed(edited.row)
    },
    async remove({ name }) {
      connections.remove(name, parts.templatesNaming)
      changed({ name })
      return {}
    },
    check: async ({ name }) =>
      checkConnection(
        {
          store,
          world,
          archive,
          folder: places.folder,
          settings: settings.crawl(),
          archiveFolders: parts.archiveFolders,
        },
        connections.stored(name),
      ),
    jobs: async ({ name, limit }) =>
      connections.users(name, limit).map(({ job, name: harvest }) => ({
        job,
        name: harvest,
        status: jobs.summary(job).status,
      })),
    changed: changes.on,
  }
}
