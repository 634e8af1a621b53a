/** Brings the files of a job into agreement with the database after a kill or a fault: torn tails are cut off, interrupted renames
 *  are completed, and documents whose records were lost are queued again. */
import { join } from 'node:path'
import { message, type Message } from '../../../contract/words/message.ts'
import type { Store } from '../../../storage/storage.ts'
import type { FileSetting } from './fileSetting.ts'
import { fileStatements, lossStatements, type FileRow, type FileStatements } from './harvestFile.sql.ts'

/** Cuts torn tails and completes interrupted renames; runs at the start, before anything else is done to the job. Returns log
 *  lines that describe what was done. */
export async function recoverFiles({ store, world, folder, job }: FileSetting): Promise<Message[]> {
  const sql = fileStatements(store)
  const found: Message[] = []
  for (const row of sql.ofJob.all({ job }).filter(({ state }) => state === 'OPEN')) {
    if (await hasItsName({ world, folder }, sql, row)) continue
    const path = join(folder, row.name)
    const bytes = (await world.disk.stat(`${path}.open`))?.bytes ?? 0
    if (bytes > row.committedBytes) {
      const file = await world.disk.openWrite(`${path}.open`, 'append')
      try {
        await file.truncate(row.committedBytes)
        await file.sync()
      } finally {
        await file.close()
      }
      found.push(message('jobLog.file.cut', { name: row.name, bytes: bytes - row.committedBytes }))
    }
    if (bytes < row.committedBytes) found.push(takeBack(store, row, bytes, world.clock.now()))
  }
  return found
}

/** Whether the file was already renamed when a kill or fault kept the database from recording it as closed; records it now. */
export async function hasItsName(
  { world, folder }: Pick<FileSetting, 'world' | 'folder'>,
  sql: FileStatements,
  row: FileRow,
): Promise<boolean> {
  const path = join(folder, row.name)
  if ((await world.disk.stat(`${path}.open`)) || !(await world.disk.stat(path))) return false
  await world.disk.syncFolder(folder)
  sql.setState.run({ id: row.id, state: 'CLOSED' })
  return true
}

/** Queues the documents of a file that lost bytes which had been synced; returns a log line. */
function takeBack(store: Store, row: FileRow, bytes: number, nowMs: number): Message {
  const sql = lossStatements(store)
  const urls = store.transaction(() => {
    // The whole file is fetched again: any remaining record may be torn, and the file is not yet in the archive.
    const { id, job } = row
    sql.countLeft.run({ id, job })
    const count = sql.refetchSooner.run({ id, job, nowMs }) + sql.refetch.run({ id, job, nowMs })
    sql.forgetCaptures.run({ id })
    sql.recount.run({ job: row.job })
    // The new captures go into a file with another name, since a replica may hold the complete one.
    fileStatements(store).drop.run({ id: row.id })
    return count
  })
  return message('jobLog.file.shorter', { name: row.name, bytes: row.committedBytes - bytes, urls })
}
