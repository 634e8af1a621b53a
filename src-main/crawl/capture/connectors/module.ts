/** The connector for modules of the user, which read documents from any source: a content management system, a repository, a mail
 *  archive. `docs/connectors.md` describes how such a module is written. Seeds are lists; a list names documents and further lists,
 *  and with versions only those that are new or changed are read again. Links in the contents of documents are ignored. */
import { message } from '../../../contract/words/message.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import { canonicalUrl } from '../../../formats/cdx/surt.ts'
import { inTime } from '../../../modules/inTime.ts'
import { loadModule, type OpenedModule } from '../../../modules/userModule.ts'
import { scopeOf } from '../../model/scope.ts'
import type { OpenRepository, RepositoryConnector, RunFetching } from './connector.ts'
import { judgeEntry, withoutHosts } from './listed.ts'
import { readFromModule } from './moduleDocument.ts'
import { sourceFunctions, type UserSource } from './userSource.ts'
import { seedsAs } from './web.ts'

/** Harvests what a module of the user reads. */
export const module: RepositoryConnector = {
  name: 'module',
  version: 1,
  model: 'ALL',
  inForce: withoutHosts,
  seedOf(text) {
    const url = canonicalUrl(text.trim())
    if (url === undefined) throw new Fault('badInput', message('seed.notUrl', { text: text.trim() }))
    return url
  },
  nameOf: ([first = 'module', ...others]) => (others.length > 0 ? `${first} and ${others.length} more` : first),
  seeds: (definition) => seedsAs(definition, 'sitemap'),
  // Of one source, whatever the schemes of its URLs.
  binOf: () => 'module:',
  scopeOf,
  judge: judgeEntry,
  open: ({ definition, fetching }) => openSource(definition, fetching),
}

/** Time in which a source must close: the run ends after it. */
const closeMsMax = 10_000

/** Loads the module when the first document is fetched. */
function openSource(definition: HarvestDefinition, fetching: RunFetching): OpenRepository {
  const { world, archiveFolders } = fetching
  const { module: path, settings } = settingsOf(definition)
  let opening: Promise<OpenedModule<UserSource>> | undefined
  return {
    async fetch(document) {
      opening ??= loadModule<UserSource>(world.disk, { path, settings, archiveFolders }, sourceFunctions)
      return readFromModule(document, await opening, fetching)
    },
    outlinksOf: async (_document, captured) => (captured.kind === 'local' ? captured.outlinks : []),
    previousOutlinks: async () => [],
    async close() {
      const opened = await opening
      if (opened === undefined || 'problem' in opened) return
      try {
        const late = new Error('the module did not close')
        await inTime(world.clock, { msMax: closeMsMax, late }, async () => opened.part.close?.())
      } catch {
        // The documents are safe, and the module cannot be told.
      }
    },
  }
}

function settingsOf({ connectors }: HarvestDefinition) {
  const settings = connectors?.repository
  if (settings?.connector !== 'module') throw new Error('a harvest of a module has its settings')
  return settings
}
