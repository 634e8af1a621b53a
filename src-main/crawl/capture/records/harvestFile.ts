/** The WARC file that a job is writing. The file is a log, and the database records how much of it counts: bytes are appended and
 *  synced first, then `committed_bytes` is raised in the transaction that settles the documents. If the process is killed, the
 *  bytes past that mark belong to documents that are still queued, and are cut off at the next start (`recoverFiles`). While the
 *  file is being written, its name is `<name>.open`. */
import { message, type Message } from '../../../contract/words/message.ts'
import { join } from 'node:path'
import { stateIn } from '../../../storage/schema/stateIn.ts'
import { documentStates, resultDocumentStates } from '../../../contract/states/documentStates.ts'
import { newRecord, warcMember, type WarcVersion } from '../../../formats/records/warcWriter.ts'
import { moveSql } from '../../../storage/guard.ts'
import type { Store } from '../../../storage/storage.ts'
import { DiskFault, type World, type WritableFile } from '../../../world/world.ts'

/** A file of a job that is no longer written to: CLOSED until every replica has it, then STORED. */
export interface ClosedFile {
  id: number
  name: string
  state: 'CLOSED' | 'STORED'
  bytes: number
}

/** The open file of a job, with its writing position. */
export interface HarvestFile {
  readonly id: number
  readonly name: string
  readonly position: number
  append(chunks: Uint8Array[]): Promise<void>
  sync(): Promise<void>
  /** Commits everything appended so far, `records` records; must be called inside a transaction. */
  commit(records: number): void
  /** Closes the file without committing, after a failed commit. Opening it again restores the state in the database, including
   *  the warcinfo record; this is the same path as a start after a kill. */
  abandon(): Promise<void>
  /** Cuts off what is not committed and gives the file its final name; removes the file if nothing was committed. */
  close(): Promise<void>
}

interface FileRow {
  id: number
  job: number
  serial: number
  name: string
  state: 'OPEN' | 'CLOSED' | 'STORED'
  committedBytes: number
}

const again = moveSql(documentStates, 'rediscovered')
/** Condition: the document's last answer, or its last answer that differed from the one before, is in this file. */
const isIn = `job_id = @job AND (file_id = @id OR document.id IN (SELECT document_id FROM capture WHERE file_id = @id))`
const resetColumns = `outcome = NULL, reason = NULL, detail = NULL, truncated = NULL, payload_digest = NULL, file_id = NULL, file_offset = NULL,
  comparison = NULL, due_ms = @nowMs, check_action = 'rescan', attempts = 0, priority = NULL, needs_priority = 1`

function statements(store: Store) {
  const columns = `id, job_id AS job, serial, name, state, committed_bytes AS committedBytes`
  return {
    add: store.statement<{ job: number; serial: number; name: string }, FileRow>(
      `INSERT INTO harvest_file (job_id, serial, name, state, committed_bytes) VALUES (@job, @serial, @name, 'OPEN', 0)
       RETURNING ${columns}`,
    ),
    adopt: store.statement<{ job: number; serial: number; name: string; bytes: number; records: number }>(
      `INSERT INTO harvest_file (job_id, serial, name, state, committed_bytes, records)
       VALUES (@job, @serial, @name, 'CLOSED', @bytes, @records)`,
    ),
    nextSerial: store.statement<{ job: number }, { serial: number }>(
      `SELECT COALESCE(MAX(serial), 0) + 1 AS serial FROM harvest_file WHERE job_id = @job`,
    ),
    open: store.statement<{ job: number }, FileRow>(
      `SELECT ${columns} FROM harvest_file WHERE job_id = @job AND state = 'OPEN' ORDER BY serial LIMIT 1`,
    ),
    ofJob: store.statement<{ job: number }, FileRow>(
      `SELECT ${columns} FROM harvest_file WHERE job_id = @job ORDER BY serial`,
    ),
    /** Files that no metadata file describes yet. */
    giveAccount: store.statement<{ job: number; metadataName: string }>(
      `UPDATE harvest_file SET metadata_name = @metadataName WHERE job_id = @job AND state = 'CLOSED' AND metadata_name IS NULL`,
    ),
    ofAccount: store.statement<{ job: number; metadataName: string }, { name: string }>(
      `SELECT name FROM harvest_file WHERE job_id = @job AND metadata_name = @metadataName ORDER BY serial`,
    ),
    forgetAccount: store.statement<{ job: number; metadataName: string }>(
      `UPDATE harvest_file SET metadata_name = NULL WHERE job_id = @job AND metadata_name = @metadataName`,
    ),
    named: store.statement<{ name: string }, { job: number }>(
      `SELECT job_id AS job FROM harvest_file WHERE name = @name`,
    ),
    commit: store.statement<{ id: number; bytes: number; records: number }>(
      `UPDATE harvest_file SET committed_bytes = @bytes, records = records + @records WHERE id = @id`,
    ),
    setState: store.statement<{ id: number; state: string }>(`UPDATE harvest_file SET state = @state WHERE id = @id`),
    drop: store.statement<{ id: number }>(`DELETE FROM harvest_file WHERE id = @id`),
    /** Queues the documents captured in a file that is shorter than its mark; returns how many. */
    refetch: store.statement<{ id: number; job: number; nowMs: number }>(
      `UPDATE document SET ${again.set}, ${resetColumns} WHERE ${isIn} AND ${stateIn(resultDocumentStates)}`,
    ),
    /** Makes documents that were waiting for their next fetch due at once, because their capture is lost. */
    refetchSooner: store.statement<{ id: number; job: number; nowMs: number }>(
      `UPDATE document SET ${resetColumns} WHERE ${isIn} AND state = 'PENDINGPURGATORY'`,
    ),
    /** Adds documents that only an earlier run counted to the total of this run. */
    countLeft: store.statement<{ id: number; job: number }>(
      `UPDATE job SET documents_total = documents_total
         + (SELECT COUNT(*) FROM document WHERE ${isIn} AND document.state = 'UNCHANGED' AND outcome IS NULL)
       WHERE id = @job`,
    ),
    /** Deletes the captures in this file, so that a later run does not refer to records that are missing. */
    forgetCaptures: store.statement<{ id: number }>(`DELETE FROM capture WHERE file_id = @id`),
    recount: store.statement<{ job: number }>(
      `UPDATE job SET (documents_fetched, documents_duplicate, bytes) =
         (SELECT COUNT(*), COUNT(*) - COUNT(DISTINCT payload_digest), COALESCE(SUM(bytes), 0) FROM document
          WHERE job_id = @job AND outcome = 'fetched')
       WHERE id = @job`,
    ),
  }
}

type Statements = ReturnType<typeof statements>

/** The job, its run and its folder, as the functions of this module need them. */
export interface FileSetting {
  store: Store
  world: World
  /** `<archive>/jobs/<id>`. */
  folder: string
  job: number
  /** Id of the run that writes; part of the names of its working files and of its metadata file. */
  runId: string
  harvest: number
  software: string
  /** How the job harvests, as warcinfo fields, so that the file still documents it years later. */
  practice: readonly string[]
  warcVersion: WarcVersion
}

/** Opens the job's open file, or a new one that begins with its warcinfo record. Rejects with `DiskFault` if the open file is
 *  shorter than its committed length. */
export async function openHarvestFile(setting: FileSetting): Promise<HarvestFile> {
  const { store, job } = setting
  const sql = statements(store)
  const row = sql.open.get({ job })
  const isUsable = row !== undefined && !(await hasItsName(setting, sql, row))
  return openedAt(setting, sql, isUsable ? row : addRow(setting, sql))
}

async function openedAt(setting: FileSetting, sql: Statements, row: FileRow): Promise<HarvestFile> {
  const { world, folder } = setting
  const path = join(folder, row.name)
  const file = await world.disk.openWrite(`${path}.open`, 'append')
  let committed = row.committedBytes
  try {
    // Padding the file with zeros would forge content; the next start queues its documents again.
    if (file.position < committed) throw new DiskFault('failed', `${path}.open`)
    await file.truncate(committed)
    if (committed === 0) {
      await appendWarcinfo(setting, row.name, file)
      // The name must be on the disk before the database counts a byte of the file.
      await world.disk.syncFolder(folder)
    }
  } catch (error) {
    await file.close()
    throw error
  }

  return {
    id: row.id,
    name: row.name,
    get position() {
      return file.position
    },
    append: (chunks) => file.append(chunks),
    sync: () => file.sync(),
    commit(records) {
      committed = file.position
      sql.commit.run({ id: row.id, bytes: committed, records })
    },
    abandon: () => file.close(),
    async close() {
      try {
        await file.truncate(committed)
        await file.sync()
      } finally {
        await file.close()
      }
      await finish(world, sql, row, path, committed)
    },
  }
}

/** Cuts torn tails and completes interrupted renames; runs at the start, before anything else is done to the job. Returns log
 *  lines that describe what was done. */
export async function recoverFiles({ store, world, folder, job }: FileSetting): Promise<Message[]> {
  const sql = statements(store)
  const found: Message[] = []
  for (const row of sql.ofJob.all({ job }).filter(({ state }) => state === 'OPEN')) {
    if (await hasItsName({ world, folder }, sql, row)) continue
    const path = join(folder, row.name)
    const bytes = (await world.disk.stat(`${path}.open`))?.bytes ?? 0
    if (bytes > row.committedBytes) {
      const file = await world.disk.openWrite(`${path}.open`, 'append')
      await file.truncate(row.committedBytes)
      await file.sync()
      await file.close()
      found.push(message('jobLog.file.cut', { name: row.name, bytes: bytes - row.committedBytes }))
    }
    if (bytes < row.committedBytes) found.push(takeBack(store, sql, row, bytes, world.clock.now()))
  }
  return found
}

/** Whether the file was already renamed when a kill or fault kept the database from recording it as closed; records it now. */
async function hasItsName(
  { world, folder }: Pick<FileSetting, 'world' | 'folder'>,
  sql: Statements,
  row: FileRow,
): Promise<boolean> {
  const path = join(folder, row.name)
  if ((await world.disk.stat(`${path}.open`)) || !(await world.disk.stat(path))) return false
  await world.disk.syncFolder(folder)
  sql.setState.run({ id: row.id, state: 'CLOSED' })
  return true
}

/** Queues the documents of a file that lost bytes which had been synced; returns a log line. */
function takeBack(store: Store, sql: Statements, row: FileRow, bytes: number, nowMs: number): Message {
  const urls = store.transaction(() => {
    // The whole file is fetched again: any remaining record may be torn, and the file is not yet in the archive.
    const { id, job } = row
    sql.countLeft.run({ id, job })
    const count = sql.refetchSooner.run({ id, job, nowMs }) + sql.refetch.run({ id, job, nowMs })
    sql.forgetCaptures.run({ id })
    sql.recount.run({ job: row.job })
    // The new captures go into a file with another name, since a replica may hold the complete one.
    sql.drop.run({ id: row.id })
    return count
  })
  return message('jobLog.file.shorter', { name: row.name, bytes: row.committedBytes - bytes, urls })
}

/** Every closed file of the job, oldest first. */
export function closedFiles(store: Store, job: number): ClosedFile[] {
  return statements(store)
    .ofJob.all({ job })
    .flatMap(({ id, name, state, committedBytes: bytes }) => (state === 'OPEN' ? [] : [{ id, name, state, bytes }]))
}

/** Names of the closed files that the metadata file `metadataName` describes: all that no earlier metadata file does. The
 *  assignment is recorded once, so a kill while the metadata file is being written does not change it. */
export function filesOfAccount(store: Store, job: number, metadataName: string): string[] {
  const sql = statements(store)
  sql.giveAccount.run({ job, metadataName })
  return sql.ofAccount.all({ job, metadataName }).map(({ name }) => name)
}

/** Undoes the assignment of `filesOfAccount` for a metadata file that was never written. */
export function forgetAccount(store: Store, account: { job: number; metadataName: string }): void {
  statements(store).forgetAccount.run(account)
}

/** The job that writes or wrote a file of this name; undefined if there is none. */
export function jobOfFile(store: Store, name: string): number | undefined {
  return statements(store).named.get({ name })?.job
}

/** Registers a complete, imported file that is already in the job's folder as a closed file of the job. */
export function adoptFile(store: Store, file: { job: number; name: string; bytes: number; records: number }): void {
  const sql = statements(store)
  sql.adopt.run({ ...file, serial: sql.nextSerial.get({ job: file.job })?.serial ?? 1 })
}

/** Whether the job has a file that is still being written. */
export function hasOpenFile(store: Store, job: number): boolean {
  return statements(store).open.get({ job }) !== undefined
}

/** Whether the job has a file, of any run, that is not yet in every replica. */
export function hasUnstored(store: Store, job: number): boolean {
  return statements(store)
    .ofJob.all({ job })
    .some(({ state }) => state !== 'STORED')
}

/** Records that every replica has the file. */
export function markStored(store: Store, id: number): void {
  statements(store).setState.run({ id, state: 'STORED' })
}

async function finish(world: World, sql: Statements, row: FileRow, path: string, committed: number): Promise<void> {
  if (committed === 0) {
    await world.disk.remove(`${path}.open`)
    sql.drop.run({ id: row.id })
    return
  }
  await world.disk.rename(`${path}.open`, path)
  await world.disk.syncFolder(join(path, '..'))
  sql.setState.run({ id: row.id, state: 'CLOSED' })
}

/** Adds a row for a new file. Its name follows the pattern of NetarchiveSuite:
 *  `<job>-<harvest>-<17-digit time>-<serial>-<software>.warc.gz`. */
function addRow({ world, job, harvest }: FileSetting, sql: Statements): FileRow {
  const serial = sql.nextSerial.get({ job })?.serial ?? 1
  const time = new Date(world.clock.now()).toISOString().replace(/[^0-9]/g, '')
  const row = sql.add.get({
    job,
    serial,
    name: `${job}-${harvest}-${time}-${String(serial).padStart(5, '0')}-loupe.warc.gz`,
  })
  if (!row) throw new Error('a harvest file was not added')
  return row
}

async function appendWarcinfo(
  { world, job, software, practice, warcVersion }: FileSetting,
  name: string,
  file: WritableFile,
): Promise<void> {
  const text = [
    `software: ${software}`,
    `format: WARC File Format ${warcVersion}`,
    `conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-${warcVersion}/`,
    `isPartOf: ${job}`,
    ...practice,
  ]
  const member = await warcMember(
    newRecord({
      version: warcVersion,
      type: 'warcinfo',
      id: world.chance.uuid(),
      dateMs: world.clock.now(),
      fields: [['WARC-Filename', name]],
      contentType: 'application/warc-fields',
      block: [Buffer.from(`${text.join('\r\n')}\r\n`, 'utf8')],
    }),
    6,
  )
  await file.append([member.bytes])
}
