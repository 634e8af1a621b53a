/** Databases that are being built, under their temporary names (`*.part`). */
import { openDerived } from '../../storage/storage.ts'
import { buildStatements, captureSchema } from '../captures/captureIndex.sql.ts'

/** Path of the compact copy that readers of a growing database switch to at its end. */
export function copyOf(database: string): string {
  return database.replace(/part$/, 'copy.part')
}

/** Creates an empty database with its secondary indexes, which readers need from the beginning. */
export function emptyDatabase(path: string): string {
  const store = openDerived(path, captureSchema)
  for (const index of buildStatements(store).addIndexes) index.run({})
  store.close()
  return path
}

/** Whether a database is damaged. A `StorageFault` of a worker thread arrives as an error with its code. */
export function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'damaged'
}
