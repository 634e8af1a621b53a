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
  const request = { job: second, jobs: JSON.stringify([first]), excludedTypes: '[]' }
  const { ask, answer } = indexRequestStatements(store)
  const { asked = 0 } = ask.get(request) ?? {}
  // Without an index, nothing was compared.
  expect(continuedBy(third, ['http://a.test/'], [second])).toEqual([second])
  const answered = { ...request, asked, path: '/index', jobsMissing: '[]', filesMissing: 0, problem: null }
  // The answer to another request.
  answer.run({ ...answered, excludedTypes: '["text/*"]' })
  expect(continuedBy(third, ['http://a.test/'], [second])).toEqual([second])
  answer.run(answered)
  expect(continuedBy(third, ['http://a.test/'], [second])).toEqual([first, second])
  // A job that is running may still lose files.
  expect(continuedBy(third, ['http://a.test/'], [second, job(['http://a.test/'], { hasEnded: false })])).toEqual([
    first,
    second,
  ])
  expect(continuedBy(second, ['http://a.test/'], [second])).toEqual([first])
})

test('a job of a harvest definition continues those that its generation named and that are stored', () => {
  const named = [job(['http://f.test/']), job(['http://g.test/']), job(['http://h.test/'], { state: 'OPEN' })]
  const generated = (text: string | undefined) =>
    jobs.createGenerated({
      ...{ name: 'generated', definitionId: 7, priority: 5, limits: [] },
      definition: harvestDefinition.parse({ seeds: ['http://a.test/'] }),
      setupRecords: text === undefined ? [] : [{ name: 'duplicatereductionjobs', contentType: 'text/plain', text }],
    })
  expect(continuedBy(generated(named.join(',')), ['http://a.test/'])).toEqual(named.slice(0, 2))
  expect(continuedBy(generated(undefined), ['http://a.test/'])).toEqual([])
})
