import { expect, test } from 'vitest'
import { activityNumbers } from '../../contract/services/history.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { jobStates, type JobEvent } from '../../contract/states/jobStates.ts'
import { mover } from '../../storage/guard.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openJobs } from '../jobs/jobs.ts'
import { movesWithHistory } from './jobActivities.ts'

test.each<[asked: string, moves: JobEvent[], recordedAs: [keyof typeof activityNumbers, string][]]>([
  ['a pause of a running job', ['pause', 'drained'], [['jobWait', 'PAUSED']]],
  [
    'a pause of a job that waits for its window',
    ['windowEnded', 'drained', 'pause'],
    [
      ['jobWait', 'ACTIVEWAIT'],
      ['jobWait', 'PAUSEDWAIT'],
    ],
  ],
  ['a stop', ['abort', 'drained'], [['jobStop', 'READYFORNOTIFY']]],
])('%s is recorded once, when the job waits or has stopped', (_, moves, recordedAs) => {
  const world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  const jobs = openJobs(store, world)
  const job = jobs.create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  const move = movesWithHistory(store, world.clock, mover(store, jobStates, { table: 'job' }))
  for (const event of ['startupTaken', 'seeded'] as const) move(job, event)
  // Users' requests are made as users make them.
  for (const event of moves)
    if (event === 'pause' || event === 'abort') jobs.act(job, event)
    else move(job, event)
  const rows = store
    .statement<object, { kind: number; result: string }>(
      `SELECT kind, text AS result FROM activity JOIN activity_result ON result_id = activity_result.id ORDER BY activity.id`,
    )
    .all({})
  expect(rows.map(({ kind, result }) => [kind, result])).toEqual(
    [['jobStart', 'ACTIVE'] as const, ...recordedAs].map(([kind, result]) => [activityNumbers[kind], result]),
  )
})
