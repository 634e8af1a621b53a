/** Captures and their bytes over time: of the whole archive, of jobs or files, or of a domain. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { growthGroups, growthPeriods } from '../shapes/choices.ts'
import { messageShape, count } from '../shapes/shapes.ts'
import { selecting, selectionShape } from '../shapes/selection.ts'

/** Groups that an answer names at most; all others are added up. */
const growthGroupsMax = 50

/** Captures, and the bytes of their records as compressed in the archive. A duplicate that only a crawl log lists has none. */
const amount = { captures: count, bytes: count }

const growth = z.object({
  ...amount,
  /** The most captures first. `name`: host without `www.`, media type, status, or '' where it is not known; null: everything else, last. */
  groups: z.array(z.object({ name: z.string().nullable(), ...amount })),
  /** Periods with captures, ascending. `period`: `2024`, `2024-05` or `2024-05-17`, in UTC. `amounts`: in the order of the groups. */
  rows: z.array(z.object({ period: z.string(), amounts: z.array(z.object(amount)) })),
  /** Files that could not be read: captures in them are unknown. */
  filesMissing: z.array(z.object({ name: z.string(), reason: messageShape })),
})

export const growthCalls = {
  /** Adds captures up by period. Builds the index of the selection if there is none. */
  overTime: call(
    selecting(
      z.strictObject({
        ...selectionShape,
        /** Only captures of this domain and all hosts below it. */
        domain: z.string().trim().min(1).max(253).optional(),
        period: z.enum(growthPeriods).default('month'),
        /** Absent: everything is one group. */
        by: z.enum(growthGroups).optional(),
        groupsMax: z.int().min(1).max(growthGroupsMax).default(8),
        /** Each period includes those before it. */
        isCumulative: z.boolean().default(false),
      }),
    ),
    growth,
  ),
} as const
