/** Which job a file's name belongs to before the archive has the file: nobody else may take it until then. */
import type { Store } from '../storage/storage.ts'
import { jobOfFile } from './harvestFile.ts'
import { importStatements } from './import/imports.sql.ts'

export function jobHolding(store: Store): (name: string) => number | undefined {
  const { holder } = importStatements(store)
  return (name) => jobOfFile(store, name) ?? holder.get({ name })?.job
}
