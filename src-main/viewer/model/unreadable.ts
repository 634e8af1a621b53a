/** The error of a capture that cannot be shown. */
import type { Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** A capture is listed in the index, but its record cannot be read: it is damaged, or no replica provides its file. */
export class Unreadable extends Error {
  /** The problem as a sentence, for explanations and findings. */
  readonly userMessage: Message
  constructor(userMessage: Message, options?: ErrorOptions) {
    super(textOf(userMessage), options)
    this.userMessage = userMessage
  }
}
