/** Hop limits as the committer applies them: results of documents that have become too far are excluded, and documents whose
 *  distance changed are updated before another turn begins. What is harvested must not depend on the order of the answers. */
import type { Changed } from '../frontier/counts.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { followStep } from '../settle/hops/following.ts'
import type { Range } from '../settle/hops/range.ts'
import type { Result } from '../settle/result.ts'

/** The distances of one job's documents during its run. */
export interface Distances {
  /** Whether documents remain to be updated. True at first, since a kill may have interrupted an update. */
  readonly hasPending: boolean
  /** Returns the result, or an exclusion if its document has become too far from the seeds since it was claimed. */
  inRange(result: Result): Result
  /** Updates some of the documents whose distance changed; called inside a transaction. Sets `hasPending`. */
  step(): Changed[]
}

/** Opens the distances; `range` is undefined if the definition limits no hops. */
export function distancesOf(range: Range | undefined, frontier: Pick<Frontier, 'reach'>, now: () => number): Distances {
  let hasPending = range !== undefined
  return {
    get hasPending() {
      return hasPending
    },
    inRange(result) {
      const detail = range?.beyond(result.document)
      if (detail === undefined) return result
      const { document, host, robots, attempts } = result
      const subject = { document, host, ...(robots ? { robots } : {}), ...(attempts ? { attempts } : {}) }
      return { ...subject, kind: 'ended', outcome: 'excluded', reason: 'tooManyHops', detail, durationMs: null }
    },
    step() {
      if (!range) return []
      const { changes, isDone } = followStep(range, frontier, now())
      hasPending = !isDone
      return changes
    },
  }
}
