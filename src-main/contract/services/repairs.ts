/** Shapes of the repair of a copy: what can be repaired, the conditions, and the outcome. */
import { z } from 'zod'
import { faultCodes } from '../calls/faults.ts'
import { count, messageShape, time } from '../shapes/shapes.ts'
import { repairStates } from '../states/repairStates.ts'

/** The conditions of a repair, followed by its steps, in this order. */
export const repairCondition = z.object({
  condition: z.enum([
    'replicaUsable',
    'goodCopy',
    'majority',
    'asConfirmed',
    'differs',
    'expected',
    'setAside',
    'restored',
    'goodAfter',
  ]),
  /** The condition, with what was observed. */
  message: messageShape,
  /** `open`: it waits for the user, or has not been done yet. */
  state: z.enum(['open', 'met', 'failed']),
  /** The kind of fault that made it fail, if it was one. */
  code: z.enum(faultCodes).optional(),
})
export type RepairCondition = z.output<typeof repairCondition>

/** `restore`: no file has the name. `replace`: a wrong file has it. `right`: nothing needs repair. */
const repairKind = z.enum(['restore', 'replace', 'right'])

/** Shape of the plan for the repair of one copy. */
export const repairPlan = z.object({
  name: z.string(),
  replica: z.string(),
  kind: repairKind,
  bytes: count,
  registered: z.string(),
  /** The checksum of the present file, read just now; null when there is none, or it cannot be read. */
  found: z.string().nullable(),
  /** Why the present file cannot be read; null when it can, or when there is none. */
  unreadable: messageShape.nullable(),
  /** The replica with the good copy. */
  source: z.string().nullable(),
  /** Whether no condition failed: the repair may be tried once the open ones are confirmed. */
  allowed: z.boolean(),
  conditions: z.array(repairCondition),
})
export type RepairPlan = z.output<typeof repairPlan>

/** Shape of the state of one repair. */
export const repairOutcome = z.object({
  name: z.string(),
  replica: z.string(),
  kind: repairKind,
  /** `REFUSED`: a condition did not hold, and nothing was changed. `FAILED`: it could not be completed; the text describes the state. */
  state: z.enum(repairStates.states),
  source: z.string().nullable(),
  /** The entry of the attic with the former file. */
  attic: z.int().min(1).nullable(),
  /** Empty while the present file is being read. */
  conditions: z.array(repairCondition),
  message: messageShape,
  /** `recovery`: Loupe itself, after a kill interrupted the repair. */
  by: z.enum(['user', 'recovery']),
  begun: time,
  ended: time.nullable(),
  /** Its entry in the audit log; null when there is none (yet). */
  audit: z.int().min(1).nullable(),
})
export type RepairOutcome = z.output<typeof repairOutcome>

/** Shape of a copy that needs repair. */
export const repairableCopy = z.object({
  name: z.string(),
  replica: z.string(),
  state: z.enum(['missing', 'corrupt', 'notStored']),
  bytes: count,
  registered: z.string(),
  /** Replicas that may provide the good copy: no problem of theirs is known. */
  sources: z.array(z.string()),
  /** Why it cannot be repaired now; null when it can as far as is known. */
  blocker: messageShape.nullable(),
})
export type RepairableCopy = z.output<typeof repairableCopy>
