/** Adds duplicates from crawl logs to a capture database. If the job has a record of the same fetch (NetarchiveSuite can write
 *  revisits as well), the record is used and the line left out. */
import { storedMessage } from '../../contract/words/message.ts'
import { surt } from '../../formats/cdx/surt.ts'
import { linesOf } from '../../files/disk/lineFile.ts'
import type { Store } from '../../storage/storage.ts'
import type { TaskContext } from '../../world/world.ts'
import { buildStatements, type CaptureValues } from '../captures/captureIndex.sql.ts'
import { parseListLine, type Duplicate, type DuplicateLine } from '../logs/duplicateList.ts'
import { duplicatesAtOnce } from '../model/limits.ts'

/** The list of duplicates in the crawl logs of one archive file. */
export interface DuplicatesToAdd {
  /** The archive file with the crawl logs. Its lines are in the database. */
  name: string
  list: string
  /** Its logs were read completely and need not be read again. */
  isWhole: boolean
}

/** Adds the duplicates of these lists and returns the number of additional captures. */
export async function addDuplicates(
  store: Store,
  { world, signal }: Pick<TaskContext<unknown>, 'world' | 'signal'>,
  lists: readonly DuplicatesToAdd[],
): Promise<number> {
  const adding = statementsOf(store)
  let captures = 0
  for (const { name, list, isWhole } of lists) {
    const file = buildStatements(store).fileNamed.get({ name })?.id
    if (file === undefined) throw new Error(`the database has no lines of ${name}`)
    adding.forgetMigrated.run({})
    let number = 0
    const lines = await world.disk.openRead(list)
    try {
      for await (const texts of linesOf(lines)) {
        signal.throwIfAborted()
        for (let at = 0; at < texts.length; at += duplicatesAtOnce) {
          store.transaction(() => {
            for (const text of texts.slice(at, at + duplicatesAtOnce)) {
              const line = parseListLine(text)
              if (line?.kind === 'duplicate') number += 1
              captures += line === undefined ? 0 : add(adding, line, { file, number })
            }
          })
        }
      }
    } finally {
      await lines.close()
    }
    store.transaction(() => {
      adding.migrate.run({ file })
      if (isWhole) buildStatements(store).setLogsRead.run({ file })
    })
  }
  store.transaction(() => {
    captures -= adding.dropRecorded.run({})
    adding.dropUnused.run({})
  })
  return captures
}

function add(
  { addCapture, addDuplicate, addMigrated, addQuarantined }: ReturnType<typeof statementsOf>,
  line: DuplicateLine,
  { file, number }: { file: number; number: number },
): number {
  switch (line.kind) {
    case 'unusable':
      addQuarantined.run({ file, offset: null, reason: storedMessage(line.reason), count: line.count })
      return 0
    case 'migrated':
      addMigrated.run({ name: line.from.filename, offset: line.from.offset, toName: line.to.filename, toOffset: line.to.offset }) // prettier-ignore
      return 0
    case 'duplicate': {
      const { original, beganMs, timestampMs, url } = line.duplicate
      const key = surt(url)
      const { filename, offset, url: originalUrl, timestampMs: originalMs } = original
      addDuplicate.run({ file, number, key, timestampMs, beganMs, filename, offset, originalUrl, originalMs })
      return addCapture.run(valuesOf(line.duplicate, { key, file, number }))
    }
  }
}

function valuesOf(
  { timestampMs, url, mediaType, status, payloadDigest }: Duplicate,
  { key, file, number }: { key: string; file: number; number: number },
): CaptureValues {
  const ofRecord = [url, mediaType.toLowerCase(), status, payloadDigest, 'duplicate', ''] as const
  return [key, timestampMs, file, number, 0, ...ofRecord]
}

interface DuplicateValues {
  file: number
  number: number
  key: string
  timestampMs: number
  beganMs: number | null
  filename: string
  offset: number
  originalUrl: string
  originalMs: number | null
}

/** The job of the crawl log has a record of the same fetch. Dates of records may be truncated to seconds. */
const isRecorded = `began_ms IS NOT NULL AND EXISTS (
  SELECT 1 FROM capture AS other JOIN file AS holder ON holder.id = other.file
  WHERE other.key = duplicate.key AND other.timestamp_ms BETWEEN began_ms - began_ms % 1000 AND began_ms - began_ms % 1000 + 999
    AND other.method = '' AND other.record_type <> 'duplicate'
    AND holder.job = (SELECT job FROM file WHERE file.id = duplicate.file))`

function statementsOf(store: Store) {
  store
    .statement<object>(
      `CREATE TEMP TABLE IF NOT EXISTS migrated (name TEXT, "offset" INTEGER, to_name TEXT, to_offset INTEGER, PRIMARY KEY (name, "offset")) WITHOUT ROWID`,
    )
    .run({})
  const { addCapture, addQuarantined } = buildStatements(store)
  return {
    addCapture,
    addQuarantined,
    addDuplicate: store.statement<DuplicateValues>(
      `INSERT OR REPLACE INTO duplicate (file, number, key, timestamp_ms, began_ms, original_file, original_offset, original_url, original_ms)
       VALUES (@file, @number, @key, @timestampMs, @beganMs, @filename, @offset, @originalUrl, @originalMs)`,
    ),
    forgetMigrated: store.statement<object>(`DELETE FROM migrated`),
    addMigrated: store.statement<{ name: string; offset: number; toName: string; toOffset: number }>(
      `INSERT OR REPLACE INTO migrated (name, "offset", to_name, to_offset) VALUES (@name, @offset, @toName, @toOffset)`,
    ),
    migrate: store.statement<{ file: number }>(
      `UPDATE duplicate SET original_file = to_name, original_offset = to_offset FROM migrated
       WHERE duplicate.file = @file AND name = original_file AND migrated."offset" = original_offset`,
    ),
    dropRecorded: store.statement<object>(
      `DELETE FROM capture WHERE (key, timestamp_ms, file, offset) IN
         (SELECT key, timestamp_ms, file, number FROM duplicate WHERE ${isRecorded})`,
    ),
    dropUnused: store.statement<object>(`DELETE FROM duplicate WHERE ${isRecorded}`),
  }
}
