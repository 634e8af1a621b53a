/** Lists of messages as one message. */
import { message, type Message } from './message.ts'

/** Joins messages, which are sentences or phrases without a period, in order. Throws an error for an empty list. */
export function joined(messages: readonly Message[]): Message {
  const [first, ...others] = messages
  if (!first) throw new Error('no message to join')
  return others.reduce((one, next) => message('joined', { one, next }), first)
}
