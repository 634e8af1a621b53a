/** What became of the files of an import, for the interface and the command line alike. A package that was opened is not counted: the
 *  files in it are. */
import type { ImportedFile } from './contract.ts'

export interface ImportCounts {
  /** All of them: the sum of the four below. */
  files: number
  imported: number
  /** The archive had the same bytes before. */
  archived: number
  refused: number
  /** Their turn has not come, or is not over. */
  waiting: number
}

type Counted = Pick<ImportedFile, 'name' | 'state'>

export function importCounts(all: readonly Counted[]): ImportCounts {
  const files = all.filter((file) => !isOpenedPackage(file))
  const inState = (wanted: string) => files.filter(({ state }) => state === wanted).length
  const [imported, archived, refused] = [inState('TAKEN'), inState('KNOWN'), inState('REFUSED')]
  return { files: files.length, imported, archived, refused, waiting: files.length - imported - archived - refused }
}

/** What is in it stands in rows of its own. */
export function isOpenedPackage({ name, state }: Counted): boolean {
  return state === 'TAKEN' && name === null
}
