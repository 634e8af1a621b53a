import { beforeAll, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../storage/storage.ts'
import { archiveStatements } from './archive.sql.ts'
import { catalogue } from './catalogue.ts'
import { fileListStatements } from './fileList.sql.ts'
import { fileList, type FilesQuery } from './fileList.ts'
import { filesListedMax } from '../files/limits.ts'

const dayMs = 86_400_000
const replicas = ['ONE', 'TWO']

function listOver(store: Store) {
  return fileList(store, replicas, catalogue(archiveStatements(store)).shown)
}

interface Copies {
  /** A preservation state, or an upload state if the copy was not stored; absent if there is no row. */
  ONE?: string
  TWO?: string
  verifiedMs?: number
}

/** Registered by hand: what a list shows of states is not how they came about. */
function register(
  store: Store,
  file: { name: string; job?: number; bytes?: number; storedMs: number | null } & Copies,
) {
  const { name, job = null, bytes = 10, storedMs, verifiedMs = null } = file
  const row = store
    .statement<object, { id: number }>(
      `INSERT INTO archive_file (name, bytes, sha256, kind, job_id, registered_ms, stored_ms)
       VALUES (@name, @bytes, 'ab', 'content', @job, 1000, @storedMs) RETURNING id`,
    )
    .get({ name, bytes, job, storedMs })
  for (const replica of ['ONE', 'TWO'] as const) {
    const state = file[replica]
    if (state === undefined) continue
    const isStored = !state.startsWith('UPLOAD')
    store
      .statement<object>(
        `INSERT INTO replica_file (file_id, replica, upload_state, preservation_state, verified_ms)
         VALUES (@file, @replica, @upload, @preservation, @verifiedMs)`,
      )
      .run({
        file: row?.id,
        replica,
        upload: isStored ? 'UPLOAD_COMPLETED' : state,
        preservation: isStored ? state : 'UNCHECKED',
        verifiedMs,
      })
  }
}

describe('filtering and sorting', () => {
  const nowMs = 1_000 * dayMs
  const believed = { beforeMs: nowMs - 90 * dayMs, untilMs: nowMs + dayMs }
  let files: ReturnType<typeof listOver>
  const names = (query: Partial<FilesQuery>) =>
    files({ believed, offset: 0, limit: 100, ...query }).rows.map(({ name }) => name.replace('.warc', ''))

  beforeAll(() => {
    const store = openStore(':memory:')
    files = listOver(store)
    const storedMs = nowMs - 10 * dayMs
    register(store, { name: 'fine.warc', job: 1, bytes: 30, storedMs, ONE: 'OK', TWO: 'OK', verifiedMs: nowMs })
    register(store, {
      name: 'gone_1.warc',
      job: 1,
      bytes: 20,
      storedMs: storedMs + 1,
      ONE: 'MISSING',
      TWO: 'OK',
      verifiedMs: nowMs,
    })
    register(store, {
      name: 'bad%1.warc',
      job: 2,
      bytes: 40,
      storedMs: storedMs + 2,
      ONE: 'OK',
      TWO: 'CORRUPT',
      verifiedMs: nowMs,
    })
    register(store, { name: 'new.warc', job: 2, bytes: 50, storedMs: storedMs + 3, ONE: 'UNCHECKED', TWO: 'UNCHECKED' })
    register(store, { name: 'half.warc', storedMs: null, ONE: 'UNCHECKED', TWO: 'UPLOAD_FAILED' })
    register(store, { name: 'lone.warc', storedMs: storedMs - 2, ONE: 'OK', verifiedMs: nowMs })
    register(store, {
      name: 'old.warc',
      storedMs: storedMs - 1,
      ONE: 'OK',
      TWO: 'PRESENT',
      verifiedMs: nowMs - 91 * dayMs,
    })
    register(store, { name: 'ahead.warc', storedMs: storedMs - 3, ONE: 'OK', TWO: 'OK', verifiedMs: nowMs + 9 * dayMs })
    register(store, { name: 'unread.warc', storedMs: nowMs - 200 * dayMs, ONE: 'PRESENT', TWO: 'PRESENT' })
    register(store, { name: 'recent.warc', storedMs: storedMs - 4, ONE: 'PRESENT', TWO: 'PRESENT' })
  })

  test.each<[Partial<FilesQuery>, string[]]>([
    [{ state: 'missing' }, ['gone_1']],
    [{ state: 'corrupt' }, ['bad%1']],
    [{ state: 'corrupt', replica: 'ONE' }, []],
    [{ state: 'neverChecked' }, ['half', 'new']],
    [{ state: 'neverChecked', replica: 'TWO' }, ['new']],
    // A clock that was wrong proves no comparison; what no check compared is as old as its storing.
    [{ state: 'overdue' }, ['ahead', 'half', 'old', 'unread']],
    [{ state: 'notStored' }, ['half', 'lone']],
    [{ state: 'notStored', replica: 'ONE' }, []],
    [{ replica: 'TWO', text: 'L' }, ['old']],
    [{ state: 'stored', job: 2 }, ['bad%1', 'new']],
    [{ state: 'missing', job: 2 }, []],
    [{ state: 'missing', text: 'GONE_' }, ['gone_1']],
    [{ replica: 'never there' }, []],
    // The wildcards of LIKE match literally.
    [{ text: '_' }, ['gone_1']],
    [{ text: '%' }, ['bad%1']],
    [{ text: '\\' }, []],
    [{ job: 1, order: 'bytes' }, ['gone_1', 'fine']],
    [
      { state: 'stored', text: 'n', order: 'bytes', direction: 'descending' },
      ['new', 'fine', 'gone_1', 'recent', 'unread', 'lone'],
    ],
    [{ order: 'stored', limit: 3 }, ['half', 'unread', 'recent']],
    [{ order: 'job', direction: 'descending', limit: 2 }, ['new', 'bad%1']],
    [{ limit: 2, offset: 1, direction: 'descending' }, ['recent', 'old']],
  ])('%j gives %j', (query, expected) => {
    expect(names(query)).toEqual(expected)
  })
})

describe('with many files', () => {
  /** Enough that a page which went through all of them would show in the plan, and that the bound is met. */
  const filesCount = filesListedMax + 2_000
  let store: Store
  let files: ReturnType<typeof listOver>
  const list = (query: Partial<FilesQuery>) => files({ offset: 0, limit: 5, ...query })

  beforeAll(() => {
    store = openStore(':memory:')
    files = listOver(store)
    store
      .statement<{ filesCount: number }>(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @filesCount)
         INSERT INTO archive_file (name, bytes, sha256, kind, job_id, registered_ms, stored_ms)
         SELECT printf('%06d.warc', i), i, 'ab', 'content', i / 500 + 1, i, i FROM n`,
      )
      .run({ filesCount })
    store
      .statement<object>(
        `INSERT INTO replica_file (file_id, replica, upload_state, preservation_state)
         SELECT id, 'ONE', 'UPLOAD_COMPLETED', CASE WHEN id = 11000 THEN 'MISSING' ELSE 'UNCHECKED' END FROM archive_file`,
      )
      .run({})
  })

  test('all of them are counted, and any page can be loaded', () => {
    const { rows, total, complete } = list({ offset: filesCount - 2 })
    expect([rows.map(({ name }) => name), total, complete]).toEqual([['011999.warc', '012000.warc'], filesCount, true])
  })
  test('a list beyond the limit is marked as incomplete', () => {
    for (const query of [
      { state: 'neverChecked' },
      { text: 'warc' },
      { state: 'notStored' },
      { replica: 'ONE' },
    ] as const)
      expect(list(query)).toMatchObject({ total: filesListedMax, complete: false })
    expect(list({ state: 'missing' })).toMatchObject({ total: 1, complete: true, rows: [{ name: '011000.warc' }] })
  })
  test('files beyond the limit are found by name or job', () => {
    expect(list({ state: 'neverChecked', text: '11999' })).toMatchObject({ total: 1, complete: true })
    expect(list({ state: 'neverChecked', job: 24 })).toMatchObject({ total: 500, complete: true })
    expect(list({ state: 'neverChecked', job: 23, text: '11000' })).toMatchObject({ total: 0, complete: true })
    expect(list({ state: 'notStored', text: '011999', order: 'bytes' }).total).toBe(1)
  })
  test('every statement uses an index, and only filtered rows are sorted', () => {
    const asked: string[] = []
    fileListStatements({ ...store, statement: (sql) => (asked.push(sql), store.statement(sql)) })
    const given = { like: '', job: 1, limit: 1, offset: 0, replicas: '[]', beforeMs: 0, untilMs: 0, ids: '[]', file: 1 }
    const careless = asked.flatMap((sql) => {
      const named = Object.fromEntries(Object.entries(given).filter(([name]) => sql.includes(`@${name}`)))
      const plan = store.statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(named)
      const isSorted = plan.some(({ detail }) => detail.includes('FOR ORDER BY'))
      // Full scans are allowed only where a replica may lack rows, and those statements say NOT INDEXED.
      const scans = plan.filter(({ detail }) => /^SCAN (archive_file|replica_file)$/.test(detail))
      return (scans.length > 0 && !sql.includes('NOT INDEXED')) || (isSorted && !/job_id = @job|WHERE id IN/.test(sql))
        ? [sql, ...plan.map(({ detail }) => detail)]
        : []
    })
    expect(asked.length).toBeGreaterThan(40)
    expect(careless).toEqual([])
  })
})
