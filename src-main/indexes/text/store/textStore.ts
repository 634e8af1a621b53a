/** The file of the text index. It may be deleted at any time; one of another version is removed and built again. */
import { join } from 'node:path'
import { openDerived, type Store } from '../../../storage/storage.ts'
import type { Disk } from '../../../world/world.ts'
import { removeDatabase } from '../../databases/leftovers.ts'
import { textSchema, textSchemaVersion } from './textIndex.sql.ts'

/** Path of the index below the folder of the indexes. */
export function textIndexPath(indexesFolder: string): string {
  return join(indexesFolder, 'text', `text-${textSchemaVersion}.db`)
}

/** Opens the index for writing or reading; several threads may. `isSynced`: a batch that was written survives a power cut. Throws
 *  `StorageFault`. */
export function openTextStore(path: string, options: { isSynced?: boolean } = {}): Store {
  return openDerived(path, textSchema, options)
}

/** Creates the folder of the index, and removes indexes of other versions. */
export async function prepareTextFolder(indexesFolder: string, disk: Disk): Promise<void> {
  const folder = join(indexesFolder, 'text')
  await disk.makeFolder(folder)
  const kept = textIndexPath(indexesFolder)
  for (const { name } of await disk.list(folder)) {
    const path = join(folder, name)
    if (/^text-\d+\.db$/.test(name) && path !== kept) await removeDatabase(path, disk)
  }
}
