/** Prepares every SQL statement of the product against the schema of its database, so that a renamed column fails here and not only
 *  in the call that uses it. Functions of `*.sql.ts` that are named `…Statement` or `…Statements` are called with a store that prepares each
 *  statement at once; `inline` calls the functions of other files. The last test fails for a call of `statement` in the sources
 *  that was not reached. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { auditStatements } from '../../archive/audit/audit.sql.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { missGroups, missOrders } from '../../contract/services/misses.ts'
import { auditedPageOrders } from '../../contract/services/pageAudits.ts'
import { historyQuery, historyReportNames } from '../../contract/services/history.ts'
import { jobStates } from '../../contract/states/jobStates.ts'
import { assessmentOf } from '../../crawl/capture/connectors/assessment.ts'
import { versionsOf } from '../../crawl/capture/connectors/versions.ts'
import { secretEraser } from '../../crawl/capture/login/secretEraser.ts'
import { loginPrerequisites } from '../../crawl/capture/login/waitingDocuments.ts'
import { metadataFiles } from '../../crawl/finish/metadataFiles.ts'
import { endAllEvents, openPrerequisites } from '../../crawl/frontier/prerequisites.ts'
import { historyWriter } from '../../crawl/history/activities.ts'
import { historyCleanup } from '../../crawl/history/cleanup.ts'
import { movesWithHistory } from '../../crawl/history/jobActivities.ts'
import { makeLinkGraph } from '../../crawl/history/linkGraph.ts'
import { makeReport } from '../../crawl/history/report.ts'
import { openJobs } from '../../crawl/jobs/jobs.ts'
import { measures } from '../../crawl/model/hopMeasures.ts'
import { jobLogOf } from '../../crawl/model/jobLog.ts'
import { filesOutside } from '../../crawl/ownership/filesOutside.ts'
import { inheritanceOf } from '../../crawl/settle/carried/inheritance.ts'
import { forgetHops } from '../../crawl/settle/hops/forgetHops.ts'
import { removeJob } from '../../crawl/settle/jobRemoval.ts'
import { captureStatements, elsewhereStatements, previousCaptureReader } from '../../crawl/settle/previousCaptures.ts'
import { failingReader } from '../../crawl/settle/settled.sql.ts'
import { settleSeeds } from '../../crawl/settle/seeds.ts'
import { addDuplicates } from '../../indexes/build/addDuplicates.ts'
import { buildStatements, captureSchema } from '../../indexes/captures/captureIndex.sql.ts'
import { crawlLogSchema } from '../../indexes/crawlLogs/crawlLogIndex.sql.ts'
import { textSchema } from '../../indexes/text/store/textIndex.sql.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { mover } from '../guard.ts'
import { offerPatterns } from '../sqlite/patterns.ts'
import { openDerived, openStore, type Store } from '../storage.ts'

const root = join(import.meta.dirname, '../..')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\/|^simulation\//.test(path))
  .sort()
const modules = sources.filter((path) => path.endsWith('.sql.ts'))

/** A database whose statements are prepared, with its initial schema. */
interface Checked {
  store: Store
  close(): void
}

const wrong: string[] = []
/** Calls of `statement` that were reached, as `file:line`. */
const reached = new Set<string>()

/** Returns a store that prepares each statement at once in a second database with the same schema. */
function checked(store: Store): Checked {
  const database = new Database(':memory:')
  database.function('sha256', String)
  offerPatterns(database)
  const schema = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
  for (const { sql } of store.statement<object, { sql: string }>(schema).all({}))
    // A virtual table has made its own tables.
    if (!/^CREATE TABLE '/.test(sql)) database.exec(sql)
  const preparing: Store = {
    ...store,
    statement(sql) {
      reached.add(callerOf(new Error('the stack')))
      try {
        const statement = database.prepare(sql)
        // Other statements are about these.
        if (/^\s*CREATE (TEMP|INDEX)/.test(sql)) statement.run()
      } catch (error) {
        wrong.push(`${String(error)} in ${sql}`)
      }
      return store.statement(sql)
    },
  }
  return {
    store: preparing,
    close() {
      store.close()
      database.close()
    },
  }
}

/** Returns the place from which the function that made this error was called, as `file:line`. */
function callerOf({ stack = '' }: Error): string {
  const frame = stack.split('\n')[2] ?? ''
  const [, path = '', line = ''] = /([^\s(]+?):(\d+):\d+\)?$/.exec(frame) ?? []
  return `${path
    .replaceAll('\\', '/')
    .replace(/^file:\/\//, '')
    .slice(root.length + 1)}:${line}`
}

const main = checked(openStore(':memory:'))
const captures = checked(openDerived(':memory:', captureSchema))
const crawlLogs = checked(openDerived(':memory:', crawlLogSchema))
const texts = checked(openDerived(':memory:', textSchema))
afterAll(() => {
  for (const { close } of [main, captures, crawlLogs, texts]) close()
})

// Statements about a capture index name its secondary indexes, which exist only in a complete one.
buildStatements(captures.store)

/** Returns the database for which a module has statements. */
function databaseOf(path: string): Checked {
  if (path.startsWith('indexes/crawlLogs/')) return crawlLogs
  if (path.startsWith('indexes/text/')) return texts
  return path.startsWith('indexes/') ? captures : main
}

/** Searches with and without words, and with and without a condition. */
const searches = ['a', undefined].flatMap((match) => [
  [{ match, condition: undefined }],
  [{ match, condition: { sql: 'job = @v0', values: {} } }],
])

/** Further arguments of functions whose statements depend on more than the store. */
const furtherArguments: Record<string, unknown[][]> = {
  measureStatements: Object.keys(measures).flatMap((measure) =>
    [true, false].map((keepsPaths) => [measure, keepsPaths]),
  ),
  settledStatements: [['settled'], ['rescheduled']],
  connectionUserStatements: [['repository'], ['output']],
  describedStatements: [['authgroup'], ['authdomain']],
  authorityConnectionStatements: [['authority'], ['mapping']],
  pageListStatement: auditedPageOrders.flatMap((sort) => [
    [sort, true],
    [sort, false],
  ]),
  missListStatements: missOrders.flatMap((sort) => [[{ sort, descending: true }], [{ sort, descending: false }]]),
  missGroupStatement: missGroups.map((by) => [by]),
  searchStatements: searches,
  capturesStatement: searches,
}

type StatementsOf = (store: Store, ...further: unknown[]) => unknown

test.each(modules)('%s', async (path) => {
  const { store } = databaseOf(path)
  const exported = (await import(join(root, path))) as Record<string, unknown>
  for (const [name, value] of Object.entries(exported)) {
    if (typeof value !== 'function' || !/Statements?$/.test(name)) continue
    for (const further of furtherArguments[name] ?? [[]]) (value as StatementsOf)(store, ...further)
  }
  expect(wrong.splice(0)).toEqual([])
})

const { store } = main
const world = seededWorld({ seed: 1 })
const { signal } = new AbortController()
const job = 1
const emptyDisk = { stat: () => Promise.resolve(undefined), list: () => Promise.resolve([]) }
const everyFilter = {
  jobs: [job],
  activities: ['fetch'],
  states: ['PENDING'],
  identifier: 'a',
  result: 'b',
  run: 1,
  comparisons: ['new'],
}

/** Reaches the statements of files other than `*.sql.ts`. */
const inline: [string, () => unknown][] = [
  ['a job and its page', () => openJobs(store, world).show(openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] })))], // prettier-ignore
  ['moves of jobs', () => movesWithHistory(store, world.clock, mover(store, jobStates, { table: 'job' }))],
  ['the log of a job', () => jobLogOf(store)],
  ['the history', () => historyWriter(store)({ ...{ job, kind: 'jobStart', startMs: 0, durationMs: 0 }, ...{ identifier: '', result: 'OK', bytes: null, description: '' } })], // prettier-ignore
  ['the cleanup of the history', () => historyCleanup(store)],
  ...historyReportNames.flatMap((report): [string, () => unknown][] => [
    [`the report ${report}`, () => makeReport({ store, nowMs: 0, signal }, historyQuery.parse({ report }))],
    [`the filtered report ${report}`, () => makeReport({ store, nowMs: 0, signal }, historyQuery.parse({ report, ...everyFilter }))], // prettier-ignore
  ]),
  ['links between hosts', () => makeLinkGraph(store, { job, limit: 1 })],
  ['connectors of jobs', () => assessmentOf(store)],
  ['versions of documents', () => versionsOf(store, job)],
  ['secret eraser', () => secretEraser(store)],
  ['documents that wait for a login', () => loginPrerequisites(store, job)],
  ['prerequisites', () => openPrerequisites(store, job)],
  ['the end of all events', () => endAllEvents(store)],
  ['metadata files', () => metadataFiles({ store, job, archive: { file: () => undefined } } as never)],
  ['files outside of the archive', () => filesOutside({ store, world: { disk: emptyDisk }, folder: '/jobs' } as never)],
  ['series of failures', () => failingReader(store)],
  [
    'the audit log, filtered',
    () =>
      [{}, { what: 'checkBegun', who: 'job', subject: 'a' } as const].map((filter) =>
        auditStatements(store).chosen(filter),
      ),
  ],
  ['inherited data', () => inheritanceOf(store, job)],
  ['previous captures', () => [previousCaptureReader(store), captureStatements(store), elsewhereStatements(store)]],
  ['seeds', () => settleSeeds(store, { job, isPartial: false })],
  ['hops that are forgotten', () => forgetHops({ store, world, signal }, job)],
  ['the removal of a job', () => removeJob({ store, world, signal }, job)],
  ['duplicates in crawl logs', () => addDuplicates(captures.store, { world, signal }, [])],
]

test.each(inline)('%s', async (_, act) => {
  await act()
  expect(wrong.splice(0)).toEqual([])
})

/** Files that only forward statements and contain none. */
const wrappers = ['storage/storage.ts', 'storage/engineStore.ts', 'indexes/build/exchangeableStore.ts']

test('every statement in the sources was prepared', () => {
  const calls = sources
    .filter((path) => !wrappers.includes(path))
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, at) => (/\.statement(<|\()/.test(line) ? [`${path}:${at + 1}`] : [])),
    )
  expect(calls.filter((call) => !reached.has(call))).toEqual([])
  expect(calls.length).toBeGreaterThan(450)
})

test('only the database floor prepares statements without a store', () => {
  const others = sources.filter((path) => !path.startsWith('storage/'))
  expect(others.filter((path) => /\bdatabase\.(prepare|exec)\(/.test(readFileSync(join(root, path), 'utf8')))).toEqual(
    [],
  )
})
