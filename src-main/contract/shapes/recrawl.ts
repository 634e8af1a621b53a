/** How a job looks at its documents again: once in each run or continuously, how often, and what becomes of those that have
 *  gone from the site. */
import { z } from 'zod'
import { goneModes, hardFailureModes, patienceModes, recheckTypes } from './choices.ts'

export type GoneMode = (typeof goneModes)[number]

const seconds = z.int().min(1)

export const recheckShape = z
  .strictObject({
    /** `once`: a run ends when everything was looked at. `continuous`: it goes on, and each document is looked at again. */
    type: z.enum(recheckTypes).default('once'),
    /** A continuous job's document is looked at again after this, and later the longer it has stayed the same; null: never. */
    intervalSeconds: seconds.nullable().default(86_400),
    /** The longest that a document that never changes is left alone; null: no bound. */
    intervalSecondsMax: seconds.nullable().default(null),
    /** After this a continuous job's document leaves the queue; null: never. */
    expirySeconds: seconds.nullable().default(null),
    /** How often a continuous job takes up its seeds again; null: only at its start. */
    reseedSeconds: seconds.nullable().default(3_600),
    gone: z.enum(goneModes).default('atEnd'),
    patience: z.enum(patienceModes).default('brief'),
    onHardFailure: z.enum(hardFailureModes).default('skip'),
  })
  .refine(
    ({ intervalSeconds, intervalSecondsMax }) =>
      intervalSeconds === null || intervalSecondsMax === null || intervalSecondsMax >= intervalSeconds,
    { path: ['intervalSecondsMax'], error: 'must not be shorter than the interval' },
  )
export type Recheck = z.output<typeof recheckShape>

/** Of a definition that says nothing about it. */
export const recheckOnce: Recheck = recheckShape.parse({})
