/** Requests for deduplication indexes: asked in one connection, answered in another. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Fault } from '../../contract/calls/faults.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { selectionMessage } from '../../contract/shapes/selection.ts'
import { message } from '../../contract/words/message.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import type { DedupIndex } from '../../indexes/indexes.ts'
import { openStore } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { DiskFault } from '../../world/world.ts'
import { openJobs } from '../jobs/jobs.ts'
import { indexWaitMsMax } from '../model/limits.ts'
import { archiveIndexClient } from './indexClient.ts'
import { openIndexRequests } from './indexRequests.ts'

const manifest = {
  jobsFound: [1],
  jobsMissing: [2],
  files: [],
  filesMissing: [],
  excludedTypes: [],
  entryCounts: { url: 0, payload: 0 },
}

async function setting(dedupIndexFor: (asked: { jobs: readonly number[] }) => Promise<DedupIndex>) {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-requests-'))
  const path = join(folder, 'loupe.db')
  const stores = [openStore(path), openStore(path)] as const
  onTestFinished(async () => {
    for (const store of stores) store.close()
    await rm(folder, { recursive: true })
  })
  const world = realWorld()
  const job = openJobs(stores[0], world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  const closing = new AbortController()
  const bugs: unknown[] = []
  const requests = openIndexRequests(
    { store: stores[1], indexes: { dedupIndexFor }, signal: closing.signal },
    (error) => void bugs.push(error),
  )
  return { stores, world, job, closing, bugs, requests }
}

const { signal } = new AbortController()

test('a request is answered with the index, and asked again it is answered again', async () => {
  let left = 0
  let built = 0
  const { stores, world, job, requests } = await setting(async ({ jobs }) => {
    expect(jobs).toEqual([3, 4])
    return { path: `/index${++built}`, manifest, leave: () => void left++ }
  })
  const client = archiveIndexClient({ store: stores[0], world }, () => requests.answer())
  const wanted = { job, jobs: [3, 4], excludedTypes: ['text/*'] }
  const missing = { jobsMissing: [2], filesMissing: 0 }
  expect(await client.indexFor(wanted, signal)).toEqual({ path: '/index1', ...missing })
  expect(await client.indexFor(wanted, signal)).toEqual({ path: '/index2', ...missing })
  expect(left).toBe(2)
})

test('a request that an earlier process left is answered by the next one, and answered once', async () => {
  const { stores, world, job, requests } = await setting(async () => ({
    path: '/index',
    manifest,
    leave: () => undefined,
  }))
  const client = archiveIndexClient({ store: stores[0], world }, () => undefined)
  const provided = client.indexFor({ job, jobs: [1], excludedTypes: [] }, signal)
  requests.answer()
  requests.answer()
  expect(await provided).toMatchObject({ path: '/index' })
})

test.each([
  [new Fault('stopped', message('index.stopped')), message('index.stopped')],
  [new DiskFault('full', '/a'), diskMessage(new DiskFault('full', '/a'))],
])('a fault is the answer: %s', async (fault, problem) => {
  const { stores, world, job, requests, bugs } = await setting(() => Promise.reject(fault))
  const client = archiveIndexClient({ store: stores[0], world }, () => requests.answer())
  expect(await client.indexFor({ job, jobs: [1], excludedTypes: [] }, signal)).toEqual({ problem })
  expect(bugs).toEqual([])
})

test('a bug is reported, and the run does not wait for ever', async () => {
  const bug = new TypeError('a bug')
  const { stores, world, job, requests, bugs } = await setting(() => Promise.reject(bug))
  const client = archiveIndexClient({ store: stores[0], world }, () => requests.answer())
  expect(await client.indexFor({ job, jobs: [1], excludedTypes: [] }, signal)).toHaveProperty('problem')
  expect(bugs).toEqual([bug])
})

test('a run that is stopped no longer waits, nor does one whose time is over', async () => {
  const { stores, world, job } = await setting(() => Promise.reject(new Error('never asked')))
  const stop = new AbortController()
  const client = archiveIndexClient({ store: stores[0], world }, () => stop.abort(new Error('stopped')))
  await expect(client.indexFor({ job, jobs: [1], excludedTypes: [] }, stop.signal)).rejects.toThrow('stopped')
  let elapsedMs = 0
  const clock = { ...world.clock, elapsed: () => (elapsedMs += indexWaitMsMax) }
  const hasty = archiveIndexClient({ store: stores[0], world: { clock } }, () => undefined)
  expect(await hasty.indexFor({ job, jobs: [1], excludedTypes: [] }, signal)).toEqual({
    problem: message('jobLog.dedup.tooLong', { jobs: selectionMessage({ jobs: [1] }) }),
  })
})

test('an answer that the database does not take is reported, and the index is released', async () => {
  let left = 0
  const { promise: released, resolve } = Promise.withResolvers<void>()
  const { stores, world, job, requests, bugs } = await setting(async () => {
    stores[0].statement<object>('DROP TABLE index_request').run({})
    return { path: '/index', manifest, leave: () => (left++, resolve()) }
  })
  const client = archiveIndexClient({ store: stores[0], world }, () => requests.answer())
  await expect(client.indexFor({ job, jobs: [1], excludedTypes: [] }, signal)).rejects.toThrow('index_request')
  await released
  await expect.poll(() => bugs.length).toBeGreaterThan(0)
  expect(left).toBe(1)
})
