import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textOf } from '../../contract/words/render.ts'
import type { SplitConfiguration } from '../model/configurations.ts'
import { defaultGenerationSettings, type GenerationSettings } from '../model/generationSettings.ts'
import { refusalMessage } from './explanation.ts'
import type { HarvestLimits } from './openJob.ts'
import { splitterOf, type Split, type SplitJob } from './splitter.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 200)
const unlimited: HarvestLimits = { objectsMax: null, bytesMax: null, isSnapshot: false }

/** A configuration that is expected to have this many objects: its last harvest was complete, and its limit is what it had. */
function expecting(objects: number, given: Partial<SplitConfiguration> = {}): SplitConfiguration {
  const id = given.id ?? objects
  const history = [{ atMs: 1, objects, bytes: objects * 1_000, stopReason: 'DOWNLOAD_COMPLETE' as const }]
  return {
    ...{ id, domain: `d${id}.test`, name: 'default', template: 'default', attributes: '', seedsCount: 1 },
    ...{ objectsMax: objects, bytesMax: null, history, ...given },
  }
}

function splitOf(
  subset: readonly SplitConfiguration[],
  { harvest = unlimited, ...settings }: Partial<GenerationSettings> & { harvest?: HarvestLimits } = {},
): Split {
  const splitter = splitterOf(harvest, { ...defaultGenerationSettings, ...settings })
  const { jobs, skipped } = splitter.add(subset)
  return { jobs: [...jobs, ...splitter.end()], skipped }
}
const idsOf = (jobs: readonly SplitJob[]) => jobs.map(({ members }) => members.map(({ id }) => id))
const whyOf = ([job]: readonly SplitJob[]) => job?.closedBecause && textOf(refusalMessage(job.closedBecause.refusal))

describe('each check closes a job and says why', () => {
  const snapshot = { ...unlimited, isSnapshot: true }
  test.each<
    [
      title: string,
      subset: SplitConfiguration[],
      settings: Parameters<typeof splitOf>[1],
      jobs: number[][],
      why: RegExp,
    ]
  >([
    [
      'extended fields',
      [expecting(10, { attributes: 'b' }), expecting(11, { attributes: 'a' })],
      {},
      [[10], [11]],
      /extended fields/,
    ],
    [
      'domain',
      [expecting(10, { domain: 'x.test' }), expecting(11, { domain: 'x.test' })],
      {},
      [[11], [10]],
      /another configuration of its domain/,
    ],
    [
      'template',
      [expecting(10, { template: 'b' }), expecting(11, { template: 'a' })],
      {},
      [[10], [11]],
      /another template/,
    ],
    [
      'number of configurations',
      [expecting(10), expecting(11), expecting(12)],
      { harvest: snapshot, snapshotConfigurationsMax: 2 },
      [[12, 11], [10]],
      /2 configurations, the most/,
    ],
    [
      'a smaller limit of bytes than the job, which has none',
      [expecting(10), expecting(11, { bytesMax: 1e6 })],
      {},
      [[10], [11]],
      /1000000 bytes per domain differs from that of the job, unlimited/,
    ],
    [
      'a smaller limit of bytes than that of the harvest',
      [expecting(10, { bytesMax: 1e9 }), expecting(11, { bytesMax: 1e6 })],
      { harvest: { ...unlimited, bytesMax: 1e8 } },
      [[10], [11]],
      /1000000 bytes .* job, 100000000/,
    ],
    [
      'another limit of objects',
      [expecting(10), expecting(20)],
      { splitLimit: 'objects' },
      [[20], [10]],
      /10 objects per domain differs from that of the job, 20/,
    ],
    [
      'total of expected objects',
      [expecting(60), expecting(50), expecting(40)],
      { objectsTotalMax: 100 },
      [[60], [50, 40]],
      /50 expected objects, the job would have 110; at most 100/,
    ],
    [
      'difference of expected objects',
      [expecting(3_000), expecting(29)],
      {},
      [[3_000], [29]],
      /range from 29 to 3000, more than a factor of 100/,
    ],
  ])('%s', (_, subset, settings, jobs, why) => {
    const split = splitOf(subset, settings)
    expect(idsOf(split.jobs)).toEqual(jobs)
    expect(whyOf(split.jobs)).toMatch(why)
  })
})

describe('what is accepted', () => {
  test.each<[title: string, subset: SplitConfiguration[], settings: Parameters<typeof splitOf>[1], jobs: number[][]]>([
    ['a factor of exactly 100', [expecting(3_000), expecting(30)], {}, [[3_000, 30]]],
    ['a difference of exactly 2,000, whatever the factor', [expecting(2_001), expecting(1)], {}, [[2_001, 1]]],
    ['one configuration above the total', [expecting(500), expecting(5)], { objectsTotalMax: 100 }, [[500], [5]]],
    ['a total of exactly the most', [expecting(60), expecting(40)], { objectsTotalMax: 100 }, [[60, 40]]],
    [
      'larger limits of bytes than that of the harvest',
      [expecting(10, { bytesMax: 1e9 }), expecting(11)],
      { harvest: { ...unlimited, bytesMax: 1e8 } },
      [[11, 10]],
    ],
    [
      'any number in a selective harvest',
      [expecting(10), expecting(11), expecting(12)],
      { snapshotConfigurationsMax: 2 },
      [[12, 11, 10]],
    ],
    [
      'configurations that may fetch nothing, by bytes or by objects',
      [expecting(0, { id: 1, bytesMax: 5 }), expecting(9, { id: 2, bytesMax: 0 })],
      {},
      [[1, 2]],
    ],
  ])('%s', (_, subset, settings, jobs) => {
    expect(idsOf(splitOf(subset, settings).jobs)).toEqual(jobs)
  })

  test('the limits of a job are those of the harvest and its first configuration, and 0 is 0 of both', () => {
    const limitsOf = (given: Partial<SplitConfiguration>, harvest = unlimited) =>
      splitOf([expecting(10, given)], { harvest }).jobs.map(({ limits }) => limits)
    expect(limitsOf({ bytesMax: 7 }, { ...unlimited, objectsMax: 3, bytesMax: 9 })).toEqual([
      { objectsMax: 3, bytesMax: 7 },
    ])
    expect(limitsOf({ bytesMax: 0 })).toEqual([{ objectsMax: 0, bytesMax: 0 }])
    expect(limitsOf({ objectsMax: 0, bytesMax: 7 })).toEqual([{ objectsMax: 0, bytesMax: 0 }])
  })
})

test('configurations without seeds are left out, those with a limit of 0 only if the setting says so', () => {
  const subset = [expecting(10, { seedsCount: 0 }), expecting(11, { bytesMax: 0 }), expecting(12)]
  const reasons = (split: Split) => split.skipped.map(({ id, reason }) => [id, reason])
  expect(reasons(splitOf(subset))).toEqual([[10, 'noSeeds']])
  expect(reasons(splitOf(subset, { zeroLimits: 'leaveOut' }))).toEqual([
    [10, 'noSeeds'],
    [11, 'zeroLimit'],
  ])
})

test('jobs with a fixed number stay open over all subsets, apart by template and limits', () => {
  const settings = { ...defaultGenerationSettings, jobSizes: 'fixed' as const, focusedConfigurationsMax: 2 }
  const splitter = splitterOf(unlimited, settings)
  const alike = (id: number) => expecting(10, { id })
  expect(idsOf(splitter.add([alike(1), expecting(20)]).jobs)).toEqual([])
  expect(idsOf(splitter.add([alike(2), alike(3)]).jobs)).toEqual([[1, 2]])
  expect(idsOf(splitter.end())).toEqual([[20], [3]])
  expect(splitter.end()).toEqual([])
})

const anyConfiguration = (id: number) =>
  fc
    .record({
      domain: fc.integer({ min: 0, max: 30 }).map((at) => `d${at}.test`),
      template: fc.constantFrom('a', 'b'),
      attributes: fc.constantFrom('', 'x'),
      objectsMax: fc.option(fc.constantFrom(0, 10, 5_000, 900_000)),
      bytesMax: fc.option(fc.constantFrom(0, 1_000_000, 5_000_000_000)),
      seedsCount: fc.constantFrom(0, 1, 3),
      objects: fc.option(fc.constantFrom(0, 3, 400, 5_000, 4_000_000)),
      stopReason: fc.constantFrom('DOWNLOAD_COMPLETE' as const, 'SIZE_LIMIT' as const),
    })
    .map(({ objects, stopReason, ...given }): SplitConfiguration => {
      const history = objects === null ? [] : [{ atMs: 1, objects, bytes: objects * 9_000, stopReason }]
      return { id, name: 'default', history, ...given }
    })
const anySubset = fc
  .integer({ min: 0, max: 40 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, id) => anyConfiguration(id + 1))))
const anyHarvest = fc.record({
  objectsMax: fc.option(fc.constantFrom(0, 100, 6_000)),
  bytesMax: fc.option(fc.constantFrom(1_000_000, 7_000_000)),
  isSnapshot: fc.boolean(),
})
const anySettings = fc
  .record({
    jobSizes: fc.constantFrom('comparable' as const, 'fixed' as const),
    snapshotConfigurationsMax: fc.constantFrom(0, 3, 10_000),
    focusedConfigurationsMax: fc.constantFrom(0, 4),
    objectsTotalMax: fc.constantFrom(5_000, 8_000_000),
    splitLimit: fc.constantFrom('bytes' as const, 'objects' as const),
    zeroLimits: fc.constantFrom('keep' as const, 'leaveOut' as const),
  })
  .map((given): GenerationSettings => ({ ...defaultGenerationSettings, ...given }))

const ascending = (a: number, b: number) => a - b

test('every configuration is in exactly one job or is left out, and a domain is in a job once', () => {
  fc.assert(
    fc.property(anySubset, anyHarvest, anySettings, (subset, harvest, settings) => {
      const { jobs, skipped } = splitOf(subset, { harvest, ...settings })
      const placed = [...jobs.flatMap(({ members }) => members), ...skipped].map(({ id }) => id)
      expect(placed.toSorted(ascending)).toEqual(subset.map(({ id }) => id))
      for (const { members } of jobs) expect(new Set(members.map(({ domain }) => domain)).size).toBe(members.length)
      const seedless = new Set(subset.filter(({ seedsCount }) => seedsCount === 0).map(({ id }) => id))
      expect(
        skipped
          .filter(({ reason }) => reason === 'noSeeds')
          .map(({ id }) => id)
          .toSorted(ascending),
      ).toEqual([...seedless])
    }),
    { numRuns },
  )
})

test('a job has one template and one set of fields, and comparable sizes within the total', () => {
  fc.assert(
    fc.property(anySubset, anyHarvest, anySettings, (subset, harvest, settings) => {
      const byId = new Map(subset.map((configuration) => [configuration.id, configuration]))
      for (const { members, template, objectsExpected } of splitOf(subset, { harvest, ...settings }).jobs) {
        const own = members.map(({ id }) => byId.get(id))
        expect(new Set(own.map((each) => each?.template))).toEqual(new Set([template]))
        expect(new Set(own.map((each) => each?.attributes)).size).toBe(1)
        const expected = members.map(({ estimate }) => estimate.expected)
        expect(objectsExpected).toBe(expected.reduce((sum, each) => sum + each, 0))
        if (settings.jobSizes !== 'comparable' || members.length === 1) continue
        const [least, most] = [Math.min(...expected), Math.max(...expected)]
        expect(most - least <= 2_000 || most / Math.max(least, 1) <= 100).toBe(true)
        // One that is expected to have more than all may be joined by those that are expected to have nothing.
        expect(objectsExpected <= settings.objectsTotalMax || expected.filter((each) => each > 0).length === 1).toBe(
          true,
        )
        if (harvest.isSnapshot && settings.snapshotConfigurationsMax > 0)
          expect(members.length).toBeLessThanOrEqual(settings.snapshotConfigurationsMax)
      }
    }),
    { numRuns },
  )
})

test('the split does not depend on the order in which a subset was read', () => {
  fc.assert(
    fc.property(anySubset, anyHarvest, anySettings, (subset, harvest, settings) => {
      const split = (given: readonly SplitConfiguration[]) => idsOf(splitOf(given, { harvest, ...settings }).jobs)
      expect(split(subset.toReversed())).toEqual(split(subset))
    }),
    { numRuns },
  )
})

test('a job closes for a reason that holds for the next configuration', () => {
  fc.assert(
    fc.property(anySubset, anyHarvest, anySettings, (subset, harvest, settings) => {
      const { jobs } = splitOf(subset, { harvest, ...settings, jobSizes: 'comparable' })
      jobs.slice(0, -1).forEach(({ closedBecause }, at) => {
        const next = jobs[at + 1]?.members[0]
        expect(closedBecause).toMatchObject({ domain: next?.domain, name: next?.name })
        if (closedBecause) expect(textOf(refusalMessage(closedBecause.refusal))).toMatch(/\.$/)
      })
    }),
    { numRuns },
  )
})
