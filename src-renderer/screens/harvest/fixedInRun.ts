/** Parts of the form that a running job fixes, as the engine reports them. */
import type { FixedField } from '../../../src-main/contract/services/jobDetails.ts'
import type { Message } from '../../../src-main/contract/words/message.ts'
import type { FieldPath } from '../../../src-main/contract/calls/faults.ts'

/** The reason why a run fixes the field at `path`; undefined when it can be changed. */
export function whyFixed(fixed: readonly FixedField[], path: FieldPath): Message | undefined {
  return fixed.find(({ field }) => field.every((part, at) => part === path[at]))?.why
}
