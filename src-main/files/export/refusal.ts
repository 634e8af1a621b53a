/** Errors that end an export, with a sentence for the user. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** The error that ends an export early without a bug in Loupe. It stays inside the thread, which returns its code
 *  and message as a value. */
export class Refusal extends Error {
  readonly code: FaultCode
  readonly userMessage: Message
  constructor(code: FaultCode, userMessage: Message) {
    super(textOf(userMessage))
    this.name = 'Refusal'
    this.code = code
    this.userMessage = userMessage
  }
}
