/**
 * Counts of the files of an import by result, for the interface and the command line alike. An opened package is not counted: the files in
 * it are.
 */
import type { ImportedFile } from './services/harvests.ts'

/** Numbers of files by result. */
export interface ImportCounts {
  /** All files: the sum of the four counts below. */
  files: number
  imported: number
  /** Files whose bytes the archive had before. */
  archived: number
  refused: number
  /** Files that have not been processed completely. */
  waiting: number
}

type Counted = Pick<ImportedFile, 'name' | 'state'>

/** Counts the files of an import. */
export function importCounts(all: readonly Counted[]): ImportCounts {
  const files = all.filter((file) => !isOpenedPackage(file))
  const inState = (wanted: string) => files.filter(({ state }) => state === wanted).length
  const [imported, archived, refused] = [inState('TAKEN'), inState('KNOWN'), inState('REFUSED')]
  return { files: files.length, imported, archived, refused, waiting: files.length - imported - archived - refused }
}

/** Whether the row is a package whose files have separate rows. */
export function isOpenedPackage({ name, state }: Counted): boolean {
  return state === 'TAKEN' && name === null
}
