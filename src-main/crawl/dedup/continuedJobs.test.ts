import { afterAll, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openJobs } from '../jobs/jobs.ts'
import { continuedJobs } from './continuedJobs.ts'
import { indexRequestStatements } from './indexRequests.sql.ts'

const store = openStore(':memory:')
afterAll(() => store.close())
const jobs = openJobs(store, seededWorld({ seed: 1 }))

const ended = store.statement<{ job: number }>(
  `UPDATE job SET state = 'INACTIVE', started_ms = 1, ended_ms = 2 WHERE id = @job`,
)
const addFile = store.statement<{ job: number; state: string }>(
  `INSERT INTO harvest_file (job_id, serial, name, state, committed_bytes) VALUES (@job, 1, @job || '.warc.gz', @state, 1)`,
)

/** A job that a user started; `hasEnded` with all of its files in the archive. */
function job(seeds: string[], { hasEnded = true, state = 'STORED' } = {}): number {
  // A schedule keeps it from starting.
  const id = jobs.create(harvestDefinition.parse({ seeds, schedule: { records: [{ hours: [2] }] } }))
  addFile.run({ job: id, state })
  if (hasEnded) ended.run({ job: id })
  return id
}

const continuedBy = (id: number, seeds: string[], named?: number[]) =>
  continuedJobs(store, { job: id, seeds, deduplication: named ? { jobs: named } : {} })

test('a job of a user continues earlier ones with a seed on the same host, once all of their files are stored', () => {
  const same = job(['http://other.test/', 'https://www.a.test/x'])
  job(['http://b.test/'])
  job(['http://a.test/'], { hasEnded: false })
  job(['http://a.test/'], { state: 'CLOSED' })
  const second = job(['http://a.test/y'])
  expect(continuedBy(99, ['http://a.test/'])).toEqual([same, second])
  expect(continuedBy(second, ['http://a.test/'])).toEqual([same])
  expect(continuedBy(99, ['not a URL'])).toEqual([])
})

test('jobs that a definition names replace these, with the jobs that they continued', () => {
  const [first, second, third] = [job(['http://c.test/']), job(['http://d.test/']), job(['http://e.test/'])]
  indexRequestStatements(store).ask.get({ job: second, jobs: JSON.stringify([first]), excludedTypes: '[]' })
  expect(continuedBy(third, ['http://a.test/'], [second])).toEqual([first, second])
  expect(continuedBy(second, ['http://a.test/'], [second])).toEqual([first])
})

const addDefinition = store.statement<{ name: string; kind: string; previous: number | null }, { id: number }>(
  `INSERT INTO harvest_definition (name, kind, previous_id, channel, created_ms) VALUES (@name, @kind, @previous, 'x', 0) RETURNING id`,
)
const addGenerated = store.statement<{ job: number; definition: number; run: number }>(
  `INSERT INTO generated_job (job_id, definition_id, run, channel, template_name, template_version, objects_expected, is_ready)
   VALUES (@job, @definition, @run, 'x', 't', 1, 1, 1)`,
)

const definition = (kind: string, name: string, previous: number | null = null) =>
  addDefinition.get({ name, kind, previous })?.id ?? 0

function generated(definitionId: number, run: number, state = 'STORED'): number {
  const parsed = harvestDefinition.parse({ seeds: ['http://a.test/'] })
  const id = jobs.createGenerated({
    ...{ name: 'generated', definitionId, priority: 5, definition: parsed, limits: [], setupRecords: [] },
  })
  addGenerated.run({ job: id, definition: definitionId, run })
  addFile.run({ job: id, state })
  ended.run({ job: id })
  return id
}

test('a job of a harvest definition continues the jobs of the run before', () => {
  const news = definition('selective', 'news')
  generated(news, 1)
  const second = [generated(news, 2), generated(news, 2)]
  generated(news, 2, 'OPEN')
  const third = [generated(news, 4), generated(news, 4)]
  expect(continuedBy(third[1] ?? 0, ['http://a.test/'])).toEqual(second)
})

test('a snapshot continues the snapshots before it in its chain, and the newest one before the chain with its own chain', () => {
  const oldest = generated(definition('snapshot', '2023'), 1)
  const olderFirst = definition('snapshot', '2024 first')
  const olderSecond = definition('snapshot', '2024 second', olderFirst)
  const older = [generated(olderFirst, 1), generated(olderSecond, 1)]
  const first = definition('snapshot', '2025 first')
  const second = definition('snapshot', '2025 second', first)
  const before = generated(first, 1)
  generated(definition('selective', 'other'), 1)
  expect(continuedBy(generated(second, 1), ['http://a.test/'])).toEqual([...older, before])
  expect(continuedBy(older[0] ?? 0, ['http://a.test/'])).toEqual([oldest])
})
