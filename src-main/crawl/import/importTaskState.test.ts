import { expect, test } from 'vitest'
import { jobStates } from '../../contract/states/jobStates.ts'
import { taskStates, type TaskState } from '../../contract/states/taskStates.ts'
import { eventsBetween, taskStateOf, type ImportJob } from './importTaskState.ts'

const running: ImportJob = {
  ...{ state: 'STARTINGUP', endedMs: null, stopReason: null, errorText: null },
  ...{ filesRefused: 0, filesWithErrors: 0, truncated: 0 },
}
const ended: ImportJob = { ...running, state: 'INACTIVE', endedMs: 1, stopReason: 'DOWNLOAD_COMPLETE' }

test.each<[what: string, job: ImportJob, task: TaskState | undefined]>([
  ['waiting for its start', { ...running, state: 'READYFORSTARTUP' }, undefined],
  ['importing', running, 'RUNNING'],
  ['without work left', { ...running, state: 'ACTIVE' }, 'RUNNING'],
  ['being paused', { ...running, state: 'PAUSING' }, 'PAUSING'],
  ['paused', { ...running, state: 'PAUSED' }, 'PAUSED'],
  ['being stopped', { ...running, state: 'ABORTING' }, 'STOPPING'],
  ['stopping for a restart', { ...running, state: 'ABORTINGFORRESTART' }, 'RUNNING'],
  ['storing its files', { ...running, state: 'NOTIFYINGOFCOMPLETION' }, undefined],
  ['done', ended, 'DONE'],
  ['done, with errors in files', { ...ended, filesWithErrors: 1 }, 'DONE_WITH_FINDINGS'],
  ['done, with truncated captures', { ...ended, truncated: 1 }, 'DONE_WITH_FINDINGS'],
  ['done, with rejected files', { ...ended, filesRefused: 1, filesWithErrors: 1 }, 'DONE_INCOMPLETE'],
  ['stopped', { ...ended, stopReason: 'DOWNLOAD_UNFINISHED' }, 'STOPPED'],
  ['failed', { ...ended, errorText: 'The disk is full.' }, 'FAILED'],
  ['being deleted', { ...ended, state: 'DELETING' }, undefined],
])('the task of an import that is %s', (_, job, task) => {
  expect(taskStateOf(job)).toBe(task)
})

test('an active task can be brought to the state of its job from every state, an ended one only where it can be resumed', () => {
  const wanted = jobStates.states.flatMap((state) => taskStateOf({ ...running, state }) ?? [])
  const ends = ['DONE', 'DONE_WITH_FINDINGS', 'DONE_INCOMPLETE', 'STOPPED', 'FAILED'] as const
  for (const from of ['WAITING', 'RUNNING', 'PAUSING', 'PAUSED'] as const)
    for (const to of new Set([...wanted, ...ends])) {
      const events = eventsBetween(from, to)
      expect(events, `${from} to ${to}`).toBeDefined()
      const end = events?.reduce<TaskState | undefined>((state, event) => state && taskStates.next(state, event), from)
      expect(end).toBe(to)
    }
  expect(eventsBetween('PAUSED', 'DONE')).toEqual(['resume', 'finished'])
  expect(eventsBetween('FAILED', 'RUNNING')).toEqual(['resume'])
  expect(eventsBetween('DONE', 'RUNNING')).toBeUndefined()
})
