/** The records in which an archive file keeps logs of the harvest that it belongs to, as NetarchiveSuite and Loupe write them into
 *  metadata files. Read line by line, so never more than a chunk of a log is in memory. */
import { linesOf, type Line } from '../../formats/bytes/lines.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { DiskFault, type TaskContext } from '../../world/world.ts'

/** `crawlLog`: what became of each URL. `migration`: where records went when their files were compressed. */
export type LogKind = 'crawlLog' | 'migration'

export interface LogPlace {
  kind: LogKind
  offset: number
  length: number
}

/** Every URL of such a record contains it: quick to look for in a line of an index. */
export const logUrlPart = '/crawl/'

/** By the record's URL; undefined: it is none of them. A log that was begun again in its harvest has a number. The compression tool of
 *  NetarchiveSuite leaves the organisation out of its URLs. */
export function logKindOf(url: string): LogKind | undefined {
  if (/^metadata:\/\/[^/]*\/crawl\/logs\/crawl\.log(\.\d+)?(\?|$)/.test(url)) return 'crawlLog'
  return /^metadata:\/\/([^/]*\/)?crawl\/index\/(de)?duplicationmigration(\?|$)/.test(url) ? 'migration' : undefined
}

export interface LogRead {
  /** Can be iterated once. */
  lines: AsyncIterable<Line>
  /** After the last line: whether the log was read to its end, and nothing of it is damaged. */
  isWhole: boolean
}

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
