/** Data that determines the position of a document in the queue. */
import { unlimited } from '../../contract/shapes/throttle.ts'
import { hostBins } from './bins.ts'
import type { NumberingSetting } from './numbering.ts'
import type { QueueStatements } from './queue.sql.ts'

/** How a job assigns positions. */
export interface Places {
  binsOf(url: string): readonly string[]
  rateOf: NumberingSetting['limitsOf']
  /** Documents get no position when they are found: they stand in the line of their job until it gives them a number. */
  isInLine?: boolean
  /** Returns the priority of the job, 1 (highest) to 10. Read for each document, since a user may change it. */
  jobPriority(): number
}

/** Returns the positions for documents that are added while the job is not being worked on. */
export function ordinaryPlaces({ jobPriority }: Pick<QueueStatements, 'jobPriority'>, job: number): Places {
  return { binsOf: hostBins, rateOf: () => unlimited, jobPriority: () => jobPriority.get({ job })?.priority ?? 5 }
}
