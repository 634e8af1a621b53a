/**
 * Counts of the files of an import by result, for the interface and the command line alike. An opened package is not counted: the files in
 * it are.
 */
import type { ImportedFile } from './services/harvests.ts'
import { importResultOf, type ImportResult } from './states/importedFileStates.ts'

/** Numbers of files by result, and of all of them: the sum of the others. `waiting`: files that have not been processed completely. */
export type ImportCounts = Record<ImportResult | 'files', number>

type Counted = Pick<ImportedFile, 'name' | 'state'>

/** Counts the files of an import, each once. */
export function importCounts(all: readonly Counted[]): ImportCounts {
  const counts = { files: 0, imported: 0, archived: 0, rejected: 0, waiting: 0 }
  for (const file of all) {
    if (isOpenedPackage(file)) continue
    counts.files += 1
    counts[importResultOf(file.state)] += 1
  }
  return counts
}

/** Whether the row is a package whose files have separate rows. */
export function isOpenedPackage({ name, state }: Counted): boolean {
  return state === 'IMPORTED' && name === null
}
