/** Provides lists of duplicates per archive file. Each is extracted once from the crawl logs in the file, and kept. */
import { message } from '../../contract/words/message.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { World } from '../../world/world.ts'
import type { DuplicatesToAdd } from './addDuplicates.ts'
import { whyUnavailable, type LineFile, type MissingFile } from '../lines/captureLines.ts'
import { isWholeList } from '../logs/duplicateList.ts'
import type { DuplicateListInput, DuplicateListOutcome } from './duplicateList.thread.ts'
import type { LogPlace } from '../logs/logRecords.ts'

interface Wanted {
  logs: readonly (LogPlace & { name: string })[]
  /** Line files by the name of the archive file. */
  lineFiles: ReadonlyMap<string, LineFile>
  signal: AbortSignal
}

/** The lists that exist or were made. */
export interface DuplicateLists {
  duplicates: DuplicatesToAdd[]
  /** Files whose crawl logs could not be read completely, so some duplicates are unknown. */
  missing: MissingFile[]
}

/** Finds or makes the lists. Rejects with the signal's reason. */
export async function duplicateLists(
  { world, archive }: { world: World; archive: Archive },
  { logs, lineFiles, signal }: Wanted,
): Promise<DuplicateLists> {
  const found: DuplicateLists = { duplicates: [], missing: [] }
  for (const [name, places] of Map.groupBy(logs, (place) => place.name)) {
    const lineFile = lineFiles.get(name)
    if (lineFile === undefined) continue
    const list = lineFile.lines.replace(/\.cdxj$/, '.duplicates')
    if (await isKept(world, list)) {
      found.duplicates.push({ name, list, isWhole: true })
      continue
    }
    const copy = await archive.pathOfFile(name)
    if (copy === undefined) {
      const problem = await whyUnavailable(archive, name)
      found.missing.push({ name, reason: message('index.log.unreadable', { problem }) })
      continue
    }
    const { isWhole } = await world.threads.run<DuplicateListInput, DuplicateListOutcome>(
      new URL('./duplicateList.thread.ts', import.meta.url),
      { path: copy.path, logs: places, target: list },
      { signal },
    )
    found.duplicates.push({ name, list, isWhole })
    if (!isWhole) found.missing.push({ name, reason: message('index.log.damaged') })
  }
  return found
}

async function isKept({ disk }: World, path: string): Promise<boolean> {
  if (!(await disk.stat(path))) return false
  const file = await disk.openRead(path)
  try {
    return await isWholeList(file)
  } finally {
    await file.close()
  }
}
