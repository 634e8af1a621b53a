/** Renames a file of an import whose name is taken: a replica holds a different file of that name, which the database did not
 *  know. The content does not change. */
import { join } from 'node:path'
import type { FileSetting } from '../capture/records/fileSetting.ts'
import { copyTo } from '../ownership/quarantine.ts'
import { freeNames } from '../import/freeName.ts'
import { importedNameStatements } from '../import/importedNames.sql.ts'

/** Returns the new name; undefined for a file that no import brought. The new file is complete before the database names it,
 *  and the old one is removed last, so a kill leaves at most one extra file. */
export async function renameRunFile(
  { store, world, folder, job }: Pick<FileSetting, 'store' | 'world' | 'folder' | 'job'>,
  file: { id: number; name: string },
): Promise<string | undefined> {
  const sql = importedNameStatements(store)
  const row = sql.ofName.get({ job, name: file.name })
  if (!row) return undefined
  const name = freeNames(store)(file.name)
  await copyTo(world, join(folder, file.name), join(folder, name))
  await world.disk.syncFolder(folder)
  store.transaction(() => {
    sql.rename.run({ id: row.id, name })
    sql.renameFile.run({ id: file.id, name })
  })
  await world.disk.remove(join(folder, file.name))
  return name
}
