/** Decides by its name whether the database knows a file in the folder of a job. `content` and `metadata` files must be stored in
 *  the archive; `working` files can be created again from the database. Any other file was put there by another history of this
 *  archive, or by hand, and is never removed. */
import { earlyResultIn, runIdOfBody } from '../model/bodyFile.ts'
import type { Store } from '../../storage/storage.ts'
import { importedFileStatements } from '../import/importedFiles.sql.ts'
import { ownershipStatements, type RunFile } from './ownership.sql.ts'

/** Kind of a known file. */
export type OwnedKind = 'content' | 'metadata' | 'working'

/** The known files of a job. */
export interface OwnedFiles {
  /** Kind of the file; undefined if the database does not know it. */
  kindOf(name: string): OwnedKind | undefined
  /** The name that the file has, or will have, in the archive. */
  archiveNameOf(name: string): string
}
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const temporary = new RegExp(`\\.${uuid}\\.part$`)
const ofImportedFile = /^\.(\d+)\.(?:part|unpacked|\d+\.document)$/
const ofIndexLines = /^\.(.+)\.cdxj$/

/** Name of a metadata file while it is in the job's folder. It begins with a dot, as no name in the archive does, and contains the
 *  id of its run, so that the metadata file of another history of the same job is never mistaken for it. */
export function localNameOf({ name, runId }: RunFile): string {
  return `.${runId}.${name}`
}

/** Reads the names of the job's files from the database. */
export function ownedFiles(store: Store, job: number): OwnedFiles {
  const sql = ownershipStatements(store)
  const contents = new Set(sql.contents.all({ job }).map(({ name }) => name))
  const metadata = new Map(sql.metadata.all({ job }).map((file) => [localNameOf(file), file.name]))
  const runIds = new Set(sql.runIds.all({ job }).map(({ runId }) => runId))
  const imported = new Set(
    importedFileStatements(store)
      .ofJob.all({ job })
      .map(({ id }) => id),
  )
  const contentOf = (name: string) => (name.endsWith('.open') ? name.slice(0, -'.open'.length) : name)

  function isWorking(name: string): boolean {
    const whole = name.replace(temporary, '')
    const lines = ofIndexLines.exec(whole)?.[1]
    if (lines !== undefined) return contents.has(lines)
    const file = ofImportedFile.exec(whole)?.[1]
    if (file !== undefined) return imported.has(Number(file))
    const runId = runIdOfBody(name) ?? earlyResultIn(name)?.runId
    if (runId !== undefined) return runIds.has(runId)
    return metadata.has(contentOf(name))
  }

  return {
    kindOf(name) {
      if (metadata.has(name)) return 'metadata'
      if (contents.has(contentOf(name))) return 'content'
      return isWorking(name) ? 'working' : undefined
    },
    archiveNameOf: (name) => metadata.get(name) ?? contentOf(name),
  }
}
