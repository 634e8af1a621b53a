/** What a database of captures says of itself: which jobs and files it was made of, and by which rules. */
import { canonicaliserVersion } from '../formats/cdx/canonicaliser.ts'
import { openDerived, StorageFault, type Store } from '../storage/storage.ts'
import type { Disk } from '../world/world.ts'
import { captureSchema, captureStatements } from './captureIndex.sql.ts'
import type { LineFile, MissingFile } from './captureLines.ts'
import type { Manifest } from './completeness.ts'
import { databaseVersion, filesName, setName } from './jobSet.ts'

export interface Kept {
  manifest: Manifest
  captures: number
}

export function manifestOf(made: {
  jobs: readonly number[]
  jobsFound: number[]
  files: readonly LineFile[]
  filesMissing: readonly MissingFile[]
}): Manifest {
  const { jobs, jobsFound, files, filesMissing } = made
  return {
    jobsAsked: [...jobs],
    jobsFound,
    jobsMissing: jobs.filter((job) => !jobsFound.includes(job)),
    files: files.map(({ name }) => name).toSorted(),
    filesMissing: filesMissing.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** As rows of the table. */
export function manifestRows({ manifest, captures }: Kept): { name: string; value: string }[] {
  const all = { ...manifest, captures, canonicaliser: canonicaliserVersion, database: databaseVersion }
  return Object.entries(all).map(([name, value]) => ({ name, value: JSON.stringify(value) }))
}

/** What is missing is part of the name: a whole index is never confused with one that was built without some file. */
export function databaseName({ jobsAsked, files, filesMissing }: Manifest): string {
  return `${setName(jobsAsked)}.${filesName([...files, ...filesMissing.map(({ name }) => `-${name}`)])}.db`
}

/** Why a file could not be had may be said otherwise each time. */
export function isSame(one: Manifest, other: Manifest): boolean {
  const compared = ({ jobsAsked, jobsFound, files, filesMissing }: Manifest) =>
    JSON.stringify([jobsAsked, jobsFound, files, filesMissing.map(({ name }) => name)])
  return compared(one) === compared(other)
}

/** Undefined: it is not whole, or its tables or keys were made by other rules. */
export function keptIn(store: Store): Kept | undefined {
  const rows = captureStatements(store).manifest.all({})
  const read = Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]))
  const { canonicaliser, database, captures, ...manifest } = read
  if (canonicaliser !== canonicaliserVersion || database !== databaseVersion) return undefined
  return { manifest: manifest as unknown as Manifest, captures: Number(captures) }
}

/** The same of a file. Undefined also when there is none, or it is damaged: then it is built again. */
export async function keptAt(path: string, disk: Disk): Promise<Kept | undefined> {
  if (!(await disk.stat(path))) return undefined
  try {
    const store = openDerived(path, captureSchema)
    try {
      return keptIn(store)
    } finally {
      store.close()
    }
  } catch (error) {
    if (error instanceof StorageFault && error.code === 'damaged') return undefined
    throw error
  }
}
