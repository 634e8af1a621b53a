/** The WARC file that a job is writing. The file is a log, and the database records how much of it counts: bytes are appended and
 *  synced first, then `committed_bytes` is raised in the transaction that settles the documents. If the process is killed, the
 *  bytes past that length belong to documents that are still queued, and are cut off at the next start (`fileRecovery.ts`). While the
 *  file is being written, its name is `<name>.open`. */
import { join } from 'node:path'
import { digester } from '../../../formats/bytes/digest.ts'
import type { Capture } from '../../../formats/cdx/capture.ts'
import { newRecord, warcMember } from '../../../formats/records/warcWriter.ts'
import { DiskFault, type World } from '../../../world/world.ts'
import { hasItsName } from './fileRecovery.ts'
import type { FileSetting } from './fileSetting.ts'
import { fileStatements, type FileRow, type FileStatements } from './harvestFile.sql.ts'
import { linesPath } from '../../model/linesFile.ts'
import { WrittenLines } from './writtenLines.ts'

/** The open file of a job, with its writing position. */
export interface HarvestFile {
  readonly id: number
  readonly name: string
  readonly position: number
  append(chunks: Uint8Array[]): Promise<void>
  /** Adds captures that were appended to the index lines of the file, in its order. */
  index(captures: readonly Capture[]): Promise<void>
  sync(): Promise<void>
  /** Commits everything appended so far, `records` records; must be called inside a transaction. */
  commit(records: number): void
  /** Closes the file without committing, after a failed commit. Opening it again restores the state in the database, including
   *  the warcinfo record; this is the same path as a start after a kill. */
  abandon(): Promise<void>
  /** Cuts off what is not committed and gives the file its final name; removes the file if nothing was committed. */
  close(): Promise<void>
}

/** Opens the job's open file, or a new one that begins with its warcinfo record. Rejects with `DiskFault` if the open file is
 *  shorter than its committed length. */
export async function openHarvestFile(setting: FileSetting): Promise<HarvestFile> {
  const { store, job } = setting
  const sql = fileStatements(store)
  const row = sql.open.get({ job })
  const isUsable = row !== undefined && !(await hasItsName(setting, sql, row))
  return openedAt(setting, sql, isUsable ? row : addRow(setting, sql))
}

async function openedAt(setting: FileSetting, sql: FileStatements, row: FileRow): Promise<HarvestFile> {
  const { world, folder } = setting
  const path = join(folder, row.name)
  const file = await world.disk.openWrite(`${path}.open`, 'append')
  let committed = row.committedBytes
  // An earlier process may have written the beginning of the file; its lines and digest are made by reading it.
  const account = committed === 0 ? await beginAccount(world, linesPath(folder, row.name)) : undefined
  const append = async (chunks: Uint8Array[]) => {
    await file.append(chunks)
    account?.update(chunks)
  }
  const abandon = async () => {
    await file.close()
    await account?.lines.discard()
  }
  try {
    // Padding the file with zeros would forge content; the next start queues its documents again.
    if (file.position < committed) throw new DiskFault('failed', `${path}.open`)
    await file.truncate(committed)
    if (committed === 0) {
      await append([warcinfo(setting, row.name)])
      // The name must be on the disk before the database counts a byte of the file.
      await world.disk.syncFolder(folder)
    }
  } catch (error) {
    await abandon()
    throw error
  }

  return {
    id: row.id,
    name: row.name,
    get position() {
      return file.position
    },
    append,
    index: async (captures) => account?.lines.add(captures),
    sync: () => file.sync(),
    commit(records) {
      committed = file.position
      sql.commit.run({ id: row.id, bytes: committed, records })
    },
    abandon,
    async close() {
      const isExact = committed > 0 && file.position === committed
      try {
        await file.truncate(committed)
        await file.sync()
        // Before the lines get their name: if the file is continued after a fault, only its digest shows that they are incomplete.
        if (account && isExact) sql.setDigest.run({ id: row.id, sha256: account.sha256() })
      } catch (error) {
        await abandon()
        throw error
      }
      await file.close()
      if (isExact) await account?.lines.keep()
      else await account?.lines.discard()
      await finish(world, sql, row, path, committed)
    },
  }
}

/** What the writer of a whole file knows without reading it: its index lines and its SHA-256. */
async function beginAccount(world: World, path: string) {
  const digest = digester('sha256')
  return {
    lines: await WrittenLines.begin(world, path),
    update: (chunks: readonly Uint8Array[]) => chunks.forEach((chunk) => digest.update(chunk)),
    sha256: () => digest.hex(),
  }
}

/** Gives the file its final name, durably, before the database records it as closed. A file without a record is removed. */
async function finish(world: World, sql: FileStatements, row: FileRow, path: string, committed: number): Promise<void> {
  if (committed === 0) {
    await world.disk.remove(`${path}.open`)
    // After a power cut, a file that came back would belong to no job.
    await world.disk.syncFolder(join(path, '..'))
    sql.drop.run({ id: row.id })
    return
  }
  await world.disk.rename(`${path}.open`, path)
  await world.disk.syncFolder(join(path, '..'))
  sql.setState.run({ id: row.id, state: 'CLOSED' })
}

/** Adds a row for a new file. Its name follows the pattern of NetarchiveSuite:
 *  `<job>-<harvest>-<17-digit time>-<serial>-<software>.warc.gz`. */
function addRow({ world, job, harvest }: FileSetting, sql: FileStatements): FileRow {
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

/** Returns the record that describes the file (WARC 1.1 section 6.2), as a gzip member. */
function warcinfo({ world, job, software, practice, warcVersion }: FileSetting, name: string): Uint8Array {
  const text = [
    `software: ${software}`,
    `format: WARC File Format ${warcVersion}`,
    `conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-${warcVersion}/`,
    `isPartOf: ${job}`,
    ...practice,
  ]
  return warcMember(
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
  ).bytes
}
