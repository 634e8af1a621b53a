/** A blocked job pauses with the reason, in every state and also if it is already being paused. */
import { expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { jobStates, type JobEvent, type JobState } from '../../contract/states/jobStates.ts'
import { bytesMessage } from '../../contract/text/quantities.ts'
import { message, storedMessage } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { mover } from '../../storage/guard.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openJobs } from '../jobs/jobs.ts'
import { engineStatements } from './engine.ts'
import { block } from './space.ts'

const blocker = {
  message: message('job.diskFull', { free: bytesMessage(1e6), kept: bytesMessage(2e6) }),
  code: 'noSpace',
} as const
const reason = textOf(blocker.message)

test.each<[before: JobEvent[], after: JobState, isRecorded: boolean]>([
  [[], 'PAUSING', true],
  [['pause'], 'PAUSING', true],
  [['seedingBegan'], 'PAUSINGSEEDING', true],
  [['seedingBegan', 'pause'], 'PAUSINGSEEDING', true],
  [['windowEnded'], 'PAUSINGWAITING', true],
  [['windowEnded', 'pause'], 'PAUSINGWAITING', true],
  [['seedingBegan', 'windowEnded', 'pause'], 'PAUSINGWAITINGSEEDING', true],
  [['pause', 'drained'], 'PAUSED', false],
  [['abort'], 'ABORTING', false],
])('a job after %j, when it is blocked: %s, with its reason: %s', (before, after, isRecorded) => {
  const store = openStore(':memory:')
  const sql = engineStatements(store)
  const move = mover(store, jobStates, { table: 'job' })
  const job = openJobs(store, seededWorld({ seed: 1 })).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  for (const event of ['startupTaken', 'seeded', ...before] as const) expect(move(job, event)).toBeDefined()
  const rowOf = () => {
    const row = sql.one.get({ job })
    if (!row) throw new Error('the job is gone')
    return row
  }
  const logged: string[] = []
  block({ store, sql, move, rowOf, log: (_job, _level, line) => void logged.push(textOf(line)) }, job, blocker)
  expect(rowOf()).toMatchObject({ state: after, errorText: isRecorded ? storedMessage(blocker.message) : null })
  expect(logged).toEqual(isRecorded ? [reason] : [])
  store.close()
})
