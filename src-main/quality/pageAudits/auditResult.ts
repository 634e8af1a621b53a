/** What an audit has found, from the sums over its pages. */
import type { Ending, Progress } from '../../tasks/task.ts'
import type { Totals } from './pageAudits.sql.ts'

const none: Totals = { done: 0, total: 0, faulty: 0, good: 0, bad: 0, missing: 0, consoleErrors: 0, failed: 0 }

/** What users see of the progress. Files are pages. */
export function progressOf({ done, total, faulty, ...figures }: Totals = none): Partial<Progress> {
  return { filesDone: done, filesTotal: total, findings: faulty, figures }
}

/** How the audit ends. */
export function endingOf({ failed, faulty }: Totals = none): Ending {
  if (failed > 0) return { event: 'finishedInPart' }
  return { event: faulty > 0 ? 'finishedWithFindings' : 'finished' }
}
