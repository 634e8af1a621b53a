/** Which job a file's name belongs to before the archive has the file: nothing else may take it until then. */
import type { Store } from '../../storage/storage.ts'
import { jobOfFile } from '../capture/records/harvestFile.ts'
import { importStatements } from '../import/imports.sql.ts'
import { nameStatements } from '../model/fileNames.sql.ts'

export function jobHolding(store: Store): (name: string) => number | undefined {
  const { holder } = importStatements(store)
  const { jobOfMetadata } = nameStatements(store)
  return (name) => jobOfFile(store, name) ?? holder.get({ name })?.job ?? jobOfMetadata.get({ name })?.job
}
