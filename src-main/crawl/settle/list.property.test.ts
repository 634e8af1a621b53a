/** The list of a job over many runs with random sites, faults, ends and kills: invariants of every document after each step. */
import fc from 'fast-check'
import { stateIn } from '../../storage/schema/stateIn.ts'
import { expect, test } from 'vitest'
import { recheckOnce, type GoneMode } from '../../contract/shapes/recheck.ts'
import { documentStates, fetchedDocumentStates } from '../../contract/states/documentStates.ts'
import { moveSql } from '../../storage/guard.ts'
import { crawlListFixture, type CrawlListFixture } from './testing/crawlListFixture.ts'
import { captureStatements } from './previousCaptures.ts'
import { notFoundResult, removalFrom } from './removal.ts'
import { prepareScan } from './scan.ts'
import { markSeeds, settleSeeds } from './seeds.ts'
import { settledStatements } from './settled.sql.ts'

/** The nightly run sets a higher number. A run makes about forty transactions. */
const propertyRuns = Math.ceil(Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500) / 10)
const signal = new AbortController().signal
const urls = ['a', 'b', 'c', 'd', 'e', 'f']

interface Run {
  seeds: string[]
  /** URLs found in this run, in this order. */
  found: string[]
  /** URLs whose fetch fails. */
  fails: string[]
  /** URLs whose inherited data changes while they are in progress. */
  changes: string[]
  gone: GoneMode
  isWhole: boolean
  /** Numbers of the steps before which the engine is killed. */
  kills: number[]
}

const some = fc.uniqueArray(fc.constantFrom(...urls))
const run: fc.Arbitrary<Run> = fc.record({
  seeds: fc.uniqueArray(fc.constantFrom(...urls), { minLength: 1, maxLength: 2 }),
  found: some,
  fails: some,
  changes: some,
  gone: fc.constantFrom<GoneMode>('keep', 'atOnce', 'atEnd'),
  isWhole: fc.boolean(),
  kills: fc.uniqueArray(fc.nat(12), { maxLength: 4 }),
})

/** Changes a list as the engine does, with the same statements. */
function listUnder(list: CrawlListFixture) {
  const { store, job } = list
  const settled = settledStatements(store, 'settled')
  const captures = captureStatements(store)
  const claimed = moveSql(documentStates, 'claimed')
  const interrupted = moveSql(documentStates, 'interrupted')
  const rediscovered = moveSql(documentStates, 'rediscovered')
  const changed = moveSql(documentStates, 'inputsChanged')
  const isFetching = stateIn(fetchedDocumentStates)
  const change = (sql: string, url?: string) => void store.statement<object>(sql).run(url === undefined ? {} : { url })
  return {
    crash: () => change(`UPDATE document SET ${interrupted.set} WHERE ${interrupted.from}`),
    claim: () =>
      store
        .statement<object, { id: number; url: string }>(
          `UPDATE document SET ${claimed.set} WHERE ${claimed.from} RETURNING id, url`,
        )
        .all({}),
    find(url: string): void {
      const isKnown = url in list.states()
      if (!isKnown) list.add({ url, state: 'PENDING' })
      change(`UPDATE document SET ${rediscovered.set} WHERE url = @url AND state IN ('PURGATORY', 'UNCHANGED')`, url)
      if (rediscovered.set === '') throw new Error('no such event')
    },
    inputsChange: (url: string) =>
      change(`UPDATE document SET ${changed.set} WHERE url = @url AND ${isFetching} AND ${changed.from}`, url),
    settle({ id, fails }: { id: number; fails: boolean }): void {
      const next = { nextMs: 0, action: 'rescan' } as const
      const at = { fetchedMs: 1, durationMs: 1, ...next }
      if (fails) settled.unfetched.run({ id, outcome: 'failed', reason: 'refused', detail: '', ...at })
      else {
        const answer = {
          status: 200,
          mediaType: null,
          bytes: 1,
          contentBytes: 1,
          truncated: null,
          payloadDigest: 'sha1:A',
          detail: null,
          file: 1,
          fileOffset: 0,
        }
        settled.fetched.run({ id, ...answer, comparison: 'new', ...at })
        const known = { etag: null, lastModified: null, recordId: 'r', capturedMs: 1, seenMs: 1, status: 200 }
        captures.changed.run({ id, ...known, payloadDigest: 'sha1:A', namedDigest: 'sha1:A', file: 1, fileOffset: 0 })
      }
    },
    seed(seeds: string[]): void {
      for (const url of seeds) if (!(url in list.states())) list.add({ url, state: 'PENDING' })
      markSeeds(store, seeds, { job, nowMs: 0, overridesSchedule: true, areKnownDue: true })
      settleSeeds(store, { job, isPartial: false })
    },
    captured: () =>
      new Set(
        store
          .statement<object, { url: string }>('SELECT url FROM document JOIN capture ON document_id = document.id')
          .all({})
          .map(({ url }) => url),
      ),
  }
}

const firstTrack = new Set(['PENDING', 'ACTIVE', 'ACTIVENEEDRESCAN'])

test('the invariants hold for every document after any runs and kills', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), async (runs) => {
      const list = crawlListFixture()
      const under = listUnder(list)
      const removal = removalFrom(list.store)
      for (const { seeds, found, fails, changes, gone, isWhole, kills } of runs) {
        let step = 0
        const mayCrash = () => {
          if (!kills.includes(step++)) return
          const before = Object.keys(list.states()).toSorted()
          const tracks = list.states()
          under.crash()
          const after = list.states()
          // Nothing is lost, and captured documents stay in the states of captured ones.
          expect(Object.keys(after).toSorted()).toEqual(before)
          for (const url of before)
            if (!firstTrack.has(tracks[url] ?? '')) expect(firstTrack.has(after[url] ?? '')).toBe(false)
        }
        await list.world.run(prepareScan({ ...list, signal }, 'full'))
        mayCrash()
        under.seed(seeds)
        // The seeds are those that were named.
        const marks = list.column('seed_mark')
        for (const [url, mark] of Object.entries(marks)) expect(mark, url).toBe(seeds.includes(url) ? 'S' : 'F')
        for (const url of found) {
          under.find(url)
          mayCrash()
        }
        const wanted = new Set([...seeds, ...found])
        const left = new Set(changes)
        for (let turns = 0; turns < 10; turns += 1) {
          const held = under.claim()
          if (held.length === 0) break
          for (const { id, url } of held) {
            const isChanged = left.delete(url)
            if (isChanged) under.inputsChange(url)
            const isNeeded = list.states()[url]?.includes('NEEDRESCAN') === true
            under.settle({ id, fails: fails.includes(url) })
            // A document that must be fetched again is not complete.
            if (isNeeded) expect(list.states()[url]).toBe('PENDINGPURGATORY')
          }
          mayCrash()
        }
        const fate = notFoundResult(gone, isWhole)
        const before = under.captured()
        if (fate === 'kept') removal.keepNotFound(list.job)
        else {
          const taken = removal.takeToClean(list.job, 'notFound', 0)
          mayCrash()
          list.store.transaction(() =>
            removal.remove(
              taken.filter(({ url }) => list.states()[url] === 'BEINGCLEANED'),
              'notFound',
              0,
            ),
          )
          for (const again of [removal.takeToClean(list.job, 'notFound', 0)])
            list.store.transaction(() => removal.remove(again, 'notFound', 0))
        }
        expect(removal.hasToClean(list.job, recheckOnce.gone)).toBe(false)
        const now = Object.keys(list.states())
        // After a complete run every remaining document was seeded or found in it; after any other run nothing was removed.
        if (fate === 'removed') expect(now.filter((url) => !wanted.has(url))).toEqual([])
        else for (const url of before) expect(now).toContain(url)
        // Captured documents are complete, or unchanged since an earlier run.
        for (const url of under.captured()) expect(['COMPLETE', 'UNCHANGED']).toContain(list.states()[url])
      }
    }),
    { numRuns: propertyRuns },
  )
})
