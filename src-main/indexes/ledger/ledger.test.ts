/** The ledger over real archives of random captures, compared with what the rows say. */
import fc from 'fast-check'
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sha1Base32 } from '../../formats/bytes/digest.ts'
import { keptReferencesMax } from '../model/limits.ts'
import { createArchive, type ArchiveFixture, type Row } from '../testing/archiveFixture.ts'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'
import { emptyLedger, type Ledger } from './ledger.ts'

const bodies = ['a', 'b', 'c', 'd']
const digestOf = (body: string) => sha1Base32([Buffer.from(body)])
const urlOf = (number: number) => `http://host${number % 3}.example/${number}`
const atOf = (minute: number) => `2024-05-01T00:${String(minute).padStart(2, '0')}:00.000Z`

const capture = fc.record({
  url: fc.nat({ max: 5 }),
  body: fc.constantFrom(...bodies),
  isRevisit: fc.boolean(),
  /** A revisit without a digest names the URL and the date of its original. */
  isDigested: fc.boolean(),
  namedUrl: fc.nat({ max: 5 }),
  namedMinute: fc.nat({ max: 30 }),
})
const jobsOfCaptures = fc.array(fc.array(capture, { maxLength: 8 }), { minLength: 1, maxLength: 3 })
type Made = typeof jobsOfCaptures extends fc.Arbitrary<infer Value> ? Value : never

/** Every capture has a minute of its own. */
function rowsOf(captures: Made[number], fromMinute: number): Row[] {
  return captures.map(({ url, body, isRevisit, isDigested, namedUrl, namedMinute }, at): Row => {
    const row = { url: urlOf(url), at: atOf(fromMinute + at), body }
    if (!isRevisit) return row
    const named: [string, string][] = isDigested
      ? [['WARC-Payload-Digest', digestOf(body)]]
      : [
          ['WARC-Refers-To-Target-URI', urlOf(namedUrl)],
          ['WARC-Refers-To-Date', atOf(namedMinute)],
        ]
    return { ...row, body: '', type: 'revisit', warcFields: named }
  })
}

async function ledgerOf(made: ArchiveFixture) {
  const indexes = await indexesOver(made)
  try {
    return await indexes.dedupLedger({ signal: new AbortController().signal })
  } finally {
    await indexes.close()
  }
}

test('finds the originals that a scan of all captures finds', async () => {
  await fc.assert(
    fc.asyncProperty(jobsOfCaptures, async (jobs) => {
      const made = await createArchive()
      try {
        const all = jobs.flatMap((captures, number) =>
          captures.map((each, at) => ({ ...each, job: number + 1, minute: number * 10 + at })),
        )
        for (const [number, captures] of jobs.entries())
          await made.add({ name: `${number + 1}.warc.gz`, job: number + 1, rows: rowsOf(captures, number * 10) })
        const contents = all.filter(({ isRevisit }) => !isRevisit)
        const revisits = all.filter(({ isRevisit }) => isRevisit)
        const originalsOf = ({ body, isDigested, namedUrl, namedMinute }: (typeof all)[number]) =>
          contents.filter((each) =>
            isDigested ? each.body === body : each.url === namedUrl && each.minute === namedMinute,
          )
        const resolved = revisits.filter((each) => originalsOf(each).length > 0)
        const ledger = await ledgerOf(made)
        expect(ledger.captures).toBe(resolved.length)
        expect(ledger.unresolvedTotal).toBe(revisits.length - resolved.length)
        expect(ledger.unresolved.map(({ url, timestampMs, job }) => `${url} ${timestampMs} ${job}`).toSorted()).toEqual(
          revisits
            .filter((each) => !resolved.includes(each))
            .map(({ url, minute, job }) => `${urlOf(url)} ${Date.parse(atOf(minute))} ${job}`)
            .toSorted(),
        )
        for (const { job, captures } of ledger.byJob)
          expect(captures).toBe(resolved.filter((each) => each.job === job).length)
        for (const { file, job, captures, onlyHere } of ledger.references) {
          const isIn = (each: (typeof all)[number]) => `${each.job}.warc.gz` === file
          const here = resolved.filter((each) => each.job === job && originalsOf(each).some(isIn))
          expect(captures).toBeLessThanOrEqual(here.length)
          expect(onlyHere).toBeLessThanOrEqual(captures)
          // Where content is in one file only, it is known which.
          const certain = here.filter((each) => originalsOf(each).every(isIn))
          expect(captures).toBeGreaterThanOrEqual(certain.length)
        }
        expect(ledger.references.reduce((sum, { captures }) => sum + captures, 0)).toBe(resolved.length)
      } finally {
        await made[Symbol.asyncDispose]()
      }
    }),
    { numRuns: 25 },
  )
})

test('a file that no replica provides makes the captures unresolved whose content is in it', async () => {
  const made = await archiveWith(
    { name: '1.warc.gz', job: 1, rows: [{ url: urlOf(1), at: atOf(1), body: 'a' }] },
    {
      ...{ name: '2.warc.gz', job: 2 },
      rows: [{ url: urlOf(1), at: atOf(2), type: 'revisit', warcFields: [['WARC-Payload-Digest', digestOf('a')]] }],
    },
  )
  expect(await ledgerOf(made)).toMatchObject({ captures: 1, unresolvedTotal: 0, filesMissing: [] })
  await rm(join(made.folder, 'one', '1.warc.gz'))
  expect(await ledgerOf(made)).toMatchObject({
    captures: 0,
    unresolved: [{ url: urlOf(1), job: 2, why: 'unavailable' }],
  })
})

test('of several files with the content, one that a replica provides counts', async () => {
  const made = await archiveWith(
    ...[1, 2].map((job) => ({ name: `${job}.warc.gz`, job, rows: [{ url: urlOf(1), at: atOf(job), body: 'a' }] })),
    { name: '3.warc.gz', job: 3, rows: [revisitOf(urlOf(1), 'a')] },
  )
  // The capture that is nearest in time.
  await rm(join(made.folder, 'one', '2.warc.gz'))
  const { unresolvedTotal, references } = await ledgerOf(made)
  expect([unresolvedTotal, references.map(({ file }) => file)]).toEqual([0, ['1.warc.gz']])
})

const revisitOf = (url: string, body: string, named: [string, string][] = []): Row => {
  return { url, at: atOf(9), type: 'revisit', warcFields: [['WARC-Payload-Digest', digestOf(body)], ...named] }
}

test('an export needs the originals in other jobs, also if its own files have the same payload of another URL', async () => {
  const full = (url: number, body: string): Row => ({ url: urlOf(url), at: atOf(url), body })
  const named: [string, string][] = [
    ['WARC-Refers-To-Target-URI', urlOf(2)],
    ['WARC-Refers-To-Date', atOf(2)],
  ]
  const made = await archiveWith(
    { name: '1.warc.gz', job: 1, rows: [full(1, 'spacer'), full(2, 'named')] },
    {
      ...{ name: '2.warc.gz', job: 2 },
      rows: [full(3, 'spacer'), revisitOf(urlOf(1), 'spacer'), full(4, 'named'), revisitOf(urlOf(5), 'named', named)],
    },
  )
  const indexes = await indexesOver(made)
  const { signal } = new AbortController()
  const { revisits, isAll } = await indexes.revisitsElsewhere({ jobs: [2] }, signal)
  expect([isAll, revisits.map(({ url, filename }) => [url, filename])]).toEqual([
    true,
    [
      [urlOf(1), '1.warc.gz'],
      [urlOf(5), '1.warc.gz'],
    ],
  ])
  expect(await indexes.revisitsElsewhere({ jobs: [1] }, signal)).toEqual({ revisits: [], isAll: true })
})

/** The world of an archive, which counts how often a ledger is made. `made`: what the thread gives instead. */
function countedLedgers({ world }: ArchiveFixture, made?: Ledger) {
  const counts = { ledgers: 0 }
  const run = (async (...given: Parameters<typeof world.threads.run>) => {
    const isLedger = given[0].pathname.endsWith('/ledger.thread.ts')
    if (isLedger) counts.ledgers += 1
    return isLedger && made ? made : world.threads.run(...given)
  }) as typeof world.threads.run
  const threads = Object.assign(Object.create(world.threads) as typeof world.threads, { run })
  return { counts, world: { ...world, threads } }
}

test('callers at the same time, and one after them, share a ledger', async () => {
  const made = await archiveWith({ name: '1.warc.gz', job: 1, rows: [{ url: urlOf(1), at: atOf(1), body: 'a' }] })
  const { counts, world } = countedLedgers(made)
  const indexes = await indexesOver(made, { world })
  const { signal } = new AbortController()
  const stop = new AbortController()
  const stopped = indexes.dedupLedger({ signal: stop.signal })
  const both = Promise.all([indexes.dedupLedger({ signal }), indexes.dedupLedger({ signal })])
  stop.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
  await both
  await indexes.dedupLedger({ signal })
  expect(counts.ledgers).toBe(1)
  await made.add({ name: '2.warc.gz', job: 2, rows: [revisitOf(urlOf(1), 'a')] })
  expect((await indexes.dedupLedger({ signal })).captures).toBe(1)
})

test('a ledger with very many references does not stay in memory', async () => {
  const made = await archiveWith({ name: '1.warc.gz', job: 1, rows: [{ url: urlOf(1), at: atOf(1), body: 'a' }] })
  const { signal } = new AbortController()
  const reference = { file: '1.warc.gz', fileJob: 1, job: 1, captures: 1, bytes: 1, onlyHere: 1 }
  for (const [count, ledgers] of [
    [keptReferencesMax, 1],
    [keptReferencesMax + 1, 2],
  ] as const) {
    const references = Array.from({ length: count }, () => reference)
    const { counts, world } = countedLedgers(made, { ...emptyLedger, references })
    const indexes = await indexesOver(made, { world })
    for (let time = 0; time < 2; time++) await indexes.dedupLedger({ signal })
    expect(counts.ledgers).toBe(ledgers)
  }
})

test('an empty archive has an empty ledger', async () => {
  expect(await ledgerOf(await archiveWith())).toMatchObject({ captures: 0, references: [], unresolvedTotal: 0 })
})
