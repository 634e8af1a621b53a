/** For tests of the floors above the archive: an archive in a temporary folder, with WARC files made of rows. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openArchive, type Archive } from '../../archive/store/archive.ts'
import { newRecord, warcMember, type RecordHeader } from '../../formats/records/warcWriter.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { openTasks, type Tasks } from '../../tasks/tasks.ts'
import { realWorld } from '../../world/real.ts'
import type { World } from '../../world/world.ts'

export interface Row {
  url: string
  /** ISO 8601. */
  at: string
  status?: number
  reason?: string
  fields?: readonly (readonly [string, string])[]
  body?: string | Uint8Array
  type?: RecordHeader['type']
  /** Fields in addition to the target. */
  warcFields?: readonly (readonly [string, string])[]
  /** Complete block; replaces the one built from status, fields and body. */
  block?: Uint8Array
  contentType?: string
}

export interface ArchiveFixture extends AsyncDisposable {
  folder: string
  world: World
  store: Store
  archive: Archive
  tasks: Tasks
  /** Adds a file and returns the offset of each record. */
  add(file: {
    name: string
    job: number | null
    kind?: 'content' | 'metadata'
    rows: readonly Row[]
    spoil?: (bytes: Buffer) => void
  }): Promise<number[]>
}

export async function createArchive(): Promise<ArchiveFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-'))
  const world = realWorld()
  const store = openStore(join(folder, 'loupe.db'))
  const archive = await openArchive({ store, world, replicas: [{ name: 'one', folder: join(folder, 'one') }] })
  const tasks = openTasks({ store, world, onBug: raise })
  return {
    folder,
    world,
    store,
    archive,
    tasks,
    async add({ name, job, kind = 'content', rows, spoil }) {
      const members = rows.map((row) => warcMember(newRecord(recordOf(row, world)), 6).bytes)
      const path = join(folder, `new-${name}`)
      const bytes = Buffer.concat(members)
      spoil?.(bytes)
      await writeFile(path, bytes)
      const outcome = await archive.store({ path, name, kind, jobId: job })
      if (outcome.state !== 'stored') throw new Error(JSON.stringify(outcome))
      return members.map((_, index) => members.slice(0, index).reduce((sum, { length }) => sum + length, 0))
    },
    async [Symbol.asyncDispose]() {
      await tasks.close()
      store.close()
      await rm(folder, { recursive: true })
    },
  }
}

function recordOf(row: Row, world: World) {
  const { url, at, type = 'response', warcFields = [], contentType = 'application/http;msgtype=response' } = row
  const head = Buffer.from(headText(row), 'latin1')
  const block = row.block ?? Buffer.concat([head, Buffer.from(row.body ?? '')])
  return {
    type,
    id: world.chance.uuid(),
    dateMs: Date.parse(at),
    fields: [['WARC-Target-URI', url], ...warcFields] as [string, string][],
    contentType,
    ...(type === 'response' && row.block === undefined && { payload: { offset: head.length } }),
    block: [block],
  }
}

function headText({ status = 200, reason = 'OK', fields = [['Content-Type', 'text/html']] }: Row): string {
  return [`HTTP/1.1 ${status} ${reason}`, ...fields.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
}

function raise(error: unknown): never {
  throw error
}
