/** What is wrong with a plan, or what its author should know. */
import type { Message } from '../../contract/words/message.ts'

/** A fault or a warning in one sentence. */
export interface PlanFault {
  /** Name of the step; null: it concerns the plan as a whole. */
  step: string | null
  message: Message
}
