/** The file of a job after disk faults and interruptions. Commits are tested in `committer.test.ts`. */
import { message } from '../../../contract/words/message.ts'
import { describe, expect, test } from 'vitest'
import { frontierStatements } from '../../frontier/frontier.sql.ts'
import { closedFiles } from './jobFiles.ts'
import { openHarvestFile, type HarvestFile } from './harvestFile.ts'
import { DiskFault, type Disk, type WritableFile } from '../../../world/world.ts'
import type { FileSetting } from './fileSetting.ts'
import { recoverFiles } from './fileRecovery.ts'
import { settledStatements } from '../../settle/settled.sql.ts'
import { frontierFixture, page, type FrontierFixture } from '../../frontier/testing/frontierFixture.ts'

interface Trial extends FrontierFixture {
  setting: FileSetting
  file: HarvestFile
  counters(): unknown
}

const urls = ['http://a.test/1', 'http://a.test/2']

/** A job with two documents in its open file, which have the same payload. */
async function trial(): Promise<Trial> {
  const made = frontierFixture()
  const { world, store, job, frontier } = made
  const sql = frontierStatements(store)
  const { counts } = frontier.discover(
    urls.map((url) => page(url)),
    0,
  )
  const documents = made.claim({ limit: 2 })
  await world.run(world.disk.makeFolder('/job'))
  const setting = {
    store,
    world,
    folder: '/job',
    job,
    harvest: 1,
    software: 'test',
    practice: [],
    runId: 'run',
    warcVersion: '1.1' as const,
    metadataCompression: 'none' as const,
  }
  const file = await world.run(openHarvestFile(setting))
  const answer = {
    status: 200,
    mediaType: null,
    bytes: 5,
    contentBytes: 5,
    truncated: null,
    payloadDigest: 'sha1:A',
    detail: null,
    fetchedMs: 1,
    durationMs: 1,
  }
  const settled = settledStatements(store, 'settled')
  const never = { comparison: 'new', nextMs: 0, action: 'rescan' } as const
  for (const { id } of documents) {
    settled.fetched.run({ ...answer, ...never, id, file: file.id, fileOffset: file.position })
    await world.run(file.append([Buffer.from('12345')]))
  }
  await world.run(file.sync())
  store.transaction(() => {
    file.commit(2)
    sql.count.run({ ...counts, job, fetched: 2, duplicate: 1, bytes: 10 })
  })
  const counters = store.statement<object, object>(
    `SELECT documents_total AS total, documents_fetched AS fetched, documents_duplicate AS duplicate, bytes FROM job`,
  )
  return { ...made, setting, file, counters: () => counters.get({}) }
}

test('a torn tail that cannot be cut off leaves no file open', async () => {
  const { world, setting, file } = await trial()
  await world.run(file.append([Buffer.from('torn')]))
  await world.run(file.sync())
  let closed = 0
  const disk = Object.assign(Object.create(world.disk) as Disk, {
    openWrite: async (...asked: Parameters<Disk['openWrite']>): Promise<WritableFile> => {
      const opened = await world.disk.openWrite(...asked)
      const close = () => ((closed += 1), opened.close())
      return Object.assign(Object.create(opened) as WritableFile, {
        close,
        truncate: (): Promise<void> => Promise.reject(new DiskFault('failed', 'x')),
      })
    },
  })
  await expect(world.run(recoverFiles({ ...setting, world: { ...world, disk } }))).rejects.toThrow(DiskFault)
  expect(closed).toBe(1)
})

describe('a file that is shorter than its committed length', () => {
  test('has its documents queued again at the start, and they are no longer counted', async () => {
    const { world, setting, file, row, counters } = await trial()
    await world.run(world.disk.remove(`/job/${file.name}.open`))
    expect(await world.run(recoverFiles(setting))).toEqual([
      message('jobLog.file.shorter', { name: file.name, bytes: expect.any(Number) as number, urls: 2 }),
    ])
    for (const url of urls) expect(row(url)).toMatchObject({ state: 'PENDING', outcome: null, attempts: 0 })
    expect(counters()).toEqual({ total: 2, fetched: 0, duplicate: 0, bytes: 0 })
    expect(await world.run(recoverFiles(setting))).toEqual([])
  })
  test('no capture refers to its records, and its documents are fetched in full and need a priority', async () => {
    const { world, store, job, setting, file, frontier, counters } = await trial()
    const [done, waits, left, elsewhere] = ['1', '2', '3', '4'].map((name) => `http://a.test/${name}`)
    store.transaction(() => frontier.discover([page(left ?? ''), page(elsewhere ?? '')], 0))
    const run = (sql: string) => store.statement<{ file: number }>(sql).run({ file: file.id })
    // The first has new inherited data, the second is of an earlier run that wrote to this file, the third of an earlier file.
    run(`UPDATE document SET state = 'PENDINGPURGATORY' WHERE url = '${waits}' AND @file`)
    for (const state of ['ACTIVE', 'COMPLETE', 'UNCHANGED'])
      run(`UPDATE document SET state = '${state}' WHERE url IN ('${left}', '${elsewhere}') AND @file`)
    run(`INSERT INTO capture (document_id, record_id, captured_ms, status, payload_digest, file_id, file_offset, first_ms, checked_ms, change_count)
         SELECT id, 'r', 0, 200, 'sha1:A', @file + (url = '${elsewhere}'), 0, 0, 0, 1 FROM document`)
    await world.run(world.disk.remove(`/job/${file.name}.open`))
    expect(await world.run(recoverFiles(setting))).toEqual([
      message('jobLog.file.shorter', { name: file.name, bytes: expect.any(Number) as number, urls: 3 }),
    ])
    const rows = store
      .statement<object, object>(
        'SELECT url, state, outcome, file_id AS file, needs_priority AS needs FROM document ORDER BY id',
      )
      .all({})
    const resetColumns = { outcome: null, file: null, needs: 1 }
    expect(rows).toEqual([
      { url: done, state: 'PENDING', ...resetColumns },
      { url: waits, state: 'PENDINGPURGATORY', ...resetColumns },
      { url: left, state: 'PENDINGPURGATORY', ...resetColumns },
      { url: elsewhere, state: 'UNCHANGED', ...resetColumns, needs: 0 },
    ])
    expect(store.statement<object, object>('SELECT file_id - 1 AS file FROM capture').all({})).toEqual([
      { file: file.id },
    ])
    expect(counters()).toEqual({ total: 3, fetched: 0, duplicate: 0, bytes: 0 })
    expect(frontierStatements(store).anyWaiting.get({ job })).toBeDefined()
  })
  test('is not padded with zeros while the job runs', async () => {
    const { world, setting, file } = await trial()
    await world.run(file.abandon())
    await world.run(world.disk.remove(`/job/${file.name}.open`))
    await expect(world.run(openHarvestFile(setting))).rejects.toMatchObject({ name: 'DiskFault', code: 'failed' })
  })
})

test('a file that was renamed before a fault is recorded as closed when the next one is opened', async () => {
  const { world, store, job, setting, file } = await trial()
  const bytes = file.position
  world.disk.fail({ path: /^\/job$/, calls: ['syncFolder'], code: 'failed', times: 1 })
  await expect(world.run(file.close())).rejects.toMatchObject({ name: 'DiskFault' })
  const next = await world.run(openHarvestFile(setting))
  expect(next.name).not.toBe(file.name)
  expect(closedFiles(store, job)).toMatchObject([{ name: file.name, state: 'CLOSED' }])
  expect((await world.run(world.disk.stat(`/job/${file.name}`)))?.bytes).toBe(bytes)
})

test('a file without a record that was removed does not come back after a power cut', async () => {
  const { world, job, store } = frontierFixture()
  await world.run(world.disk.makeFolder('/job'))
  const setting = {
    ...{ store, world, folder: '/job', job, harvest: 1, software: 'test', practice: [], runId: 'run' },
    warcVersion: '1.1' as const,
    metadataCompression: 'none' as const,
  }
  await world.run((await world.run(openHarvestFile(setting))).close())
  const again = world.crash()
  expect(await again.run(again.disk.list('/job'))).toEqual([])
})

test('a file whose name cannot be synced gets no record', async () => {
  const { world, job, store } = frontierFixture()
  await world.run(world.disk.makeFolder('/job'))
  const setting = {
    store,
    world,
    folder: '/job',
    job,
    harvest: 1,
    software: 'test',
    practice: [],
    runId: 'run',
    warcVersion: '1.1' as const,
    metadataCompression: 'none' as const,
  }
  world.disk.fail({ path: /^\/job$/, calls: ['syncFolder'], code: 'failed', times: 1 })
  await expect(world.run(openHarvestFile(setting))).rejects.toMatchObject({ name: 'DiskFault' })
  const file = await world.run(openHarvestFile(setting))
  const again = world.crash()
  expect(await again.run(again.disk.stat(`/job/${file.name}.open`))).toBeDefined()
})
