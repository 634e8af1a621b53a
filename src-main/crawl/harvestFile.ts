/** The WARC file that a job is writing. The file is a log, and the database says how much of it counts: bytes are appended
 *  and synced first, then `committed_bytes` is raised in the transaction that settles the documents. So after a kill
 *  everything behind that mark is a torn tail of documents that are still waiting, and is cut off (`recoverFiles`).
 *  While it is written the file is called `<name>.open`. */
import { join } from 'node:path'
import { newRecord, warcMember } from '../formats/warc.ts'
import type { Store } from '../storage/storage.ts'
import type { World, WritableFile } from '../world/world.ts'

export interface HarvestFile {
  readonly id: number
  readonly name: string
  readonly position: number
  append(chunks: Uint8Array[]): Promise<void>
  sync(): Promise<void>
  /** Inside a transaction: everything appended so far counts from now on. */
  commit(records: number): void
  /** When a commit failed, wherever that was: lets go of the file. Opened again it is as the database says, warcinfo and all;
   *  that is the way of a start after a kill, so there is no second one. */
  abandon(): Promise<void>
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
    commit: store.statement<{ id: number; bytes: number; records: number }>(
      `UPDATE harvest_file SET committed_bytes = @bytes, records = records + @records WHERE id = @id`,
    ),
    setState: store.statement<{ id: number; state: string }>(`UPDATE harvest_file SET state = @state WHERE id = @id`),
    drop: store.statement<{ id: number }>(`DELETE FROM harvest_file WHERE id = @id`),
    /** Captures that a file shorter than its mark no longer holds: they are fetched again. */
    refetch: store.statement<{ id: number; bytes: number; nowMs: number }>(
      `UPDATE document SET state = 'PENDING', outcome = NULL, due_ms = @nowMs, attempts = 0
       WHERE file_id = @id AND file_offset >= @bytes AND state = 'COMPLETE'`,
    ),
    forget: store.statement<{ job: number; count: number }>(
      `UPDATE job SET documents_fetched = documents_fetched - @count WHERE id = @job`,
    ),
  }
}

export interface FileSetting {
  store: Store
  world: World
  /** `<archive>/jobs/<id>`. */
  folder: string
  job: number
  harvest: number
  software: string
}

/** The job's open file, or a new one that begins with its warcinfo record. */
export async function openHarvestFile(setting: FileSetting): Promise<HarvestFile> {
  const { store, world, folder, job } = setting
  const sql = statements(store)
  const row = sql.open.get({ job }) ?? addRow(setting, sql)
  const path = join(folder, row.name)
  const file = await world.disk.openWrite(`${path}.open`, 'append')
  await file.truncate(row.committedBytes)
  let committed = row.committedBytes
  if (committed === 0) await appendWarcinfo(setting, row.name, file)

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
      await file.truncate(committed)
      await file.sync()
      await file.close()
      await finish(world, sql, row, path, committed)
    },
  }
}

/** At the start, before anything else of the job: cuts torn tails, finishes half-done renames, and says what it did. */
export async function recoverFiles({ store, world, folder, job }: FileSetting): Promise<string[]> {
  const sql = statements(store)
  const said: string[] = []
  for (const row of sql.ofJob.all({ job }).filter(({ state }) => state === 'OPEN')) {
    const path = join(folder, row.name)
    const open = await world.disk.stat(`${path}.open`)
    if (!open && (await world.disk.stat(path))) {
      sql.setState.run({ id: row.id, state: 'CLOSED' })
      continue
    }
    const bytes = open?.bytes ?? 0
    if (bytes > row.committedBytes) {
      const file = await world.disk.openWrite(`${path}.open`, 'append')
      await file.truncate(row.committedBytes)
      await file.sync()
      await file.close()
      said.push(
        `${row.name}: ${bytes - row.committedBytes} bytes of unfinished records were cut off; their documents are fetched again`,
      )
    }
    if (bytes < row.committedBytes) said.push(takeBack(store, sql, row, bytes, world.clock.now()))
  }
  return said
}

/** The disk lost bytes that it had promised to keep: what lies behind the loss is fetched again. */
function takeBack(
  store: Store,
  sql: ReturnType<typeof statements>,
  row: FileRow,
  bytes: number,
  nowMs: number,
): string {
  const lost = store.transaction(() => {
    // From the beginning: a record may be torn anywhere in what is left, and the file is not yet in the archive.
    const count = sql.refetch.run({ id: row.id, bytes: 0, nowMs })
    sql.forget.run({ job: row.job, count })
    sql.commit.run({ id: row.id, bytes: 0, records: 0 })
    return count
  })
  return `${row.name} is ${row.committedBytes - bytes} bytes shorter than it was: its ${lost} documents are fetched again`
}

/** Every file of the job that is closed, oldest first. */
export function closedFiles(store: Store, job: number): { id: number; name: string; state: 'CLOSED' | 'STORED' }[] {
  return statements(store)
    .ofJob.all({ job })
    .flatMap(({ id, name, state }) => (state === 'OPEN' ? [] : [{ id, name, state }]))
}

/** Takes a whole file that lies in the job's folder already, one that was imported, as a closed file of the job. */
export function adoptFile(store: Store, file: { job: number; name: string; bytes: number; records: number }): void {
  const sql = statements(store)
  sql.adopt.run({ ...file, serial: sql.nextSerial.get({ job: file.job })?.serial ?? 1 })
}

export function hasOpenFile(store: Store, job: number): boolean {
  return statements(store).open.get({ job }) !== undefined
}

export function markStored(store: Store, id: number): void {
  statements(store).setState.run({ id, state: 'STORED' })
}

async function finish(
  world: World,
  sql: ReturnType<typeof statements>,
  row: FileRow,
  path: string,
  committed: number,
): Promise<void> {
  if (committed === 0) {
    await world.disk.remove(`${path}.open`)
    sql.drop.run({ id: row.id })
    return
  }
  await world.disk.rename(`${path}.open`, path)
  await world.disk.syncFolder(join(path, '..'))
  sql.setState.run({ id: row.id, state: 'CLOSED' })
}

/** Names as NetarchiveSuite gives them: `<job>-<harvest>-<17-digit time>-<serial>-<software>.warc.gz` (semantics 7.3). */
function addRow({ world, job, harvest }: FileSetting, sql: ReturnType<typeof statements>): FileRow {
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

async function appendWarcinfo({ world, job, software }: FileSetting, name: string, file: WritableFile): Promise<void> {
  const text = [
    `software: ${software}`,
    'format: WARC File Format 1.1',
    'conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
    `isPartOf: ${job}`,
  ]
  const member = await warcMember(
    newRecord({
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
