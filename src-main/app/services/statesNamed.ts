/** Names of states and statuses of jobs, as users write them to filter a list. */
import { Fault } from '../../contract/calls/faults.ts'
import { formerNames, jobStates, type JobState } from '../../contract/states/jobStates.ts'
import { jobStatuses, type JobStatus } from '../../contract/states/jobStatuses.ts'
import { message } from '../../contract/words/message.ts'
import { nearest } from '../../contract/text/nearest.ts'

/** Returns the states and statuses that a user means, ignoring case, spaces and commas: several names may differ only in these. A former name
 *  of a state means its present one. Throws `Fault` badInput with the nearest known name. */
export function statesNamed(name: string): (JobState | JobStatus)[] {
  const former = formerNames[name.toUpperCase()]
  if (former !== undefined) return [former]
  const known = [...jobStates.states, ...jobStatuses]
  const folded = (word: string) => word.toLowerCase().replaceAll(/[ ,]/g, '')
  const named = known.filter((word) => folded(word) === folded(name))
  if (named.length > 0) return named
  const near = nearest(name, known)
  throw new Fault(
    'badInput',
    near === undefined
      ? message('job.state.unknown', { state: name, known: jobStates.states.join(', ') })
      : message('job.state.unknown.near', { state: name, near }),
  )
}
