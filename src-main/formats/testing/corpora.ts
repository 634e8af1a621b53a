/** Sample archive files of other projects, for tests. They are not part of this repository: they are read from `../shared/corpora` next to
 *  the checkout, or from `.cache/corpora`, where `npm run corpora` puts them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const top = join(import.meta.dirname, '../../..')
/** Target folder of `npm run corpora`. */
export const fetchedCorpora = join(top, '.cache/corpora')

/** Folder with one subfolder per project (`webrecorder+warcio`), whether it exists or not. */
export const corporaFolder =
  [join(top, '../shared/corpora'), fetchedCorpora].find((path) => existsSync(path)) ?? fetchedCorpora
/** The same as a URL that ends in a slash. */
export const corpora = pathToFileURL(`${corporaFolder}/`)

/** Whether a file or folder of the samples exists; without a name, whether there are any samples. Their inventory and the tables of
 *  expected results are not fetched, so tests that need those pass their names. */
export function hasCorpora(part = ''): boolean {
  return existsSync(join(corporaFolder, part))
}

/** Text for the titles of skipped tests. */
export const corporaHint = 'skipped without sample files of other projects, which npm run corpora fetches'
