import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openIndexes, type Indexes } from '../indexes.ts'
import { createArchive, type ArchiveFixture, type Row } from '../testing/archiveFixture.ts'

const at = '2024-01-01T00:00:00Z'
const page = (url: string, body: string, more: Partial<Row> = {}): Row => ({ url, at, body, ...more })
const enough = { msMax: 60_000, signal: new AbortController().signal }

describe('captures lost with a file', () => {
  let made: ArchiveFixture
  let indexes: Indexes
  beforeAll(async () => {
    made = await createArchive()
    await made.add({
      name: 'damaged.warc.gz',
      job: 1,
      rows: [
        page('http://www.museum.example/', 'home'),
        page('http://museum.example/again', 'home'),
        page('http://img.museum.example/logo', 'logo'),
        page('http://shop.example/', 'only here'),
        page('dns:museum.example', 'ip', { type: 'resource', contentType: 'text/dns', block: Buffer.from('ip') }),
      ],
    })
    await made.add({ name: 'same-job.warc.gz', job: 1, rows: [page('http://other.example/', 'home')] })
    await made.add({ name: 'other-job.warc.gz', job: 2, rows: [page('http://far.example/', 'logo')] })
    indexes = await openIndexes({
      folder: join(made.folder, 'indexes'),
      world: made.world,
      archive: made.archive,
      tasks: made.tasks,
    })
  })
  afterAll(() => made[Symbol.asyncDispose]())
  const damaged = { name: 'damaged.warc.gz', job: 1 }

  test('counts captures, domains, and payloads that are in another file of the job too', async () => {
    expect(await indexes.affectedBy(damaged, enough)).toEqual({
      captures: 5,
      withPayload: 5,
      elsewhere: 2,
      domains: [
        { domain: 'museum.example', captures: 3 },
        { domain: 'no host', captures: 1 },
        { domain: 'shop.example', captures: 1 },
      ],
      domainsTotal: 3,
      othersRead: 1,
      othersTotal: 1,
      isComplete: true,
    })
  })

  test('finds payloads in another job, once that is indexed', async () => {
    const index = await indexes.captureIndexFor({ jobs: [2] })
    index.close()
    expect(await indexes.affectedBy(damaged, enough)).toMatchObject({ elsewhere: 3, othersTotal: 2, isComplete: true })
  })

  test('does not count files whose copies are all damaged', async () => {
    made.store.statement<object>(
      `UPDATE replica_file SET preservation_state = 'MISSING' WHERE file_id = (SELECT id FROM archive_file WHERE name = 'other-job.warc.gz')`,
    ).run({}) // prettier-ignore
    expect(await indexes.affectedBy(damaged, enough)).toMatchObject({ elsewhere: 2, othersTotal: 1 })
  })

  test('does not count files with only a checksum left, or a copy in a replica that left the settings', async () => {
    const other = `file_id = (SELECT id FROM archive_file WHERE name = 'other-job.warc.gz')`
    const changed = (sql: string) => made.store.statement<object>(sql).run({})
    changed(`UPDATE replica_file SET preservation_state = 'OK' WHERE ${other}`)
    expect(await indexes.affectedBy(damaged, enough)).toMatchObject({ elsewhere: 3, othersTotal: 2 })
    changed(`UPDATE replica_file SET preservation_state = 'MISSING' WHERE ${other}`)
    changed(
      `INSERT INTO replica_file (file_id, replica, upload_state) SELECT id, 'GONE', 'UPLOAD_STARTED' FROM archive_file WHERE name = 'other-job.warc.gz'`,
    )
    changed(`UPDATE replica_file SET upload_state = 'DATA_UPLOADED' WHERE replica = 'GONE'`)
    changed(`UPDATE replica_file SET upload_state = 'UPLOAD_COMPLETED' WHERE replica = 'GONE'`)
    expect(await indexes.affectedBy(damaged, enough)).toMatchObject({ elsewhere: 2, othersTotal: 1 })
  })

  test('at the time limit returns what it has, marked as incomplete', async () => {
    expect(await indexes.affectedBy(damaged, { ...enough, msMax: 0 })).toMatchObject({
      captures: 5,
      elsewhere: 0,
      othersRead: 0,
      isComplete: false,
    })
  })

  test('reports a lost file without index lines as unknown', async () => {
    await rm(join(made.folder, 'indexes/cdx'), { recursive: true })
    await made.world.disk.makeFolder(join(made.folder, 'indexes/cdx'))
    await rm(join(made.folder, 'one/damaged.warc.gz'))
    expect(await indexes.affectedBy(damaged, enough)).toBeUndefined()
    expect(await readdir(join(made.folder, 'indexes/cdx/1'))).toEqual(['same-job.warc.gz.cdxj'])
  })

  test('stopped, it ends with the reason', async () => {
    const reason = new Error('enough')
    await expect(
      indexes.affectedBy({ name: 'same-job.warc.gz', job: 1 }, { msMax: 1000, signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
  })
})
