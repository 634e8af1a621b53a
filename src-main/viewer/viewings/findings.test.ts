/** Findings: the times of the first and last, the list they belong to, and what happens to them when a viewing ends or the disk is full.
 *  A finding that cannot be stored does not prevent the reply to a browser. */
import type { OnProblem } from '../model/onProblem.ts'
import { failuresTo } from '../testing/viewerFixture.ts'
import { expect, test } from 'vitest'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openStore } from '../../storage/storage.ts'
import { createArchive } from '../../indexes/testing/archiveFixture.ts'
import { openFindings } from './findings.ts'
import { askOver, viewerOver } from '../testing/viewerFixture.ts'
import { findingBatchMax, findingsWaitingMax } from '../model/limits.ts'
import { openViews } from './views.ts'

test('on a full disk browsers still get replies, the problem is reported once, and findings are stored when there is space again', async () => {
  await using made = await createArchive()
  const { store, world } = made
  const { view } = openViews({ store, world }).enter({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
  const list = { viewing: '', view }
  const isTime = Promise.withResolvers<void>()
  const clock = Object.assign(Object.create(world.clock) as typeof world.clock, { sleep: () => isTime.promise })
  const failures: string[] = []
  const errors: unknown[] = []
  const onProblem: OnProblem = (error, failure) => {
    errors.push(error)
    failuresTo(failures)(error, failure)
  }
  const findings = openFindings({ store, world: { ...world, clock }, onProblem })
  const note = (name: string, kind: 'missing' | 'archivedError' = 'missing') =>
    findings.note({
      ...{ ...list, kind, url: `http://site.example/${name}/${'x'.repeat(1000)}`, method: 'GET', status: null },
      ...{ referrer: '', initiator: '', resourceType: 'other', file: null, offset: null, detail: null },
    })
  const pagesMax = (pages: number) => store.statement(`PRAGMA max_page_count = ${pages}`).get({})

  // SQLite cannot limit the file to less than its present size. It then reports a full disk.
  pagesMax(1)
  for (let each = 0; each < findingBatchMax; each += 1) note(String(each))
  const full = 'viewer.problem.findings'
  expect(failures).toEqual([full])
  expect(errors).toMatchObject([{ code: 'full' }])
  note('0')
  note('wrong', 'archivedError')
  isTime.resolve()
  await isTime.promise
  await Promise.resolve()
  // The problem is reported once, although storing is retried.
  expect(failures).toEqual([full])
  // Findings that wait to be stored are listed and counted.
  const inMemory = findings.misses(list)
  expect(findings.counts(list)).toEqual({ misses: findingBatchMax, errors: 1 })
  expect(inMemory.map(named)).toEqual(Array.from({ length: findingBatchMax }, (_, at) => String(at)))
  expect(inMemory[0]).toMatchObject({ times: 2, view })
  expect(new Set(inMemory.map(({ id }) => id)).size).toBe(findingBatchMax)
  for (let each = 0; each < findingsWaitingMax; each += 1) note(`more-${each}`)
  expect(findings.counts(list)).toEqual({ misses: findingsWaitingMax - 1, errors: 1 })

  pagesMax(1_000_000)
  note('0')
  const onDisk = findings.misses(list)
  expect(onDisk.map(named).slice(0, findingBatchMax)).toEqual(inMemory.map(named))
  expect(onDisk[0]).toMatchObject({ times: 3 })
  expect(onDisk.every(({ id }) => id > 0)).toBe(true)

  // The disk is full again, with some findings stored.
  pagesMax(1)
  note('0')
  note('new')
  expect(findings.misses(list)[0]).toMatchObject({ times: 4, id: onDisk[0]?.id })
  expect(findings.misses(list).map(named).at(-1)).toBe('new')
  expect(failures).toEqual([full, full])
  pagesMax(1_000_000)
  expect(findings.clear(list)).toBe(findingsWaitingMax + 1)
  expect(findings.counts(list)).toEqual({ misses: 0, errors: 0 })
})

test('a list is deleted with its session, in memory and on disk, and the list of the interface stays', async () => {
  await using made = await createArchive()
  const { store, world } = made
  const { view } = openViews({ store, world }).enter({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
  const opened = () => openFindings({ store, world, onProblem: bug })
  const findings = opened()
  const note = (viewing: string, url: string) =>
    findings.note({
      ...{ viewing, view, kind: 'missing', url, method: 'GET', status: null },
      ...{ referrer: '', initiator: '', resourceType: 'other', file: null, offset: null, detail: null },
    })
  const urls = (viewing: string, from = findings) => from.misses({ viewing, view }).map(({ url }) => url)
  const names = ['', 'viewing-1', 'viewing-10']
  for (const viewing of names) for (const url of ['of all', `of ${viewing}`]) note(viewing, url)
  expect(names.map((viewing) => urls(viewing))).toEqual(names.map((viewing) => ['of all', `of ${viewing}`]))
  note('viewing-1', 'waits')
  expect(findings.clear({ viewing: 'viewing-1', view })).toBe(3)
  expect(names.map((viewing) => urls(viewing).length)).toEqual([2, 0, 2])

  note('viewing-1', 'after clearing')
  findings.flush()
  note('viewing-1', 'waits')
  findings.end('viewing-1')
  expect(names.map((viewing) => urls(viewing).length)).toEqual([2, 0, 2])
  // A restart of Loupe assigns the same names again.
  const again = opened()
  expect(names.map((viewing) => urls(viewing, again).length)).toEqual([2, 0, 0])
})

test('a list that cannot be deleted on a read-only disk is reported and does not delay replies', async () => {
  await using made = await createArchive()
  const { store, world } = made
  const failures: string[] = []
  const opened = () => openFindings({ store, world, onProblem: failuresTo(failures) })
  const findings = opened()
  store.statement('PRAGMA query_only = 1').run({})
  findings.end('viewing-1')
  opened()
  store.statement('PRAGMA query_only = 0').run({})
  expect(failures).toEqual(['viewer.problem.ending', 'viewer.problem.ending'])
})

test('a session never sees the list of an earlier one that could not be deleted at its end', async () => {
  await using made = await createArchive()
  const page = 'http://site.example/'
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [{ url: page, at: '2020-01-01T00:00:00Z' }] })
  const started = async () => {
    const viewer = await viewerOver(made)
    const own = await viewer.openOwn({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined }, page)
    return { viewer, own, missed: viewer.misses(own.view, own.user).length }
  }
  const first = await started()
  await askOver(first.viewer.proxy, 'http://site.example/missing', { as: first.own })
  await first.viewer.close()

  made.store.statement('PRAGMA query_only = 1').run({})
  const second = await started()
  expect([second.own.view, second.missed]).toEqual([first.own.view, 0])
  expect(second.own.user).not.toBe(first.own.user)
  await second.viewer.close()

  made.store.statement('PRAGMA query_only = 0').run({})
  const third = await started()
  expect([third.own.user, third.missed]).toEqual([first.own.user, 0])
  await third.viewer.close()
})

test('a missing URL has the times of its first and last request, in memory and on disk', async () => {
  const [world, store] = [seededWorld({ seed: 1 }), openStore(':memory:')]
  const { view } = openViews({ store, world }).enter({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
  const findings = openFindings({
    store,
    world,
    onProblem: bug,
  })
  const startMs = world.clock.now()
  const times = () =>
    findings
      .misses({ viewing: '', view })
      .map(({ firstMs, lastMs, times: met }) => [firstMs - startMs, lastMs - startMs, met])
  const note = () =>
    findings.note({
      ...{ viewing: '', view, kind: 'missing', url: 'http://site.example/', method: 'GET', status: null },
      ...{ resourceType: 'other', referrer: '', initiator: '', file: null, offset: null, detail: null },
    })
  await world.run(
    (async () => {
      note()
      // Two requests before the finding is stored, then one after.
      await world.clock.sleep(1)
      note()
      expect(times()).toEqual([[0, 1, 2]])
      await world.clock.sleep(60_000)
      note()
      expect(times()).toEqual([[0, 60_001, 3]])
    })(),
  )
  store.close()
})

const bug = (error: unknown) => {
  throw error
}
const named = ({ url }: { url: string }) => url.split('/')[3]
