/** Overlays: made when a patch job ends, switched on and off, and restored elsewhere from the files alone, whatever was changed and whenever the
 *  power was cut. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openArchive, type Archive } from '../../archive/store/archive.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import type { Overlay } from '../../contract/services/overlays.ts'
import { openJobs } from '../../crawl/crawl.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { patchStatements } from '../patches/patches.sql.ts'
import { openQualityFiles, type QualityFiles } from '../records/qualityFiles.ts'
import { openOverlays, type Overlays } from './overlays.ts'

/** A place with an archive: `name` is a folder of the world. */
interface Place {
  world: SeededWorld
  store: Store
  name: string
}

interface Opened {
  archive: Archive
  files: QualityFiles
  overlays: Overlays
  problems: unknown[]
}

const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }

async function opened({ world, store, name }: Place): Promise<Opened> {
  const replicas = [{ name: 'one', folder: `/${name}/one` }]
  const archive = await openArchive({ store, world, replicas, limits })
  const problems: unknown[] = []
  const jobs = openJobs(store, world)
  const parts = { store, world, archive, jobs, onProblem: (error: unknown) => void problems.push(error) }
  const files = openQualityFiles({
    ...{ ...parts, folder: `/${name}/quality`, quarantineFolder: `/${name}/quarantine`, software: 'Loupe/test' },
    ...{ isEngine: true, ready: archive.resumeUploads() },
  })
  return { archive, files, overlays: openOverlays({ ...parts, files }), problems }
}

/** Makes `count` jobs that have ended. */
function withJobs(store: Store, world: SeededWorld, count: number): void {
  const jobs = openJobs(store, world)
  for (let made = 0; made < count; made += 1) jobs.create(harvestDefinition.parse({ seeds: [`http://a${made}.test/`] }))
  end(store, 1, count)
}

function end(store: Store, first: number, last = first): void {
  const sql = 'UPDATE job SET ended_ms = COALESCE(ended_ms, 0) + 1 WHERE id BETWEEN @first AND @last'
  store.statement<object>(sql).run({ first, last })
}

async function keep(
  { world }: Place,
  archive: Archive,
  file: { name: string; job: number; text: string },
): Promise<void> {
  await world.disk.write(`/tmp-${file.name}`, Buffer.from(file.text))
  await archive.store({ path: `/tmp-${file.name}`, name: file.name, kind: 'content', jobId: file.job })
}

/** Jobs 1 to 3 with a file each; job 2 and 3 patch job 1, and job 3 runs still. */
async function origin(place: Place): Promise<void> {
  const { archive } = await opened(place)
  for (const job of [1, 2, 3]) await keep(place, archive, { name: `${job}-a.warc`, job, text: `file ${job}` })
  const { add } = patchStatements(place.store)
  for (const job of [2, 3]) add.run({ job, patches: 1, misses: 1, createdMs: 0 })
}

function madeOrigin(seed = 1): Place {
  const world = seededWorld({ seed })
  const store = openStore(':memory:')
  withJobs(store, world, 3)
  store.statement<object>('UPDATE job SET ended_ms = NULL WHERE id = 3').run({})
  return { world, store, name: 'here' }
}

const stateOf = ({ patches, job, name, isOn }: Overlay) => [patches, job, name, isOn]

test('the end of a patch job makes an overlay, which is on, and is part of what a view shows until it is switched off', async () => {
  const place = madeOrigin()
  await place.world.run(
    (async () => {
      await origin(place)
      const { overlays, files } = await opened(place)
      await Promise.all([overlays.settle(), overlays.settle()])
      expect(overlays.list([1]).map(stateOf)).toEqual([[1, 2, 'Patch of job 1, 1970-01-01', true]])
      expect(overlays.over([1])).toEqual([2])
      expect(overlays.over([1, 2])).toEqual([])
      expect(overlays.over([2])).toEqual([])
      end(place.store, 3)
      await overlays.settle()
      expect(overlays.over([1])).toEqual([2, 3])
      await overlays.change({ patches: 1, job: 2, isOn: false })
      expect(overlays.over([1])).toEqual([3])
      await overlays.change({ patches: 1, job: 3, name: 'Pictures' })
      expect(overlays.list([1]).map(stateOf)).toEqual([
        [1, 2, 'Patch of job 1, 1970-01-01', false],
        [1, 3, 'Pictures', true],
      ])
      await expect(overlays.change({ patches: 2, job: 1 })).rejects.toMatchObject({ code: 'notFound' })
      // One file per change, and none for a settling without changes.
      expect(files.names(1)).toHaveLength(4)
      await overlays.settle()
      expect(files.names(1)).toHaveLength(4)
      await files.close()
    })(),
  )
})

test('a patch of a patch job is shown over both', async () => {
  const place = madeOrigin()
  await place.world.run(
    (async () => {
      await origin(place)
      end(place.store, 3)
      place.store.statement<object>('UPDATE patch_job SET patches = 2 WHERE job_id = 3').run({})
      const { overlays, files } = await opened(place)
      await overlays.settle()
      expect([overlays.over([1]), overlays.over([2]), overlays.over([3])]).toEqual([[2, 3], [3], []])
      await files.close()
    })(),
  )
})

/** Imports at another place: the jobs have other numbers there. */
async function elsewhere(
  from: Place,
  there: Place,
  order: readonly (1 | 2)[],
  names: readonly string[],
): Promise<Opened> {
  const { world } = from
  withJobs(there.store, world, 4)
  const all = await opened(there)
  const hereAs = { 1: 4, 2: 2 }
  for (const job of order) {
    await keep(there, all.archive, { name: `${job}-a.warc`, job: hereAs[job], text: `file ${job}` })
    for (const name of job === 1 ? names : []) {
      const bytes = await world.disk.read(`/here/one/${name}`, 1_000_000)
      await world.disk.write(`/tmp-${name}`, bytes)
      // The name was taken.
      const given = name.replace('.warc.gz', '-2.warc.gz')
      await all.archive.store({ path: `/tmp-${name}`, name: given, kind: 'content', jobId: 4 })
    }
    end(there.store, hereAs[job])
    await all.overlays.settle()
  }
  return all
}

test.each([[[1, 2] as const], [[2, 1] as const]])(
  'whatever was changed and whenever the power was cut, another archive has the same overlay after an import in the order %j',
  async (order) => {
    const change = fc.oneof(fc.record({ isOn: fc.boolean() }), fc.record({ name: fc.constantFrom('A', 'B', 'C') }))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 4 }), fc.nat(400), async (changes, cut) => {
        const place = madeOrigin()
        await place.world.run(origin(place))
        const acting = async () => {
          const { overlays, files } = await opened(place)
          await overlays.settle()
          for (const each of changes) await overlays.change({ patches: 1, job: 2, ...each })
          await files.close()
        }
        const whole = await place.world.runUntilCut(acting(), cut)
        const world = whole ? place.world : place.world.crash()
        await world.run(
          (async () => {
            const here = { ...place, world }
            const { overlays, files, problems } = await opened(here)
            await overlays.settle()
            expect(problems).toEqual([])
            const expected = overlays.list([1])
            if (whole) expect(expected).toMatchObject([Object.assign({ isOn: true }, ...changes)])
            const there = { world, store: openStore(':memory:'), name: 'there' }
            const restored = await elsewhere(here, there, order, files.names(1))
            expect(restored.overlays.list([4])).toEqual(expected.map((each) => ({ ...each, patches: 4, job: 2 })))
            expect(restored.problems).toEqual([])
            await files.close()
            await restored.files.close()
            there.store.close()
          })(),
        )
        place.store.close()
      }),
      { numRuns: 25 },
    )
  },
)
