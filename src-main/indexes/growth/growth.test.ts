/** Captures over time, over real archives of random captures, compared with what the rows say. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { growthGroups, growthPeriods } from '../../contract/shapes/choices.ts'
import { growthNamesMax, growthPeriodsMax } from '../model/limits.ts'
import { createArchive, type ArchiveFixture, type Row } from '../testing/archiveFixture.ts'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'
import { noGrowth, type GrowthAsked } from './growth.ts'
import { LargestGroups } from './groups.ts'
import { periodsOf } from './periods.ts'

const hosts = ['a.example', 'www.a.example', 'b.a.example', 'c.test:8080', 'ba.example']
const types = ['text/html', 'image/png', 'text/css']

const capture = fc.record({
  host: fc.constantFrom(...hosts),
  day: fc.nat({ max: 900 }),
  type: fc.constantFrom(...types),
  status: fc.constantFrom(200, 404, 500),
})

const atOf = (day: number, at: number) => new Date(Date.UTC(2021, 0, 1 + day) + at * 1_000).toISOString()

function rowOf({ host, day, type, status }: typeof capture extends fc.Arbitrary<infer V> ? V : never, at: number): Row {
  const fields = [['Content-Type', type]] as const
  return { url: `http://${host}/${at}`, at: atOf(day, at), status, fields, body: `${at}` }
}

type Selected = { all: true } | { jobs: number[] }
async function growthOf(made: ArchiveFixture, asked: Partial<GrowthAsked> & { selection?: Selected } = {}) {
  const indexes = await indexesOver(made)
  try {
    const { signal } = new AbortController()
    return await indexes.growth({ selection: { all: true }, period: 'month', groupsMax: 8, signal, ...asked })
  } finally {
    await indexes.close()
  }
}

test('counts as the captures say: by period, by group, the rest together, in a domain', async () => {
  const asked = fc.record({
    period: fc.constantFrom(...growthPeriods),
    by: fc.constantFrom(undefined, ...growthGroups),
    groupsMax: fc.integer({ min: 1, max: 3 }),
    domain: fc.constantFrom(undefined, 'a.example', 'c.test'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(capture, { minLength: 1, maxLength: 25 }), asked, async (captures, query) => {
      const made = await createArchive()
      try {
        await made.add({ name: 'a.warc.gz', job: 1, rows: captures.map(rowOf) })
        const found = await growthOf(made, query)
        const named = captures.map(({ host, day, type, status }, at) => {
          const bare = host.replace(/^www\./, '')
          const names = { host: bare, mediaType: type, status: String(status) }
          return {
            period: atOf(day, at).slice(0, { year: 4, month: 7, day: 10 }[query.period]),
            name: query.by === undefined ? null : names[query.by],
            isIn: query.domain === undefined || `.${bare.replace(/:.*/, '')}`.endsWith(`.${query.domain}`),
          }
        })
        const wanted = named.filter(({ isIn }) => isIn)
        const counts = new Map<string | null, number>()
        for (const { name } of wanted) counts.set(name, (counts.get(name) ?? 0) + 1)
        expect(found.captures).toBe(wanted.length)
        expect(found.bytes > 0).toBe(wanted.length > 0)
        const shown = found.groups.filter(({ name }) => name !== null)
        const most = [...counts.values()].toSorted((one, other) => other - one).slice(0, query.groupsMax)
        expect(shown.map(({ captures: of }) => of)).toEqual(query.by === undefined ? [] : most)
        const nameOf = (name: string | null) => (shown.some((each) => each.name === name) ? name : null)
        for (const [at, group] of found.groups.entries()) {
          const own = wanted.filter(({ name }) => nameOf(name) === group.name)
          expect(group.captures).toBe(own.length)
          for (const row of found.rows)
            expect(row.amounts[at]?.captures).toBe(own.filter(({ period }) => period === row.period).length)
          const bytes = found.rows.reduce((sum, row) => sum + (row.amounts[at]?.bytes ?? 0), 0)
          expect(group.bytes).toBe(bytes)
        }
        expect(found.rows.map(({ period }) => period)).toEqual(
          [...new Set(wanted.map(({ period }) => period))].toSorted(),
        )
      } finally {
        await made[Symbol.asyncDispose]()
      }
    }),
    { numRuns: 25 },
  )
})

const one = (job: number, host: string) => ({
  ...{ name: `${job}.warc.gz`, job },
  rows: [{ url: `http://${host}/`, at: '2024-05-01T00:00:00.000Z', body: 'x' }],
})

test('only the selected jobs count', async () => {
  const made = await archiveWith(one(1, 'a.test'), one(2, 'b.test'))
  const found = await growthOf(made, { selection: { jobs: [2] }, by: 'host' })
  expect(found.groups).toMatchObject([{ name: 'b.test', captures: 1 }])
  expect(found.rows).toMatchObject([{ period: '2024-05', amounts: [{ captures: 1 }] }])
})

test('the bytes are those of the records in the file', async () => {
  const made = await archiveWith(one(1, 'a.test'))
  const found = await growthOf(made)
  expect(found.bytes).toBe(made.archive.selected({ jobs: [1] }).files[0]?.bytes)
})

test('a file that cannot be read is named, and an archive without files has no growth', async () => {
  expect(await growthOf(await archiveWith())).toEqual({ ...noGrowth, filesMissing: [] })
  const spoiled = { ...one(2, 'b.test'), spoil: (bytes: Buffer) => void bytes.fill(0) }
  const found = await growthOf(await archiveWith(one(1, 'a.test'), spoiled))
  expect(found.captures).toBe(1)
})

test('too many periods are refused, and longer ones are not', async () => {
  const rows = Array.from({ length: growthPeriodsMax + 1 }, (_, day) => ({ url: 'http://a.test/', at: atOf(day, 0) }))
  const made = await archiveWith({ name: 'a.warc.gz', job: 1, rows })
  await expect(growthOf(made, { period: 'day' })).rejects.toMatchObject({ code: 'refused', fields: [['period']] })
  expect((await growthOf(made, { period: 'year' })).rows.length).toBeLessThan(30)
})

test('of more names than are counted, the largest is found', () => {
  const groups = new LargestGroups(2)
  for (let at = 0; at < 3 * growthNamesMax; at++) for (const name of ['often', `once ${at}`]) groups.add(name)
  expect(groups.names()[0]).toBe('often')
})

test.each([
  ['year', -1, '1969'],
  ['month', Date.UTC(2024, 1, 29, 23, 59), '2024-02'],
  ['day', Date.UTC(2024, 1, 29, 23, 59), '2024-02-29'],
  ['day', Date.UTC(2024, 2, 1), '2024-03-01'],
] as const)('the %s of %s is %s', (period, at, name) => expect(periodsOf(period)(at)).toBe(name))
