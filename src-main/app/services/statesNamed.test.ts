import { expect, test } from 'vitest'
import type { JobState } from '../../contract/states/jobStates.ts'
import type { JobStatus } from '../../contract/states/jobStatuses.ts'
import { statesNamed } from './statesNamed.ts'

const rows: [name: string, meant: (JobState | JobStatus)[]][] = [
  ['READYFORSTARTUP', ['READYFORSTARTUP']],
  ['readyforstartup', ['READYFORSTARTUP']],
  ['Not yet run', ['Not yet run']],
  ['notyetrun', ['Not yet run']],
  ['done incomplete', ['Done, incomplete']],
  // Several states have the status "Paused", and one of them also has the name.
  ['paused', ['PAUSED', 'Paused']],
  ['ABORTINGSEEDING', ['ABORTING']],
]
test.each(rows)('%s means states and statuses in any spelling', (name, meant) => {
  expect(statesNamed(name)).toEqual(meant)
})

const wrong: [name: string, problem: RegExp][] = [
  ['Don', /"Don".*"Done"/],
  ['something else entirely', /states are INACTIVE, /],
]
test.each(wrong)('%s is refused, with the nearest name or all of them', (name, problem) => {
  expect(() => statesNamed(name)).toThrow(problem)
})
