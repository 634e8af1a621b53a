/** How a job looks at its documents again: once in each run or continuously, how often, and what becomes of those that have
 *  gone from the site. */
import { z } from 'zod'

/** What becomes of a document that its site no longer has: kept in the queue, removed from it as soon as the server says so,
 *  or removed when the run ends. What the archive holds of it stays in all three. */
export const goneModes = ['keep', 'atOnce', 'atEnd'] as const
export type GoneMode = (typeof goneModes)[number]

const seconds = z.int().min(1)

export const recheckShape = z
  .strictObject({
    /** `once`: a run ends when everything was looked at. `continuous`: it goes on, and each document is looked at again. */
    type: z.enum(['once', 'continuous']).default('once'),
    /** A continuous job's document is looked at again after this, and later the longer it has stayed the same; null: never. */
    intervalSeconds: seconds.nullable().default(86_400),
    /** The longest that a document that never changes is left alone; null: no bound. */
    intervalSecondsMax: seconds.nullable().default(null),
    /** After this a continuous job's document leaves the queue; null: never. */
    expirySeconds: seconds.nullable().default(null),
    /** How often a continuous job takes up its seeds again; null: only at its start. */
    reseedSeconds: seconds.nullable().default(3_600),
    gone: z.enum(goneModes).default('atEnd'),
    /** Where a server cannot be reached: `brief` tries a few times within seconds, `long` for hours. */
    patience: z.enum(['brief', 'long']).default('brief'),
    /** What follows when the patience has ended: only this document is given up, or the whole job is stopped. */
    onHardFailure: z.enum(['skip', 'abort']).default('skip'),
  })
  .refine(
    ({ intervalSeconds, intervalSecondsMax }) =>
      intervalSeconds === null || intervalSecondsMax === null || intervalSecondsMax >= intervalSeconds,
    { path: ['intervalSecondsMax'], error: 'it may not be shorter than the interval' },
  )
export type Recheck = z.output<typeof recheckShape>

/** Of a definition that says nothing about it. */
export const recheckOnce: Recheck = recheckShape.parse({})
