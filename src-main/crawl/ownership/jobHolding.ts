/** Finds the job that has reserved a file name before the file is in the archive, so that nothing else uses the name. */
import type { Store } from '../../storage/storage.ts'
import { jobOfFile } from '../capture/records/jobFiles.ts'
import { importedNameStatements } from '../import/importedNames.sql.ts'
import { nameStatements } from '../model/fileNames.sql.ts'

/** Returns a function that maps a file name to the job that has reserved it, if any. */
export function jobHolding(store: Store): (name: string) => number | undefined {
  const { holder } = importedNameStatements(store)
  const { jobOfMetadata } = nameStatements(store)
  return (name) => jobOfFile(store, name) ?? holder.get({ name })?.job ?? jobOfMetadata.get({ name })?.job
}
