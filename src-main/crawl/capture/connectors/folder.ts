/** The connector for a folder of this machine. Its files are documents, captured as they are, and so is a list of each folder, for
 *  browsing. Symbolic links are never followed, since they may lead out of the folder or form a cycle. Links in the contents of
 *  files are ignored. */
import { message } from '../../../contract/words/message.ts'
import { basename, isAbsolute } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { scopeOf } from '../../model/scope.ts'
import type { RepositoryConnector } from './connector.ts'
import { readLocalFile } from './folderFile.ts'
import { listFolder } from './folderList.ts'
import { judgeEntry, withoutHosts } from './listed.ts'
import { seedsAs } from './web.ts'

/** Harvests folders of this machine. */
export const folder: RepositoryConnector = {
  name: 'folder',
  version: 1,
  model: 'ALL',
  inForce: withoutHosts,
  seedOf,
  nameOf: (seeds) => {
    const [first = 'folder', ...others] = seeds.map((seed) => basename(fileURLToPath(seed)) || '/')
    return others.length > 0 ? `${first} and ${others.length} more` : first
  },
  seeds: (definition) => seedsAs(definition, 'sitemap'),
  // All files share one bin, as if they were on one disk.
  binOf: () => 'file:',
  scopeOf,
  judge: judgeEntry,
  open: ({ definition, fetching }) => ({
    fetch: (document) => {
      const path = fileURLToPath(document.url)
      return document.role === 'sitemap'
        ? listFolder(path, hidden(definition), fetching)
        : readLocalFile(path, fetching)
    },
    outlinksOf: async (_document, captured) => (captured.kind === 'local' ? captured.outlinks : []),
    previousOutlinks: async () => [],
  }),
}

function hidden({ connectors }: HarvestDefinition): boolean {
  return connectors?.repository.connector === 'folder' && connectors.repository.hidden
}

/** Converts an absolute path or a file URL to the URL of the folder, with a slash at its end. */
function seedOf(text: string): string {
  const typed = text.trim()
  const url = /^file:\/\//i.test(typed) ? URL.parse(typed) : isAbsolute(typed) ? pathToFileURL(typed) : null
  if (!url || url.host !== '') {
    throw new Fault('badInput', message('seed.notFolder', { text: typed }))
  }
  url.hash = ''
  url.search = ''
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}
