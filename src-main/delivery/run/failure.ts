/** What an error of a step means for its documents. */
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import { DiskFault } from '../../world/world.ts'
import { StepFault } from '../model/steps.ts'

/** Status and reason after an error of a step. */
export interface Failure {
  state: DeliveryState
  why: Message
}

/** Returns what an error means. Whatever a step throws is an error of the document that it had. */
export function failureOf(error: unknown): Failure {
  if (error instanceof StepFault) return { state: error.isLasting ? 'ERROR_DOC' : 'ERROR', why: error.problem }
  if (error instanceof DiskFault) return { state: 'ERROR', why: diskMessage(error) }
  return { state: 'ERROR', why: message('delivery.thrown', { problem: messageOf(error) }) }
}
