import { afterAll, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import type { JobState } from '../../contract/states/jobStates.ts'
import type { JobStatus } from '../../contract/states/jobStatuses.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openJobs } from './jobs.ts'

const store = openStore(':memory:')
afterAll(() => store.close())
const jobs = openJobs(store, seededWorld({ seed: 1 }))
const schedule = { records: [{ hours: [2] }] }
const started = jobs.create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
const scheduled = jobs.create(harvestDefinition.parse({ seeds: ['http://b.test/'], schedule }))

const named: [name: JobState | JobStatus, found: number[]][] = [
  ['READYFORSTARTUP', [started]],
  ['INACTIVE', [scheduled]],
  ['Not yet run', [scheduled]],
  ['Done', []],
]
test.each(named)('jobs are listed by state or status: %s', (name, found) => {
  expect(jobs.list([name]).map(({ job }) => job)).toEqual(found)
})

test('jobs are listed newest first', () => {
  expect(jobs.list().map(({ job }) => job)).toEqual([scheduled, started])
})

test('a second import of the same paths returns the one that has not ended, in any order of the paths', () => {
  const first = jobs.createImport(['/a', '/b'])
  expect(jobs.createImport(['/b', '/a', '/a'])).toBe(first)
  expect(jobs.createImport(['/a'])).not.toBe(first)
})

test('a repeated request to stop changes nothing', () => {
  expect(jobs.act(started, 'abort')).toEqual({ job: started, from: 'READYFORSTARTUP', to: 'ABORTING' })
  expect(jobs.act(started, 'abort')).toEqual({ job: started, from: 'ABORTING', to: 'ABORTING' })
})

test('an action that the state does not allow is refused', () => {
  expect(() => jobs.act(scheduled, 'resume')).toThrow(expect.objectContaining({ code: 'refused' }))
})
