/** Records with harvest logs in metadata files of NetarchiveSuite and Loupe. They are read line by line, with no more than a
 *  chunk in memory. */
import { linesOf, type Line } from '../../formats/bytes/lines.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { DiskFault, type TaskContext } from '../../world/world.ts'

/** `crawlLog`: the outcome of each URL. `migration`: new offsets of records whose files were compressed. */
export type LogKind = 'crawlLog' | 'migration'

/** A record with a log. */
export interface LogPlace {
  kind: LogKind
  offset: number
  length: number
}

/** Occurs in the URL of every such record, and is quick to search for in an index line. */
export const logUrlPart = '/crawl/'

/** The kind of log by the record's URL. Undefined: not a log. Logs that were continued have a number, and NetarchiveSuite's
 *  compression tool omits the organisation. */
export function logKindOf(url: string): LogKind | undefined {
  if (/^metadata:\/\/[^/]*\/crawl\/logs\/crawl\.log(\.\d+)?(\?|$)/.test(url)) return 'crawlLog'
  return /^metadata:\/\/([^/]*\/)?crawl\/index\/(de)?duplicationmigration(\?|$)/.test(url) ? 'migration' : undefined
}

/** A log that is being read. */
export interface LogRead {
  /** Can be iterated once. */
  lines: AsyncIterable<Line>
  /** After the last line: the log was read to its end and is undamaged. */
  isWhole: boolean
}

/** Opens a log. It is read while its lines are iterated over. */
export function readLog(
  { world, signal }: Pick<TaskContext<unknown>, 'world' | 'signal'>,
  { path, kind, offset, length }: LogPlace & { path: string },
): LogRead {
  const read: LogRead = { lines: lines(), isWhole: false }
  return read

  async function* lines(): AsyncGenerator<Line> {
    try {
      const file = await world.disk.openRead(path)
      try {
        const record = await readRecordAt(file, offset, length)
        if (record === undefined || logKindOf(record.url ?? '') !== kind) return
        for await (const line of linesOf(record.block())) {
          signal.throwIfAborted()
          yield line
        }
        read.isWhole = (await record.finish()).whole
      } finally {
        await file.close()
      }
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
    }
  }
}
