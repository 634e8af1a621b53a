/**
 * Labels of the values in reports. Reports are filtered by the stored names, and `--json` and CSV have these; tables for users show the
 * labels. A name that only another version of Loupe knows has no label.
 */
import { comparisons, type Comparison } from '../shapes/comparisons.ts'
import { documentStates } from '../states/documentStates.ts'
import { jobStates } from '../states/jobStates.ts'
import { isReason, reasonMessage } from '../states/outcomes.ts'
import { message, type Message } from '../words/message.ts'
import { activityKinds, type ActivityKind, type CellKind } from './history.ts'
import { stopMessage, stopReasons } from './jobSummary.ts'

/** Returns the label of a value in a column of this type, or undefined for a value that is shown unchanged. */
export function labelOf(kind: CellKind, value: string): Message | undefined {
  if (kind === 'activity') {
    const activity = activityKinds.find((known) => known === value)
    return activity && activityMessage(activity)
  }
  if (kind === 'state') {
    const state = documentStates.states.find((known) => known === value)
    return state && documentStates.rows[state].badge
  }
  if (kind === 'action') {
    const action = documentActions.find((known) => known === value)
    return action && message(`activity.due.${action}`)
  }
  if (kind === 'comparison') {
    const comparison = comparisons.find((known) => known === value)
    return comparison && comparisonMessage(comparison)
  }
  return kind === 'result' ? resultMessage(value) : undefined
}

/** Names a kind of activity. */
export function activityMessage(kind: ActivityKind): Message {
  return message(`activity.kind.${kind}`)
}

/** Names a comparison with the last capture. */
export function comparisonMessage(comparison: Comparison): Message {
  return message(`comparison.${comparison}`)
}

const documentActions = ['fetch', 'rescan', 'remove'] as const
const otherResults = ['taken', 'ERROR'] as const

/** HTTP status codes are shown as numbers, which everyone in the field can read. */
function resultMessage(value: string): Message | undefined {
  if (isReason(value)) return reasonMessage(value)
  const state = jobStates.states.find((known) => known === value)
  if (state) return jobStates.rows[state].badge
  const stopReason = stopReasons.find((known) => known === value)
  if (stopReason) return stopMessage(stopReason)
  const result = otherResults.find((known) => known === value)
  return result && message(`activity.result.${result}`)
}
