/** Verdicts: given, replaced and taken back; written into files of the job, from which they are restored elsewhere, whatever was changed and
 *  whenever the power was cut. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openArchive } from '../../archive/store/archive.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { verdictValues, type PageVerdict, type VerdictValue } from '../../contract/services/verdicts.ts'
import { openJobs } from '../../crawl/crawl.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { unstoredVerdictsMax } from '../model/limits.ts'
import { openQualityFiles } from '../records/qualityFiles.ts'
import { openVerdicts, type Verdicts } from './verdicts.ts'

const urls = ['', 'http://a.test/', 'http://a.test/b', 'http://ä.test/?c#d']

interface Opened {
  verdicts: Verdicts
  problems: unknown[]
}

async function opened(world: SeededWorld, store: Store): Promise<Opened> {
  const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
  const archive = await openArchive({ store, world, replicas: [{ name: 'one', folder: '/one' }], limits })
  const problems: unknown[] = []
  const parts = {
    store,
    world,
    archive,
    jobs: openJobs(store, world),
    onProblem: (error: unknown) => void problems.push(error),
  }
  const files = openQualityFiles({
    ...{ ...parts, folder: '/quality', quarantineFolder: '/quarantine', software: 'Loupe/test' },
    ...{ isEngine: true, ready: archive.resumeUploads() },
  })
  return { verdicts: openVerdicts({ ...parts, files }), problems }
}

/** A database with one job that has ended. */
function withJob(world: SeededWorld): Store {
  const store = openStore(':memory:')
  openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  store.statement<object>('UPDATE job SET ended_ms = 1').run({})
  return store
}

/** All that is said about the job. */
function said({ list, progress }: Verdicts): (PageVerdict | null)[] {
  return [progress(1).ofJob, ...list({ job: 1, offset: 0, limit: 100 }).rows]
}

test('verdicts are listed the worst first, and counted', async () => {
  const world = seededWorld({ seed: 1 })
  await world.run(
    (async () => {
      const { verdicts } = await opened(world, withJob(world))
      expect(verdicts.set({ job: 1, urls: ['http://a.test/', 'http://a.test/b'], verdict: 'good' }, 'curator')).toBe(2)
      verdicts.set({ job: 1, urls: ['http://a.test/c'], verdict: 'unusable', note: 'a blank page' }, 'curator')
      verdicts.set({ job: 1, urls: [''], verdict: 'minor' }, 'curator')
      const { rows, total } = verdicts.list({ job: 1, offset: 0, limit: 2 })
      expect(rows.map(({ url, verdict, note }) => [url, verdict, note])).toEqual([
        ['http://a.test/c', 'unusable', 'a blank page'],
        ['http://a.test/', 'good', ''],
      ])
      expect([total, rows[0]?.author]).toEqual([3, 'curator'])
      const counts = { good: 2, minor: 0, bad: 0, unusable: 1, unstored: 4 }
      expect(verdicts.progress(1)).toMatchObject({ ...counts, audited: null, ofJob: { verdict: 'minor' } })
      // The note stays where none is given, and goes with the verdict.
      verdicts.set({ job: 1, urls: ['http://a.test/c'], verdict: 'bad' }, 'curator')
      expect(verdicts.list({ job: 1, verdict: 'bad', offset: 0, limit: 9 }).rows).toMatchObject([
        { note: 'a blank page' },
      ])
      verdicts.set({ job: 1, urls: ['http://a.test/c'], verdict: null }, 'curator')
      verdicts.set({ job: 1, urls: ['http://a.test/c'], verdict: 'bad' }, 'curator')
      expect(verdicts.list({ job: 1, verdict: 'bad', offset: 0, limit: 9 }).rows).toMatchObject([{ note: '' }])
      expect(() => verdicts.set({ job: 9, urls: [''], verdict: 'good' }, 'curator')).toThrow('There is no job 9')
    })(),
  )
})

test('many that wait are stored without being told', async () => {
  const world = seededWorld({ seed: 1 })
  await world.run(
    (async () => {
      const { verdicts, problems } = await opened(world, withJob(world))
      const many = Array.from({ length: unstoredVerdictsMax }, (_, at) => `http://a.test/${at}`)
      verdicts.set({ job: 1, urls: many, verdict: 'good' }, 'curator')
      await verdicts.close()
      expect([verdicts.progress(1).unstored, problems]).toEqual([0, []])
      expect(await verdicts.store(1)).toBe(null)
    })(),
  )
})

const change = fc.record({
  url: fc.constantFrom(...urls),
  verdict: fc.constantFrom<VerdictValue | null>(...verdictValues, null),
  note: fc.constantFrom('', 'a note', '„ü“'),
  isStored: fc.boolean(),
})

test('a lost database gets back what was stored, and a cut power loses no verdict', async () => {
  const runs = Math.ceil(Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500) / 10)
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(400), async (changes, cut) => {
      const world = seededWorld({ seed: 1 })
      const store = withJob(world)
      const isCut = (await world.runUntilCut(judged(world, store, changes), cut)) === undefined
      const next = isCut ? world.crash() : world
      const here = await next.run(
        (async () => {
          const { verdicts } = await opened(next, store)
          if (isCut)
            for (const { url, verdict, note } of changes)
              verdicts.set({ job: 1, urls: [url], verdict, note }, 'curator')
          await verdicts.settle()
          return said(verdicts)
        })(),
      )
      for (const url of urls) {
        const last = changes.findLast((each) => each.url === url)
        const shown = here.find((each) => each?.url === url)
        expect(shown?.verdict ?? null).toBe(last?.verdict ?? null)
      }
      store.statement<object>('DELETE FROM page_verdict').run({})
      store.statement<object>('DELETE FROM quality_reading').run({})
      const restored = await next.run(
        (async () => {
          const { verdicts, problems } = await opened(next, store)
          await verdicts.settle()
          expect(problems).toEqual([])
          return said(verdicts)
        })(),
      )
      expect(restored).toEqual(here)
      store.close()
    }),
    { numRuns: runs },
  )
})

async function judged(
  world: SeededWorld,
  store: Store,
  changes: readonly { url: string; verdict: VerdictValue | null; note: string; isStored: boolean }[],
): Promise<void> {
  const { verdicts } = await opened(world, store)
  for (const { url, verdict, note, isStored } of changes) {
    verdicts.set({ job: 1, urls: [url], verdict, note }, 'curator')
    if (isStored) await verdicts.store(1)
  }
  await verdicts.store(1)
}
