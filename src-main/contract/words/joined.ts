/** Lists of messages as one message. The functions throw an error for an empty list. */
import { message, type Message, type MessageValue } from './message.ts'

/** Joins messages, which are sentences or phrases without a period, in order. */
export function joined(messages: readonly Message[]): Message {
  return combined(messages, (one, next) => message('joined', { one, next }))
}

/** Lists messages, which are parts of one sentence, with "or" between them. */
export function alternatives(messages: readonly Message[]): Message {
  return combined(messages, (first, second) => message('list.or', { first, second }))
}

/** Lists messages, which are parts of one sentence, with commas between them. */
export function listed(messages: readonly Message[]): Message {
  return combined(messages, (first, second) => message('list.comma', { first, second }))
}

/** Lists values, which are parts of one sentence, with commas and "and" between them. */
export function series(values: readonly MessageValue[]): MessageValue {
  const last = values.at(-1)
  const [first, ...between] = values.slice(0, -1)
  if (last === undefined) throw new Error('no value to list')
  if (first === undefined) return last
  const listed = between.reduce((list, next) => message('list.comma', { first: list, second: next }), first)
  return message('list.and', { first: listed, last })
}

function combined(messages: readonly Message[], combine: (one: Message, next: Message) => Message): Message {
  const [first, ...others] = messages
  if (!first) throw new Error('no message to join')
  return others.reduce(combine, first)
}
