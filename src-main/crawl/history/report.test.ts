/** Compares every report with a slow and obvious count of the same rows. */
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { messageFrom } from '../../contract/words/message.ts'
import { documentStates, queuedDocumentStates } from '../../contract/states/documentStates.ts'
import { activityKinds, hostClass, type HistoryCell, type HistoryQuery } from '../../contract/services/history.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import type { Activity } from './activities.ts'
import { addActivities, queryOf } from './testing/historyFixture.ts'
import { makeReport } from './report.ts'

const runs = Math.ceil(Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500) / 5)
const store = openStore(':memory:')
afterAll(() => store.close())
const nowMs = 5_000
const signal = new AbortController().signal
const made = (query: HistoryQuery) => makeReport({ store, nowMs, signal }, query)

const emptied = (of: Store, ...tables: string[]) =>
  tables.forEach((table) => of.statement<object>(`DELETE FROM ${table}`).run({}))

const identifier = fc.constantFrom('http://a.test/', 'http://a.test/x', 'https://b.test/1', 'http://b.test/2', 'job 1')
const activity: fc.Arbitrary<Activity> = fc.record({
  kind: fc.constantFrom(...activityKinds),
  job: fc.integer({ min: 1, max: 3 }),
  startMs: fc.integer({ min: 1, max: 2_000 }),
  durationMs: fc.nat(500),
  identifier,
  result: fc.constantFrom('200', '204', '404', 'timeout'),
  bytes: fc.option(fc.nat(10_000), { nil: null }),
  description: fc.constantFrom(null, 'truncated: time'),
})

/** End of an activity; one without a duration counts as one millisecond. */
const endOf = ({ startMs, durationMs }: Activity) => startMs + Math.max(durationMs, 1)

const filters = fc.record(
  {
    jobs: fc.uniqueArray(fc.integer({ min: 1, max: 3 })),
    from: fc.integer({ min: 1, max: 2_000 }).map((ms) => new Date(ms).toISOString()),
    to: fc.integer({ min: 1, max: 2_000 }).map((ms) => new Date(ms).toISOString()),
    activities: fc.uniqueArray(fc.constantFrom(...activityKinds)),
    identifier: fc.constantFrom('a', '^http:', 'test/$', '^job'),
    result: fc.constantFrom('^2', 'time', '0'),
  },
  { requiredKeys: [] },
)
type Filters = ReturnType<typeof filters.generate>['value']

function chosenOf(all: readonly Activity[], by: Filters): Activity[] {
  return all.filter(
    ({ job, startMs, kind, identifier, result }) =>
      (!by.jobs || by.jobs.includes(job)) &&
      (!by.from || startMs >= Date.parse(by.from)) &&
      (!by.to || startMs < Date.parse(by.to)) &&
      (!by.activities || by.activities.includes(kind)) &&
      (!by.identifier || new RegExp(by.identifier).test(identifier)) &&
      (!by.result || new RegExp(by.result).test(result)),
  )
}

const time = (ms: number) => new Date(ms).toISOString()
const classOf = (text: string) => /^[a-z]+:\/\/([^/?#]+)/.exec(text)?.[1]
const withActivities = (check: (all: Activity[], by: Filters) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(fc.array(activity, { maxLength: 30 }), filters, async (all, by) => {
      emptied(store, 'activity')
      addActivities(store, all)
      await check(all, by)
    }),
    { numRuns: runs },
  )

const sorted = (rows: readonly HistoryCell[][]) => rows.map((row) => JSON.stringify(row)).sort()

test('the simple history has exactly the filtered activities, in pages and in the requested order', async () => {
  const columns = { started: 0, job: 2, identifier: 3, result: 4, took: 6 }
  await withActivities(async (all, by) => {
    const expected = chosenOf(all, by)
    for (const [order, column] of Object.entries(columns)) {
      const query = queryOf({ report: 'history', ...by, order, direction: 'ascending', limit: 7 })
      const rows: HistoryCell[][] = []
      for (let offset = 0; offset === 0 || offset < expected.length; offset += 7) {
        const page = await made({ ...query, offset })
        expect(page.total).toBe(expected.length)
        rows.push(...page.rows)
      }
      expect(sorted(rows)).toEqual(
        sorted(
          expected.map((row) => [
            time(row.startMs),
            row.kind,
            row.job,
            row.identifier,
            row.result,
            row.bytes ?? null,
            row.durationMs,
            row.description ? messageFrom(row.description) : null,
          ]),
        ),
      )
      const values = rows.map((row) => row[column] ?? '')
      expect(values).toEqual(values.toSorted((one, other) => (one < other ? -1 : Number(one > other))))
    }
    const { chart } = await made(queryOf({ report: 'history', ...by }))
    expect(chart.bars.reduce((sum, { amount }) => sum + amount, 0)).toBe(expected.length)
  })
})

test('the histogram of results counts every activity once', async () => {
  await withActivities(async (all, by) => {
    const counted = new Map<string, { activities: number; bytes: number }>()
    let leftOut = 0
    for (const { identifier, result, bytes } of chosenOf(all, by)) {
      const ofResult = /^(\d)/.exec(result)?.[1]
      const name = classOf(identifier)
      if (name === undefined || ofResult === undefined) leftOut += 1
      else {
        const key = `${name} ${ofResult}`
        const { activities, bytes: before } = counted.get(key) ?? { activities: 0, bytes: 0 }
        counted.set(key, { activities: activities + 1, bytes: before + (bytes ?? 0) })
      }
    }
    const report = await made(queryOf({ report: 'results', resultClass: '^(\\d)', ...by }))
    expect(report.leftOut).toBe(leftOut)
    expect(sorted(report.rows)).toEqual(
      sorted([...counted].map(([key, { activities, bytes }]) => [...key.split(' '), activities, bytes])),
    )
  })
})

function msOf(cell: HistoryCell | undefined): number {
  return typeof cell === 'string' ? Date.parse(cell) : NaN
}

test('maximum activity and bandwidth name a window with the highest value for each class', async () => {
  await withActivities(async (all, by) => {
    const windowSeconds = 1
    const chosen = chosenOf(all, by)
    const names = [...new Set(chosen.flatMap(({ identifier }) => classOf(identifier) ?? []))]
    for (const [report, amountOf, perWindow] of [
      ['maximumActivity', () => 1, 60],
      ['maximumBandwidth', ({ bytes }: Activity) => bytes ?? 0, 1],
    ] as const) {
      const { rows, leftOut } = await made(queryOf({ report, ...by, windowSeconds }))
      expect(rows.map(([name]) => name).sort()).toEqual(names.sort())
      expect(leftOut).toBe(chosen.filter((row) => classOf(row.identifier) === undefined).reduce((sum, row) => sum + amountOf(row), 0)) // prettier-ignore
      for (const [name, rate, from, to, total] of rows) {
        const ofClass = chosen.filter((row) => classOf(row.identifier) === name)
        expect(total).toBe(ofClass.reduce((sum, row) => sum + amountOf(row), 0))
        expect(msOf(to) - msOf(from)).toBe(windowSeconds * 1000)
        const inside = (fromMs: number) =>
          ofClass.reduce((sum, row) => {
            const endMs = endOf(row)
            const insideMs = Math.max(0, Math.min(endMs, fromMs + 1000) - Math.max(row.startMs, fromMs))
            return sum + (amountOf(row) * insideMs) / (endMs - row.startMs)
          }, 0)
        expect(rate).toBeCloseTo(inside(msOf(from)) * perWindow, 2)
        const most = Math.max(...ofClass.flatMap((row) => [inside(row.startMs), inside(endOf(row) - 1000)]))
        expect(rate).toBeGreaterThanOrEqual(most * perWindow - 0.01)
      }
    }
  })
})

interface DocumentMade {
  job: number
  url: string
  state: string
  outcome: string | null
  status: number | null
  reason: string | null
  dueMs: number
  bytes: number | null
  mediaType: string | null
  seedMark: string
}

const document: fc.Arbitrary<DocumentMade> = fc
  .record({
    job: fc.integer({ min: 1, max: 2 }),
    host: fc.constantFrom('http://a.test', 'https://b.test'),
    state: fc.constantFrom(...documentStates.states),
    end: fc.constantFrom(
      { outcome: null, status: null, reason: null },
      { outcome: 'fetched', status: 200, reason: null },
      { outcome: 'fetched', status: 404, reason: null },
      { outcome: 'failed', status: null, reason: 'timeout' },
      { outcome: 'excluded', status: null, reason: 'robots' },
    ),
    dueMs: fc.integer({ min: 1, max: 10_000 }),
    bytes: fc.option(fc.nat(1000), { nil: null }),
    mediaType: fc.constantFrom(null, 'text/html', 'image/png'),
    seedMark: fc.constantFrom('F', 'S', 'N'),
  })
  .map(({ host, end, ...rest }) => ({ ...rest, ...end, url: host }))

function addDocuments(documents: readonly DocumentMade[]): DocumentMade[] {
  emptied(store, 'document', 'host', 'job', 'harvest')
  store
    .statement<object>(`INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (1, '', 'event', '{}', 0)`)
    .run({})
  const addJob = store.statement<{ id: number }>(
    `INSERT INTO job (id, harvest_id, state, created_ms) VALUES (@id, 1, 'INACTIVE', 0)`,
  )
  const addHost = store.statement<{ id: number; job: number; origin: string }>(
    `INSERT INTO host (id, job_id, origin) VALUES (@id, @job, @origin)`,
  )
  const add = store.statement<DocumentMade & { id: number; host: number }>(
    `INSERT INTO document (id, job_id, url_key, url, host_id, state, outcome, reason, role, hop_path, hops, via_id, due_ms,
                           status, media_type, bytes, seed_mark)
     VALUES (@id, @job, @url, @url, @host, @state, @outcome, @reason, 'page', '', 0, 1000, @dueMs, @status, @mediaType, @bytes, @seedMark)`,
  )
  for (const id of [1, 2]) {
    addJob.run({ id })
    addHost.run({ id: id * 2 - 1, job: id, origin: 'http://a.test' })
    addHost.run({ id: id * 2, job: id, origin: 'https://b.test' })
  }
  const all = documents.map((one, index) => ({ ...one, url: `${one.url}/${index}` }))
  all.forEach((one, index) =>
    add.run({ ...one, id: index + 1, host: one.job * 2 - Number(one.url.startsWith('http://a.')) }),
  )
  return all
}

const withDocuments = (check: (all: DocumentMade[], by: { jobs?: number[] }) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(
      fc.array(document, { maxLength: 30 }),
      fc.record({ jobs: fc.uniqueArray(fc.integer({ min: 1, max: 2 })) }, { requiredKeys: [] }),
      async (documents, by) => check(addDocuments(documents), by),
    ),
    { numRuns: runs },
  )

const ofJobs = (all: readonly DocumentMade[], { jobs }: { jobs?: number[] }) =>
  all.filter(({ job }) => !jobs || jobs.includes(job))
const isWaiting = ({ state }: DocumentMade) => state === 'PENDING' || state === 'PENDINGPURGATORY'
const isLeaving = ({ state }: DocumentMade) => /^BEING|^ELIGIBLE/.test(state)
const isInProgress = ({ state }: DocumentMade) => state.startsWith('ACTIVE')

test('document status lists each document of the jobs with its state', async () => {
  await withDocuments(async (all, by) => {
    const report = await made(queryOf({ report: 'documents', ...by, limit: 100 }))
    const expected = ofJobs(all, by).map((one) => [
      one.url,
      one.job,
      one.state,
      one.status === null ? one.reason : String(one.status),
      isWaiting(one) ? time(one.dueMs) : null,
      isWaiting(one) ? 'fetch' : null,
      0,
      null,
      one.bytes,
    ])
    expect(sorted(report.rows)).toEqual(sorted(expected))
    expect(report.total).toBe(expected.length)
  })
})

test('queue status counts every document of a class in exactly one column', async () => {
  await withDocuments(async (all, by) => {
    const report = await made(queryOf({ report: 'queue', ...by }))
    const chosen = ofJobs(all, by)
    const names = [...new Set(chosen.map(({ url }) => classOf(url) ?? ''))]
    const expected = names.map((name) => {
      const its = chosen.filter(({ url }) => classOf(url) === name)
      const rest = its.filter((one) => !isWaiting(one) && !isInProgress(one) && !isLeaving(one))
      const count = (rows: DocumentMade[], chosen: (one: DocumentMade) => boolean) => rows.filter(chosen).length
      return [
        name,
        its.length,
        count(its, (one) => isWaiting(one) && one.dueMs <= nowMs),
        count(its, (one) => isWaiting(one) && one.dueMs > nowMs),
        count(its, isInProgress),
        count(rest, ({ outcome }) => outcome === 'fetched'),
        count(rest, ({ outcome }) => outcome === 'failed'),
        count(rest, ({ outcome }) => outcome === 'excluded' || outcome === null),
        count(its, isLeaving),
      ]
    })
    expect(sorted(report.rows)).toEqual(sorted(expected))
    for (const [, total, ...parts] of report.rows) expect(parts.reduce<number>((sum, part) => sum + Number(part), 0)).toBe(total) // prettier-ignore
  })
})

test('reports on jobs count what their documents say', async () => {
  const grouped = (rows: DocumentMade[], nameOf: (one: DocumentMade) => string) =>
    [...new Set(rows.map(nameOf))].map((name) => {
      const its = rows.filter((one) => nameOf(one) === name)
      return [name, its.length, its.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)]
    })
  await withDocuments(async (all, by) => {
    const chosen = ofJobs(all, by)
    const rowsOf = async (report: HistoryQuery['report']) => sorted((await made(queryOf({ report, ...by }))).rows)
    const fetched = chosen.filter(({ outcome }) => outcome === 'fetched')
    const tried = chosen.filter(({ outcome }) => outcome === 'fetched' || outcome === 'failed')
    expect(await rowsOf('mediaTypes')).toEqual(sorted(grouped(fetched, ({ mediaType }) => mediaType ?? '')))
    expect(await rowsOf('statuses')).toEqual(sorted(grouped(tried, ({ status, reason }) => String(status ?? reason))))
    const hosts = grouped(chosen, ({ url }) => new URL(url).origin).map(([name, total]) => {
      const queued = chosen.filter(({ url, state }) => new URL(url).origin === name && queuedDocumentStates.some((one) => one === state)).length // prettier-ignore
      const bytes = fetched.reduce((sum, one) => sum + (new URL(one.url).origin === name ? (one.bytes ?? 0) : 0), 0)
      const count = (wanted: string) => chosen.filter(({ url, outcome }) => new URL(url).origin === name && outcome === wanted).length // prettier-ignore
      return [name ?? '', total ?? 0, queued, count('fetched'), count('failed'), count('excluded'), bytes]
    })
    expect(await rowsOf('hosts')).toEqual(sorted(hosts))
    const seeds = chosen.filter(({ seedMark }) => seedMark !== 'F')
    expect(await rowsOf('seeds')).toEqual(
      sorted(seeds.map((one) => [one.url, one.job, one.state, one.status === null ? one.reason : String(one.status), one.bytes, null, null])), // prettier-ignore
    )
  })
})

test('the newest activities use an index, whatever their number', () => {
  const plan = store
    .statement<object, { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT activity.id FROM activity JOIN activity_result ON activity_result.id = activity.result_id
       ORDER BY activity.start_ms DESC, 1 DESC LIMIT 10`,
    )
    .all({})
    .map(({ detail }) => detail)
    .join('\n')
  expect(plan).toContain('activity_by_start')
  expect(plan).not.toContain('TEMP B-TREE')
})

test('the default class is the host', () => {
  expect(new RegExp(hostClass).exec('https://a.test:8080/b?c')?.[1]).toBe('a.test:8080')
})
