/** Results of page audits, restored from the quality files of a job: those of every page, once, with the places of its pictures; and nothing from
 *  records that another program wrote. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openArchive } from '../../archive/store/archive.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { auditFailures, type FaultyResource } from '../../contract/services/pageAudits.ts'
import { openJobs } from '../../crawl/crawl.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { openTasks, type Tasks } from '../../tasks/tasks.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { blockAt } from '../records/recordContent.ts'
import { openQualityFiles } from '../records/qualityFiles.ts'
import type { QualityRecord } from '../records/writeQualityFile.ts'
import { pageAuditStatements, type PageLists, type VisitedRow } from './pageAudits.sql.ts'
import { failedPageRecord, isPageRecordUri, pageRecordUri, recordedPage, visitedPageRecord } from './pageRecord.ts'
import { auditRestoring } from './restoreAudits.ts'

const resource: fc.Arbitrary<FaultyResource> = fc.record({
  ...{ url: fc.webUrl(), type: fc.constantFrom('image', ''), method: fc.constantFrom('GET', 'POST') },
  status: fc.option(fc.integer({ min: 100, max: 599 })),
})
const lists: fc.Arbitrary<PageLists> = fc.record({
  missingResources: fc.array(resource, { maxLength: 3 }),
  badResources: fc.array(resource, { maxLength: 3 }),
  consoleMessages: fc.array(fc.string(), { maxLength: 3 }),
})
const share = fc.option(fc.double({ min: 0, max: 1, noNaN: true }))
const count = fc.nat(500)
const flag = fc.constantFrom(0, 1)
const visited: fc.Arbitrary<Omit<VisitedRow, 'id' | 'kept'>> = fc.record({
  ...{ visitedMs: fc.nat(2 ** 40), status: fc.option(fc.integer({ min: 100, max: 599 })), title: fc.string() },
  ...{ risk: fc.double({ min: 0, max: 100, noNaN: true }), good: count, bad: count, missing: count },
  ...{ consoleErrors: count, textCharacters: count, pixelDifference: share, textDifference: share },
  notCompared: fc.constantFrom(null, 'noCapture' as const, 'crashed' as const),
  ...{ isLoaded: flag, isCut: flag, details: lists.map((each) => JSON.stringify(each)) },
})

test('a record of a page is read as it was written', () => {
  fc.assert(
    fc.property(fc.webUrl(), visited, fc.constantFrom(undefined, 'live' as const, 3), (url, row, comparedWith) => {
      const body = visitedPageRecord({ url, shown: `${url}#end`, row: { ...row, id: 1 }, comparedWith })
      const expected = { ...row, url, state: 'DONE', failure: null, visitedMs: row.visitedMs }
      expect(recordedPage({ uri: pageRecordUri(url), body })).toEqual(expected)
    }),
  )
  for (const failure of auditFailures) {
    const body = failedPageRecord('http://a.test/', failure, 7)
    const read = recordedPage({ uri: pageRecordUri('http://a.test/'), body })
    expect(read).toMatchObject({ state: 'FAILED', failure, risk: 100, visitedMs: 7 })
  }
})

test('what is no such record is not read', () => {
  const uri = pageRecordUri('http://a.test/')
  const whole = JSON.parse(Buffer.from(failedPageRecord('http://a.test/', 'hung', 7)).toString()) as object
  for (const wrong of [
    ...['', '{', '[]', 'null', '{"pageid":"x","urls":{}}'],
    ...[{ version: 2 }, { failure: 'other' }, { visited: 'today' }].map((field) => JSON.stringify({ ...whole, ...field })), // prettier-ignore
  ])
    expect(recordedPage({ uri, body: Buffer.from(wrong) }), wrong).toBeUndefined()
  expect(isPageRecordUri('urn:pageinfo:http://a.test/')).toBe(false)
})

interface Opened {
  archive: Awaited<ReturnType<typeof openArchive>>
  tasks: Tasks
  files: ReturnType<typeof openQualityFiles>
  restore: () => Promise<void>
  sql: ReturnType<typeof pageAuditStatements>
}

async function opened(world: SeededWorld, store: Store): Promise<Opened> {
  const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
  const archive = await openArchive({ store, world, replicas: [{ name: 'one', folder: '/one' }], limits })
  const onProblem = (error: unknown) => expect.unreachable(String(error))
  const tasks = openTasks({ store, world, onBug: onProblem })
  await tasks.register('pageAudit')
  const files = openQualityFiles({
    ...{ store, world, archive, jobs: openJobs(store, world), onProblem },
    ...{ folder: '/quality', quarantineFolder: '/quarantine', software: 'Loupe/test' },
    ...{ isEngine: true, ready: archive.resumeUploads() },
  })
  const sql = pageAuditStatements(store)
  return { archive, tasks, files, sql, restore: auditRestoring({ store, tasks, files, sql }) }
}

const shotOf = (url: string) => Buffer.from(`screenshot of ${url}`)

/** The records of a visit, as an audit writes them. */
function recordsOf(url: string, row: Omit<VisitedRow, 'id' | 'kept'>): QualityRecord[] {
  const body = visitedPageRecord({ url, shown: url, row: { ...row, id: 1 }, comparedWith: undefined })
  const record = { type: 'resource', atMs: row.visitedMs } as const
  return [
    { ...record, uri: `urn:view:${url}`, contentType: 'image/png', body: shotOf(url) },
    { ...record, uri: pageRecordUri(url), contentType: 'application/json', body },
  ]
}

test('the latest visit of each page is restored once, with its pictures', async () => {
  const visits = fc.array(fc.tuple(fc.constantFrom('http://a.test/', 'http://a.test/b', 'http://b.test/'), visited), {
    ...{ minLength: 1, maxLength: 6 },
  })
  const runs = Math.ceil(Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500) / 25)
  await fc.assert(
    fc.asyncProperty(visits, fc.nat(5), async (all, filesAfter) => {
      const world = seededWorld({ seed: 1 })
      const store = openStore(':memory:')
      openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
      store.statement<object>('UPDATE job SET ended_ms = 1').run({})
      await world.run(
        (async () => {
          const { archive, tasks, files, restore, sql } = await opened(world, store)
          // A screenshot of another program, which no record of a page follows.
          const other = { uri: 'urn:view:http://a.test/', type: 'resource', contentType: 'image/png' } as const
          await files.write(1, [{ ...other, body: Buffer.from('other'), atMs: 0 }])
          for (const part of [all.slice(0, filesAfter), all.slice(filesAfter)])
            if (part.length > 0)
              await files.write(
                1,
                part.flatMap(([url, row]) => recordsOf(url, row)),
              )
          await restore()
          store.statement<object>('DELETE FROM quality_reading').run({})
          await restore()
          const [task, ...more] = tasks.list({ kind: 'pageAudit', limit: 10 })
          expect(more).toEqual([])
          const audit = task?.task ?? 0
          await tasks.ended(audit)
          const expected = new Map<string, (typeof all)[number][1]>()
          for (const [url, row] of all) if ((expected.get(url)?.visitedMs ?? 0) <= row.visitedMs) expected.set(url, row)
          expect(sql.totals.get({ audit })).toMatchObject({ total: expected.size, done: expected.size })
          for (const [url, row] of expected) {
            const page = sql.lastVisit.get({ job: 1, url })
            expect(page).toMatchObject(row)
            const { screenshot } = JSON.parse(page?.kept ?? '{}') as { screenshot: number }
            const file = page?.file ?? ''
            expect(await blockAt(archive, { file, offset: screenshot, uri: `urn:view:${url}` })).toEqual(shotOf(url))
          }
        })(),
      )
      store.close()
    }),
    { numRuns: runs },
  )
})
