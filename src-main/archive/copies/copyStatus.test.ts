import { textOf } from '../../contract/words/render.ts'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openArchive } from '../store/archive.ts'
import { openChecks } from '../testing/openChecks.ts'
import { believedAt, openCopyStatus, type CopyStatus } from './copyStatus.ts'

const dayMs = 86_400_000
const names = ['a.warc', 'b.warc']

function raise(error: unknown): never {
  throw error
}

/** Two files in so many replicas, and what a test does with them. */
async function withArchive(count: number, act: (setting: Awaited<ReturnType<typeof filled>>) => Promise<void>) {
  const world = seededWorld({ seed: 3 })
  await world.run(filled(world, count).then(act))
}

async function filled(world: ReturnType<typeof seededWorld>, count: number) {
  const store = openStore(':memory:')
  const replicas = ['ONE', 'TWO', 'THREE'].slice(0, count)
  const archive = await openArchive({
    store,
    world,
    replicas: replicas.map((name) => ({ name, folder: `/${name}` })),
    limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 },
  })
  for (const name of names) {
    await world.disk.write(`/local-${name}`, Buffer.from(`content of ${name}`))
    await archive.store({ path: `/local-${name}`, name, kind: 'content', jobId: 1 })
  }
  const { preservation } = await openChecks({ archive, store, world, onBug: raise })
  const copyStatus = openCopyStatus(store, archive.places)
  const believed = (days: number) => believedAt(world.clock.now(), days)
  return {
    world,
    store,
    aging: (days: number) => copyStatus.aging(believed(days)),
    copyStatus,
    check: async (kind: 'missing' | 'checksums', replica?: string) => {
      const { task: check } = await preservation.check({ kind, replica })
      return preservation.ended(check)
    },
    write: async (path: string, text: string) => {
      await world.disk.remove(path)
      await world.disk.write(path, Buffer.from(text))
    },
    /** Due time of the first check in milliseconds, per replica. */
    firstDue: (days: number) =>
      copyStatus.ages(believed(days)).map(({ firstCheckDue }) => firstCheckDue && Date.parse(firstCheckDue)),
    ages: (days: number) =>
      copyStatus.ages(believed(days)).map(({ neverChecked, overdue }) => `${neverChecked} never, ${overdue} overdue`),
    votes: () =>
      copyStatus
        .votes()
        .map(
          ({ name, copies, message }) =>
            `${name} ${copies.map(({ verdict }) => verdict).join(' ')}: ${textOf(message)}`,
        ),
  }
}

/** The result of the vote on a file, in English. */
function voteText(copyStatus: CopyStatus, name: string): string {
  const vote = copyStatus.voteOn(name)
  return vote ? textOf(vote.message) : 'no such file'
}

describe('ages', () => {
  test('storing verified a new copy: its first check is due after the usual interval', () =>
    withArchive(2, async ({ ages, check, aging, firstDue, world }) => {
      const stored = world.clock.now()
      expect(ages(30)).toEqual(['2 never, 0 overdue', '2 never, 0 overdue'])
      expect(aging(30)).toEqual([])
      for (const due of firstDue(30)) expect(Math.abs(Number(due) - stored - 30 * dayMs)).toBeLessThan(dayMs)
      await check('missing', 'ONE')
      expect(ages(30)).toEqual(['0 never, 0 overdue', '2 never, 0 overdue'])
      expect(firstDue(30)).toEqual([null, expect.any(Number)])
      await check('checksums', 'ONE')
      await world.clock.sleep(31 * dayMs)
      await check('checksums', 'ONE')
      expect(ages(30)).toEqual(['0 never, 0 overdue', '2 never, 2 overdue'])
      expect(aging(30)).toMatchObject([
        { replica: 'TWO', name: 'a.warc', finding: 'neverChecked', verified: null, job: 1 },
        { replica: 'TWO', name: 'b.warc', finding: 'neverChecked', verified: null, job: 1 },
      ])
    }))

  test('a checksum that was compared too long ago is overdue, although the file was seen since', () =>
    withArchive(2, async ({ ages, check, aging, world }) => {
      await check('checksums')
      await world.clock.sleep(29 * dayMs)
      expect(ages(30)).toEqual(['0 never, 0 overdue', '0 never, 0 overdue'])
      await world.clock.sleep(2 * dayMs)
      await check('missing')
      expect(ages(30)).toEqual(['0 never, 2 overdue', '0 never, 2 overdue'])
      await check('checksums', 'TWO')
      expect(ages(30)).toEqual(['0 never, 2 overdue', '0 never, 0 overdue'])
      const [copy] = aging(30)
      expect(copy).toMatchObject({ replica: 'ONE', name: 'a.warc', finding: 'overdue' })
      expect(Date.parse(copy?.verified ?? '')).toBeLessThan(world.clock.now() - 30 * dayMs)
    }))

  test('a copy that was only seen is overdue when it was stored too long ago', () =>
    withArchive(2, async ({ ages, check, world }) => {
      await check('missing')
      await world.clock.sleep(31 * dayMs)
      expect(ages(30)).toEqual(['0 never, 2 overdue', '0 never, 2 overdue'])
    }))

  test('a comparison dated in the future by a wrong clock is overdue', () =>
    withArchive(2, async ({ ages, aging, check, store }) => {
      await check('checksums')
      expect(ages(30)).toEqual(['0 never, 0 overdue', '0 never, 0 overdue'])
      const later = `UPDATE replica_file SET verified_ms = verified_ms + @aheadMs WHERE replica = 'TWO'`
      store.statement<{ aheadMs: number }>(later).run({ aheadMs: dayMs / 2 })
      expect(ages(30)).toEqual(['0 never, 0 overdue', '0 never, 0 overdue'])
      store.statement<{ aheadMs: number }>(later).run({ aheadMs: 3650 * dayMs })
      expect(ages(30)).toEqual(['0 never, 0 overdue', '0 never, 2 overdue'])
      expect(aging(30)).toMatchObject([{ finding: 'overdue' }, { finding: 'overdue' }])
    }))

  test('a damaged copy is not a matter of age', () =>
    withArchive(2, async ({ ages, check, world }) => {
      await check('checksums')
      await world.disk.remove('/ONE/a.warc')
      world.disk.corrupt('/TWO/b.warc', 1)
      await check('checksums')
      await world.clock.sleep(31 * dayMs)
      expect(ages(30)).toEqual(['0 never, 1 overdue', '0 never, 1 overdue'])
    }))
})

describe('votes on the findings of checks', () => {
  test('nothing is reported for files whose copies are all good or were never read', () =>
    withArchive(2, async ({ votes, check, copyStatus }) => {
      expect(votes()).toEqual([])
      await check('checksums')
      expect(votes()).toEqual([])
      expect(copyStatus.voteOn('a.warc')).toMatchObject({ registeredVerdict: 'right', votes: 3, needed: 2 })
      expect(copyStatus.voteOn('none.warc')).toBeUndefined()
    }))

  test('two replicas that disagree: the registered checksum decides', () =>
    withArchive(2, async ({ votes, check, world }) => {
      world.disk.corrupt('/TWO/a.warc', 1)
      await check('checksums')
      expect(votes()).toEqual(['a.warc right corrupt: Good in ONE. Damaged in TWO.'])
    }))

  test('unknown until the other copy is read', () =>
    withArchive(2, async ({ votes, check, world }) => {
      world.disk.corrupt('/TWO/a.warc', 1)
      await check('checksums', 'TWO')
      expect(votes()).toEqual([
        'a.warc unknown unknown: No checksum has a majority: 1 of the 2 votes needed. Run a checksum check of every replica.',
      ])
    }))

  test('two replicas, damaged differently', () =>
    withArchive(2, async ({ votes, check, write }) => {
      await write('/ONE/a.warc', 'content of A.warc')
      await write('/TWO/a.warc', 'content of B.warc')
      await check('checksums')
      expect(votes().join()).toMatch(
        /^a.warc unknown unknown: Lost: no replica has a good copy\. Damaged in ONE, TWO\. Keep the damaged copies/,
      )
    }))

  const lostWays: [what: string, harm: Record<string, 'gone' | 'damaged'>, lost: string[], text: RegExp][] = [
    [
      'missing everywhere',
      { ONE: 'gone', TWO: 'gone', THREE: 'gone' },
      ['a.warc'],
      /^Lost: no replica has a good copy\. Missing in ONE, TWO, THREE\. No bytes are left\. .*upload it under the same name/,
    ],
    [
      'missing or damaged',
      { ONE: 'gone', TWO: 'damaged', THREE: 'gone' },
      ['a.warc'],
      /^Lost: no replica has a good copy\. Damaged in TWO\. Missing in ONE, THREE\. If you have another copy/,
    ],
    ['good in one', { ONE: 'gone', TWO: 'damaged' }, [], /^No checksum has a majority/],
    ['good in two', { ONE: 'gone' }, [], /^Good in TWO, THREE/],
  ]
  test.each(lostWays)('three replicas, %s: lost only where none is good', (_, harm, names, text) =>
    withArchive(3, async ({ copyStatus, check, world }) => {
      expect(copyStatus.lost()).toEqual({ files: [], total: 0 })
      for (const [replica, how] of Object.entries(harm)) {
        if (how === 'gone') await world.disk.remove(`/${replica}/a.warc`)
        else world.disk.corrupt(`/${replica}/a.warc`, 1)
      }
      await check('checksums')
      const { files, total } = copyStatus.lost()
      expect([files.map(({ name }) => name), total]).toEqual([names, names.length])
      expect(voteText(copyStatus, 'a.warc')).toMatch(text)
    }),
  )

  test('when only a checksum replica is right, the file is lost', () =>
    withArchive(2, async ({ check, world, store }) => {
      await world.disk.remove('/ONE/a.warc')
      await check('checksums')
      const places = [{ name: 'ONE' }, { name: 'TWO', kind: 'checksums' as const }]
      const copyStatus = openCopyStatus(store, places)
      expect(copyStatus.lost()).toMatchObject({ files: [{ name: 'a.warc', job: 1 }], total: 1 })
      expect(voteText(copyStatus, 'a.warc')).toMatch(/^Lost: no replica has a good copy\. Missing in ONE\./)
    }))

  test('two replicas that agree on another checksum than the registered one', () =>
    withArchive(2, async ({ votes, check, write, copyStatus }) => {
      for (const replica of ['ONE', 'TWO']) await write(`/${replica}/a.warc`, 'content of A.warc')
      await check('checksums')
      expect(copyStatus.lost().total).toBe(0)
      expect(votes().join()).toMatch(/^a.warc right right: ONE, TWO agree on a checksum that is not the registered one/)
    }))

  test('three replicas: one missing, one of another length, one good', () =>
    withArchive(3, async ({ votes, check, world, write }) => {
      await world.disk.remove('/ONE/a.warc')
      await write('/TWO/a.warc', 'cut')
      await check('checksums')
      expect(votes().join()).toMatch(/^a.warc missing unknown unknown: No checksum has a majority: 2 of the 3/)
    }))

  test('three replicas: two good, one damaged', () =>
    withArchive(3, async ({ votes, check, world }) => {
      world.disk.corrupt('/THREE/b.warc', 0)
      await check('checksums')
      expect(votes()).toEqual(['b.warc right right corrupt: Good in ONE, TWO. Damaged in THREE.'])
    }))

  test('an earlier reading does not count for a missing copy or one whose length has changed', () =>
    withArchive(2, async ({ votes, check, write, world }) => {
      await check('checksums')
      await write('/TWO/a.warc', 'cut')
      await world.disk.remove('/TWO/b.warc')
      await check('missing')
      expect(votes()).toEqual([
        'a.warc right corrupt: Good in ONE. Damaged in TWO.',
        'b.warc right missing: Good in ONE. Missing in TWO.',
      ])
    }))
})
