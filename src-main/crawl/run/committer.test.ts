/** File and database agree after any fault during a commit. Nothing else could repair a difference between them. */
import { message } from '../../contract/words/message.ts'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { recheckOnce } from '../../contract/shapes/recheck.ts'
import { StorageFault, type Store } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'
import { openBodyWork } from '../capture/bodies/bodyWork.ts'
import { archiveOutput } from '../capture/connectors/archiveOutput.ts'
import { committerOf, type Committer } from './committer.ts'
import type { Result } from '../settle/result.ts'
import type { Candidate } from '../frontier/candidate.ts'
import type { Changed } from '../frontier/counts.ts'
import type { DocumentToFetch } from '../model/document.ts'
import type { openHarvestFile } from '../capture/records/harvestFile.ts'
import { closedFiles } from '../capture/records/jobFiles.ts'
import { recoverFiles } from '../capture/records/fileRecovery.ts'
import { frontierFixture, page, type FrontierFixture } from '../frontier/testing/frontierFixture.ts'

interface Trial extends FrontierFixture {
  committer: Committer
  committed: Changed[]
  documents: DocumentToFetch[]
  host: number
  fileSetting: Parameters<typeof openHarvestFile>[0]
  /** The monotonic clock. */
  clock: { elapsedMs: number }
  /** For each transaction, whether it waited for the disk. */
  synced: boolean[]
  /** Makes the next transaction fail at its end. */
  failNextTransaction(): void
  /** Bytes of the file on the disk, and bytes that count according to the database. */
  bytes(): Promise<{ onDisk: number; counted: number }>
  run<T>(promise: Promise<T>): Promise<T>
}

/** A job with claimed documents, and a committer that writes into /job. */
async function trial({ documents: count = 4, fileBytesMax = 1e9 } = {}): Promise<Trial> {
  const made = frontierFixture()
  const { world, store, job, frontier } = made
  frontier.discover(
    Array.from({ length: count }, (_, at) => page(`http://a.test/${at}`)),
    0,
  )
  const [host = 0] = store
    .statement<object, { id: number }>(`SELECT id FROM host`)
    .all({})
    .map(({ id }) => id)
  const documents = made.claim({ limit: count })
  await world.run(world.disk.makeFolder('/job'))
  let fails = false
  const clock = { elapsedMs: 0 }
  /** For each transaction, whether it waited for the disk. */
  const synced: boolean[] = []
  const through =
    (transaction: Store['transaction'], isSynced: boolean): Store['transaction'] =>
    (act) => {
      synced.push(isSynced)
      return transaction(() => {
        const value = act()
        if (fails) {
          fails = false
          throw new StorageFault('full', message('database.full', { path: 'loupe.db' }))
        }
        return value
      })
    }
  const failing: Store = {
    ...store,
    transaction: through(store.transaction, true),
    unsyncedTransaction: through(store.unsyncedTransaction, false),
  }
  const fileSetting = {
    store: failing,
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
  const committed: Changed[] = []
  const committer = committerOf({
    store: failing,
    job,
    frontier,
    output: archiveOutput.open({
      ...fileSetting,
      bodies: openBodyWork(world),
      settings: { warcVersion: '1.1', payloadDigest: 'standard', revisitRecords: 'alone', fileBytesMax },
    }),
    recheck: recheckOnce,
    now: () => 1000,
    elapsed: () => clock.elapsedMs,
    onCommitted: (each) => committed.push(each),
  })
  const counted = store.statement<object, { name: string; bytes: number }>(
    'SELECT name, committed_bytes AS bytes FROM harvest_file ORDER BY serial DESC LIMIT 1',
  )
  return {
    ...made,
    ...{ committer, committed, documents, host, fileSetting, clock, synced },
    failNextTransaction: () => void (fails = true),
    async bytes() {
      const file = counted.get({})
      const entry = await world.run(world.disk.stat(`/job/${file?.name ?? 'none'}.open`))
      return { onDisk: entry?.bytes ?? 0, counted: file?.bytes ?? 0 }
    },
    run: (promise) => world.run(promise),
  }
}

const body = (text: string) => new TextEncoder().encode(text)

function fetched({ documents, host }: Trial, at: number, candidates: Candidate[] = []): Result {
  const document = documents[at]
  if (!document) throw new Error('so many documents were not claimed')
  return {
    kind: 'fetched',
    document,
    host,
    records: {
      response: [body(`response ${at};`)],
      others: [body(`request ${at};`)],
      payloadDigest: 'sha1:A',
      namedDigest: 'sha1:A',
      count: 2,
      kind: 'response',
      id: `record ${at}`,
      capture: null,
    },
    status: 200,
    mediaType: 'text/html',
    bytes: 10,
    contentBytes: 8,
    truncated: null,
    fetchedMs: 500,
    durationMs: 1,
    detail: null,
    candidates,
    release: async () => undefined,
  }
}

async function text({ world, run }: Trial, file: string): Promise<string> {
  return Buffer.from(await run(world.disk.read(`/job/${file}`, 1e6))).toString('latin1')
}

const url = (at: number) => `http://a.test/${at}`

describe('a commit', () => {
  test('writes the records to the file and the outcome to the database', async () => {
    const it = await trial()
    await it.run(it.committer.commit(fetched(it, 0, [page('http://a.test/new')])))
    await it.run(
      it.committer.commit({
        kind: 'ended',
        document: it.documents[1] ?? never(),
        host: it.host,
        outcome: 'failed',
        reason: 'refused',
        detail: '',
        durationMs: 3,
      }),
    )
    await it.run(
      it.committer.commit({
        kind: 'postponed',
        document: it.documents[2] ?? never(),
        host: it.host,
        delayMs: 9000,
        attempted: true,
      }),
    )
    expect(it.row(url(0))).toMatchObject({ state: 'COMPLETE', outcome: 'fetched' })
    expect(it.row(url(1))).toMatchObject({ state: 'COMPLETE', outcome: 'failed', reason: 'refused' })
    expect(it.row(url(2))).toMatchObject({ state: 'PENDING', attempts: 1 })
    expect(it.row('http://a.test/new')).toMatchObject({ state: 'PENDING' })
    const { onDisk, counted } = await it.bytes()
    expect(onDisk).toBe(counted)
    expect(it.committed.map(({ counts }) => [counts.fetched, counts.failed, counts.total])).toEqual([
      [1, 0, 1],
      [0, 1, 0],
      [0, 0, 0],
    ])
  })

  test('is shared by all results that arrive during a commit: they need one sync', async () => {
    const it = await trial({ documents: 20 })
    await it.run(Promise.all(it.documents.map((_, at) => it.committer.commit(fetched(it, at)))))
    // The first is committed alone; the others arrive during that commit.
    expect(it.committed.map(({ counts }) => counts.fetched)).toEqual([1, 19])
    expect(it.committer.waitingBytes).toBe(0)
  })

  test('waits for the disk at the first and then once a second', async () => {
    const it = await trial({ documents: 4 })
    for (const [at, elapsedMs] of [0, 999, 1_000, 1_001].entries()) {
      it.clock.elapsedMs = elapsedMs
      await it.run(it.committer.commit(fetched(it, at)))
    }
    expect(it.synced).toEqual([true, false, true, false])
  })

  test('frees its memory as soon as it is reported, independent of the removal of the bodies', async () => {
    const it = await trial({ documents: 2 })
    const result = fetched(it, 0)
    if (result.kind !== 'fetched') throw new Error('it was fetched')
    await it.run(it.committer.commit({ ...result, release: () => new Promise(() => {}) }))
    expect(it.committer.waitingBytes).toBe(0)
  })

  test('is not delayed by a body that cannot be removed', async () => {
    const it = await trial({ documents: 2 })
    const first = fetched(it, 0)
    if (first.kind !== 'fetched') throw new Error('it was fetched')
    const release = () => Promise.reject(new DiskFault('failed', '/job/x.body'))
    await it.run(it.committer.commit({ ...first, release }))
    await it.run(it.committer.commit(fetched(it, 1)))
    expect(it.committed.map(({ counts }) => counts.fetched)).toEqual([1, 1])
  })

  test('keeps the order of arrival, in memory or streamed, and stores the offset of each record', async () => {
    const it = await trial({ documents: 5 })
    const results = it.documents.map((_, at) => fetched(it, at))
    const streamed = results[3]
    if (streamed?.kind !== 'fetched') throw new Error('the fourth was fetched')
    streamed.records.response = (async function* () {
      yield body('streamed ')
      yield body('response 3;')
    })()
    await it.run(Promise.all(results.map((result) => it.committer.commit(result))))
    await it.run(it.committer.close())
    const [file] = closedFiles(it.store, it.job)
    const whole = await text(it, file?.name ?? '')
    const offsets = it.store
      .statement<object, { offset: number }>('SELECT file_offset AS offset FROM document ORDER BY id')
      .all({})
    const records = offsets.map(({ offset }, at) => whole.slice(offset, offsets[at + 1]?.offset))
    expect(records).toEqual([0, 1, 2, 3, 4].map((at) => `${at === 3 ? 'streamed ' : ''}response ${at};request ${at};`))
    const warcinfo = gunzipSync(Buffer.from(whole.slice(0, offsets[0]?.offset), 'latin1')).toString()
    expect(warcinfo).toMatch(/^WARC\/1\.1\r\nWARC-Type: warcinfo\r\n/)
  })

  test('closes the file at its size limit and continues in one with another name', async () => {
    const it = await trial({ fileBytesMax: 1 })
    for (const at of [0, 1]) await it.run(it.committer.commit(fetched(it, at)))
    await it.run(it.committer.close())
    const names = closedFiles(it.store, it.job).map(({ name }) => name)
    expect(names.map((name) => name.replace(/^\d+-\d+-\d{17}/, ''))).toEqual([
      '-00001-loupe.warc.gz',
      '-00002-loupe.warc.gz',
    ])
  })
})

describe('after a fault, file and database return to the same state', () => {
  const breaks: [what: string, breakIt: (it: Trial) => void, fault: typeof DiskFault | typeof StorageFault][] = [
    [
      'the disk is full',
      ({ world }) => void world.disk.fail({ path: /warc/, code: 'full', calls: ['append'], times: 1 }),
      DiskFault,
    ],
    [
      'the sync fails',
      ({ world }) => void world.disk.fail({ path: /warc/, code: 'failed', calls: ['sync'], times: 1 }),
      DiskFault,
    ],
    ['the database is full', (it) => it.failNextTransaction(), StorageFault],
  ]
  test.each(breaks)('%s', async (_, breakIt, fault) => {
    const it = await trial()
    await it.run(it.committer.commit(fetched(it, 0)))
    const before = await it.bytes()
    breakIt(it)
    const released: number[] = []
    const broken = fetched(it, 1, [page('http://a.test/new')])
    if (broken.kind === 'fetched') broken.release = async () => void released.push(1)
    await expect(it.run(it.committer.commit(broken))).rejects.toBeInstanceOf(fault)
    expect(released).toEqual([1])
    expect((await it.bytes()).counted).toBe(before.counted)
    expect(it.row(url(1))).toMatchObject({ state: 'ACTIVE', outcome: null })
    expect(it.row('http://a.test/new')).toBeUndefined()

    // The committer continues and queues the outlinks again: the failed commit registered none of them.
    await it.run(it.committer.commit(fetched(it, 1, [page('http://a.test/new')])))
    expect(it.row(url(1))).toMatchObject({ state: 'COMPLETE', outcome: 'fetched' })
    expect(it.row('http://a.test/new')).toMatchObject({ state: 'PENDING' })
    const after = await it.bytes()
    expect(after.onDisk).toBe(after.counted)
    expect(after.counted).toBeGreaterThan(before.counted)
    await it.run(it.committer.close())
    const whole = await text(it, closedFiles(it.store, it.job)[0]?.name ?? '')
    expect(whole.match(/response \d;request \d;/g)).toEqual(['response 0;request 0;', 'response 1;request 1;'])
  })

  test('after a fault in the first commit the file still begins with its warcinfo record', async () => {
    const it = await trial()
    it.failNextTransaction()
    await expect(it.run(it.committer.commit(fetched(it, 0)))).rejects.toBeInstanceOf(StorageFault)
    await it.run(it.committer.commit(fetched(it, 1)))
    await it.run(it.committer.close())
    const [only, ...more] = closedFiles(it.store, it.job)
    expect(more).toEqual([])
    const whole = await text(it, only?.name ?? '')
    const offset = whole.indexOf('response')
    expect(whole.slice(offset)).toBe('response 1;request 1;')
    expect(gunzipSync(Buffer.from(whole.slice(0, offset), 'latin1')).toString()).toContain('WARC-Type: warcinfo')
  })

  test('after a power cut at any call, counted bytes are on the disk, and each document is settled or fetched again', async () => {
    for (let calls = 1; calls <= 40; calls += 1) {
      const it = await trial({ documents: 6 })
      const work = (async () => {
        for (const at of [0, 1, 2]) await it.committer.commit(fetched(it, at))
        await Promise.all([3, 4, 5].map((at) => it.committer.commit(fetched(it, at))))
        await it.committer.close()
      })()
      work.catch(() => undefined)
      if (await it.world.runUntilCut(work, calls)) return
      const world = it.world.crash()
      const lines = await world.run(recoverFiles({ ...it.fileSetting, world }))
      expect(
        lines.filter(({ code }) => code === 'jobLog.file.shorter'),
        `cut at call ${calls}`,
      ).toEqual([])
      const rows = it.store.statement<object, { name: string; state: string; bytes: number }>(
        'SELECT name, state, committed_bytes AS bytes FROM harvest_file',
      )
      for (const { name, state, bytes } of rows.all({})) {
        const entry = await world.run(world.disk.stat(`/job/${name}${state === 'OPEN' ? '.open' : ''}`))
        expect(entry?.bytes ?? 0, `cut at call ${calls}`).toBe(bytes)
      }
      for (const { id } of it.documents) {
        const row = it.store
          .statement<{ id: number }, { state: string; end: number | null }>(
            'SELECT document.state, file_offset AS end FROM document WHERE id = @id',
          )
          .get({ id })
        expect(row?.state === 'ACTIVE' ? row.end : 'settled', `cut at call ${calls}`).toBe(
          row?.state === 'ACTIVE' ? null : 'settled',
        )
      }
    }
    throw new Error('forty calls were not enough to write six documents')
  })
})

function never(): never {
  throw new Error('so many documents were not claimed')
}
