import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JobSummary } from '../../src-main/contract/services/jobSummary.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { message } from '../../src-main/contract/words/message.ts'
import { makeJob } from './job.ts'
import { now, event, servicesWith, job } from './testing/storeFixtures.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a job: follows its own events only, reads new lines of the log, and forgets its subscription when closed', async () => {
  const changed = event<JobSummary>()
  let lines = 1
  let asked = 0
  const store = makeJob(
    servicesWith({
      jobs: {
        show: ({ job: number }) => {
          asked += 1
          return Promise.resolve({
            ...job(number),
            definition: {
              seeds: ['http://a.example/'],
              scope: 'host',
              robots: 'obey',
              include: [],
              exclude: [],
              resolve: {},
            },
            doing: message('jobStatus.noWindow'),
            ranWith: null,
            runs: [],
            answers: null,
            fileBytes: 0,
            fixed: [],
            byStatus: [],
            byMediaType: [],
            byReason: [],
            byTruncation: [],
            hosts: [],
            files: [],
            findings: [],
          })
        },
        log: ({ after = 0 }) =>
          Promise.resolve(
            Array.from({ length: lines }, (_, index) => ({
              id: index + 1,
              at: now,
              level: 'info' as const,
              message: { code: 'text', values: { text: 'line' } },
            })).filter(({ id }) => id > after),
          ),
        pause: () => Promise.reject(new Fault('refused', 'it has ended')),
        changed: changed.listen,
      },
    }),
    7,
  )
  store.open()
  await vi.advanceTimersByTimeAsync(0)
  expect(store.getState().log.map(({ id }) => id)).toEqual([1])

  lines = 3
  changed.emit(job(8, { queued: 99 }))
  changed.emit(job(7, { queued: 42 }))
  changed.emit(job(7, { queued: 43 }))
  expect(store.getState().whole).toMatchObject({ is: 'ready', value: { queued: 43 } })
  await vi.advanceTimersByTimeAsync(10_000)
  // The load at the start, one for the first event, and one for those that came while waiting.
  expect(asked).toBe(3)
  expect(store.getState().log.map(({ id }) => id)).toEqual([1, 2, 3])

  await store.getState().act('pause')
  expect(store.getState()).toMatchObject({ refusal: { code: 'refused' }, asked: null })
  store.close()
  expect(changed.count()).toBe(0)
})
