/** Finding jobs, harvests, domains and archive files by name while somebody types. */
import { z } from 'zod'
import { call } from '../calls/service.ts'

/** Kinds of things that have names. */
const namedKinds = ['job', 'harvest', 'domain', 'file'] as const

/** Shape of something that was found. */
const foundName = z.object({ kind: z.enum(namedKinds), id: z.int().min(1), name: z.string() })
export type FoundName = z.output<typeof foundName>

export const quickOpenCalls = {
  /** Finds names, best first; without a text the newest ones of each kind. A call without a text also reads names that are new. */
  find: call(
    z.strictObject({ text: z.string().max(200), limit: z.int().min(1).max(100).default(20) }),
    /** `isComplete` false: not all names have been read yet; more may be found a moment later. */
    z.object({ rows: z.array(foundName), isComplete: z.boolean() }),
  ),
} as const
