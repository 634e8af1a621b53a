/**
 * Rechecks of a job's documents: once in each run or continuously, at which intervals, and the treatment of documents that have disappeared
 * from the site.
 */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { message } from '../words/message.ts'
import { goneModes, hardFailureModes, patienceModes, recheckTypes } from './choices.ts'

export type GoneMode = (typeof goneModes)[number]

const seconds = z.int().min(1)

/** Shape of the rechecks of a harvest. */
export const recheckShape = z
  .strictObject({
    /** `once`: a run ends when every document was examined. `continuous`: it goes on, and each document is examined again. */
    type: z.enum(recheckTypes).default('once'),
    /** Interval until the first recheck of a document in a continuous job; it grows while the document stays the same. Null: never. */
    intervalSeconds: seconds.nullable().default(86_400),
    /** Upper bound of the interval for a document that never changes; null: no bound. */
    intervalSecondsMax: seconds.nullable().default(null),
    /** Time after which a document leaves the queue of a continuous job; null: never. */
    expirySeconds: seconds.nullable().default(null),
    /** Interval at which a continuous job fetches its seeds again; null: only at its start. */
    reseedSeconds: seconds.nullable().default(3_600),
    gone: z.enum(goneModes).default('atEnd'),
    patience: z.enum(patienceModes).default('brief'),
    onHardFailure: z.enum(hardFailureModes).default('skip'),
  })
  .refine(
    ({ intervalSeconds, intervalSecondsMax }) =>
      intervalSeconds === null || intervalSecondsMax === null || intervalSecondsMax >= intervalSeconds,
    { path: ['intervalSecondsMax'], ...refusedAs((field) => message('value.interval', { field })) },
  )
export type Recheck = z.output<typeof recheckShape>

/** The value of a definition without rechecks. */
export const recheckOnce: Recheck = recheckShape.parse({})
