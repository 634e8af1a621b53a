import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openIndexes, type CaptureIndex, type Indexes } from '../indexes.ts'
import { toEvict, type KeptDatabase } from './eviction.ts'
import { createArchive, type ArchiveFixture } from '../testing/archiveFixture.ts'

const kept = (name: string, usedAtMs: number, more: Partial<KeptDatabase> = {}): KeptDatabase => ({
  ...{ name, bytes: 10, usedAtMs, isInUse: false, isNamed: false },
  ...more,
})
const check = (title: string, databases: KeptDatabase[], bytesMax: number, expected: string[]) =>
  it(title, () => expect(toEvict(databases, bytesMax).map(({ name }) => name)).toEqual(expected))

check('evicts none while there is room', [kept('a', 1), kept('b', 2)], 20, [])
check('evicts the least recently used first', [kept('b', 2), kept('a', 1), kept('c', 3)], 15, ['a', 'b'])
check('evicts named sets last', [kept('a', 1, { isNamed: true }), kept('b', 2)], 10, ['b'])
check('evicts named sets when nothing else is left', [kept('a', 1, { isNamed: true }), kept('b', 2)], 0, ['b', 'a'])
check('never evicts a database in use', [kept('a', 1, { isInUse: true }), kept('b', 2)], 0, ['b'])

const urlOf = (job: number) => `http://job${job}.example/`
const has = (index: CaptureIndex, job: number) => index.captures(urlOf(job)).length > 0
const sets = async (made: ArchiveFixture) =>
  (await readdir(join(made.folder, 'indexes', 'capture'))).flatMap((name) =>
    name.endsWith('.db') ? [name.slice(0, name.indexOf('.'))] : [],
  )
async function databaseOf(made: ArchiveFixture, job: number): Promise<string> {
  const folder = join(made.folder, 'indexes', 'capture')
  return join(folder, (await readdir(folder)).find((name) => name.startsWith(`${job}.`) && name.endsWith('.db')) ?? '')
}
async function archiveOf(...jobs: number[]): Promise<ArchiveFixture> {
  const made = await createArchive()
  for (const job of jobs)
    await made.add({
      name: `${job}-1-a.warc.gz`,
      job,
      rows: [{ url: urlOf(job), at: '2020-01-01T00:00:00Z', body: 'x' }],
    })
  return made
}
const open = (made: ArchiveFixture, more: Partial<Parameters<typeof openIndexes>[0]> = {}): Promise<Indexes> =>
  openIndexes({
    folder: join(made.folder, 'indexes'),
    world: made.world,
    archive: made.archive,
    tasks: made.tasks,
    ...more,
  })

it('without room only databases in use are kept', async () => {
  await using made = await archiveOf(1, 2, 3)
  const indexes = await open(made, { bytesMax: () => 0 })
  const first = await indexes.captureIndexFor({ jobs: [1] })
  ;(await indexes.captureIndexFor({ jobs: [2] })).close()
  const third = await indexes.captureIndexFor({ jobs: [3] })
  expect(has(first, 1)).toBe(true)
  first.close()
  first.close()
  const again = await indexes.captureIndexFor({ jobs: [2] })
  expect([has(again, 2), has(third, 3)]).toEqual([true, true])
  // The removal runs in the background.
  await vi.waitFor(async () => expect(await sets(made)).toEqual(['2', '3']), { timeout: 60_000 })
  again.close()
  third.close()
})

it('a named set is kept longer than one used later', async () => {
  await using made = await archiveOf(1, 2, 3)
  const before = await open(made)
  for (const jobs of [[1], [2], [3]]) (await before.captureIndexFor({ jobs })).close()
  let bytesMax = Infinity
  const indexes = await open(made, { bytesMax: () => bytesMax, namedSelections: () => [{ jobs: [1] }] })
  ;(await indexes.captureIndexFor({ jobs: [2] })).close()
  const { size } = await stat(await databaseOf(made, 2))
  bytesMax = 2 * size
  ;(await indexes.captureIndexFor({ jobs: [2] })).close()
  await vi.waitFor(async () => expect(await sets(made)).toEqual(['1', '2']), { timeout: 60_000 })
})

it('a lookup in other jobs builds their missing databases one by one', async () => {
  await using made = await archiveOf(1, 2, 3)
  const { clock } = made.world
  // No caller is too late here.
  const world = { ...made.world, clock: Object.assign(Object.create(clock) as typeof clock, { sleep: () => new Promise(() => undefined) }) } // prettier-ignore
  const indexes = await open(made, { world })
  ;(await indexes.captureIndexFor({ jobs: [1, 2] })).close()
  const asked = (job: number, ...jobs: number[]) => indexes.otherCaptures({ url: urlOf(job), sources: jobs })
  expect(await asked(2, 2)).toMatchObject({ captures: [{ job: 2, url: urlOf(2) }], notSearched: [] })
  // Captures of jobs that were not requested are not returned.
  expect(await asked(1, 2)).toEqual({ captures: [], notSearched: [] })
  // Job 9 has no files.
  expect(await asked(3, 3, 9)).toMatchObject({ captures: [{ job: 3 }], notSearched: [] })
  expect(await sets(made)).toEqual(['1-2', '3'])
})
