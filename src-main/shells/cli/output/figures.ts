/** Figures in progress and summaries: lists of messages with commas between them. */
import { listed } from '../../../contract/words/joined.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'
import { bytesMessage, durationMessage, perSecond } from '../../../contract/text/quantities.ts'

/** Lists figures in order. Undefined ones are left out; at least one must be left. */
export function figures(parts: readonly (Message | undefined)[]): string {
  return textOf(figuresOf(parts))
}

/** Lists figures as a value of another message. */
export function figuresOf(parts: readonly (Message | undefined)[]): Message {
  return listed(parts.filter((part) => part !== undefined))
}

export function rate(bytesPerSecond: number): Message {
  return perSecond(bytesMessage(bytesPerSecond))
}

/** Estimates the remaining time. Undefined while nothing has been done. */
export function remaining(left: number, donePerSecond: number): Message | undefined {
  return donePerSecond > 0
    ? message('figure.remaining', { duration: durationMessage(Math.max(0, left) / donePerSecond) })
    : undefined
}

/** Values of a message about an amount that was processed: its size, the time and the bytes per second. */
export function paceValues(bytes: number, seconds: number): { size: Message; duration: Message; rate: Message } {
  return {
    size: bytesMessage(bytes),
    duration: durationMessage(seconds),
    rate: rate(bytes / Math.max(seconds, 0.001)),
  }
}
