/** The file of the text index. It may be deleted at any time; one of another version is removed and built again. */
import { join } from 'node:path'
import { shownCaptures, type CaptureRule, type ShownCaptures } from '../../../formats/cdx/captureRules.ts'
import { openDerived, type SqlFunction, type Store } from '../../../storage/storage.ts'
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
  return openDerived(path, textSchema, { ...options, functions: { is_shown: isShown() } })
}

/** The SQL function `is_shown(rules, job, url)`: whether rules (JSON) show a capture; its job is 0 where it has none. */
function isShown(): SqlFunction {
  let last: { rules: unknown; shown: ShownCaptures } = { rules: undefined, shown: shownCaptures([]) }
  return (rules, job, url) => {
    if (last.rules !== rules) last = { rules, shown: shownCaptures(JSON.parse(String(rules)) as CaptureRule[]) }
    return last.shown.capture({ job: job === 0 ? null : Number(job), url: String(url) }) ? 1 : 0
  }
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
