/** Extracts duplicates from the crawl logs of an archive file. */
import { message } from '../../contract/words/message.ts'
import { writeWhole } from '../../files/disk/lineFile.ts'
import type { Task } from '../../world/world.ts'
import { duplicateLineOf, listEnd, listText, migratedLineOf, type DuplicateLine } from '../logs/duplicateList.ts'
import { logLinesAtOnce, unusableLinesMax } from '../model/limits.ts'
import { readLog, type LogPlace } from '../logs/logRecords.ts'

/** The crawl logs of one archive file. `path`: a copy of the file. */
export interface DuplicateListInput {
  path: string
  logs: LogPlace[]
  /** Path of the list. */
  target: string
}

/** Result of extracting a list. */
export interface DuplicateListOutcome {
  /** Every log was read completely. */
  isWhole: boolean
}

export const task: Task<DuplicateListInput, DuplicateListOutcome> = async (context, { path, logs, target }) => {
  let isWhole = true
  let unusable = 0
  await writeWhole(context.world, target, async (append) => {
    let found: DuplicateLine[] = []
    const flush = async () => {
      await append(Buffer.from(listText(found)))
      found = []
    }
    for (const place of logs) {
      const log = readLog(context, { ...place, path })
      for await (const { text, number } of log.lines) {
        const line = place.kind === 'crawlLog' ? duplicateLineOf(text, number) : migratedLineOf(text)
        if (line?.kind === 'unusable' && (unusable += 1) > unusableLinesMax) continue
        if (line !== undefined && found.push(line) >= logLinesAtOnce) await flush()
      }
      isWhole &&= log.isWhole
    }
    const more = unusable - unusableLinesMax
    if (more > 0) found.push({ kind: 'unusable', reason: message('index.log.more', { count: more }), count: more })
    await flush()
    if (isWhole) await append(Buffer.from(listEnd))
  })
  return { isWhole }
}
