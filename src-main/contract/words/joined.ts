/** Lists of messages as one message. Both functions throw an error for an empty list. */
import { message, type Message } from './message.ts'

/** Joins messages, which are sentences or phrases without a period, in order. */
export function joined(messages: readonly Message[]): Message {
  return combined(messages, (one, next) => message('joined', { one, next }))
}

/** Lists messages, which are parts of one sentence, with commas between them. */
export function listed(messages: readonly Message[]): Message {
  return combined(messages, (first, second) => message('list.comma', { first, second }))
}

function combined(messages: readonly Message[], combine: (one: Message, next: Message) => Message): Message {
  const [first, ...others] = messages
  if (!first) throw new Error('no message to join')
  return others.reduce(combine, first)
}
