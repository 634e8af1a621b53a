import { expect, test } from 'vitest'
import type { JobSummary } from '../../src-main/contract/services/jobSummary.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { makeJobs } from './jobs.ts'
import { event, servicesWith, job } from './testing/storeFixtures.ts'

test('jobs: newest first; an event updates or adds a job', async () => {
  const changed = event<JobSummary>()
  const store = makeJobs(
    servicesWith({ jobs: { list: () => Promise.resolve([job(1), job(2)]), changed: changed.listen } }),
  )
  const shown = () => {
    const { jobs } = store.getState()
    return jobs.is === 'ready' ? jobs.value.map((one) => [one.job, one.status]) : jobs.is
  }
  expect(shown()).toBe('loading')
  await store.getState().load()
  expect(shown()).toEqual([
    [2, 'Running'],
    [1, 'Running'],
  ])
  changed.emit(job(1, { state: 'INACTIVE', status: 'Done' }))
  changed.emit(job(3))
  expect(shown()).toEqual([
    [3, 'Running'],
    [2, 'Running'],
    [1, 'Done'],
  ])
})

test('jobs: a refusal is kept for display', async () => {
  const store = makeJobs(
    servicesWith({ jobs: { list: () => Promise.reject(new Fault('inUse', 'another Loupe has this archive')) } }),
  )
  await store.getState().load()
  expect(store.getState().jobs).toMatchObject({
    is: 'refused',
    fault: { code: 'inUse', message: 'another Loupe has this archive' },
  })
})
