/** Sizes, durations, rates and shares as messages, so that every shell writes them in the same way. */
import { message, type Message } from '../words/message.ts'

/** Decimal units (IEC 80000-13 uses k for 1000), as disk manufacturers count. */
const byteUnits = [
  { code: 'bytes.B', bytes: 1 },
  { code: 'bytes.kB', bytes: 1e3 },
  { code: 'bytes.MB', bytes: 1e6 },
  { code: 'bytes.GB', bytes: 1e9 },
  { code: 'bytes.TB', bytes: 1e12 },
] as const
const largestUnit = { code: 'bytes.PB', bytes: 1e15 } as const

/** A size with three digits and a unit. */
export function bytesMessage(bytes: number): Message {
  // 999.6 kB would be rounded to 1,000 kB, so it is shown as 1 MB.
  const unit = byteUnits.find((candidate) => bytes / candidate.bytes < 999.5) ?? largestUnit
  return message(unit.code, { value: bytes / unit.bytes })
}

const durationUnits = [
  { code: 'duration.days', seconds: 86_400, unitsMax: Infinity },
  { code: 'duration.hours', seconds: 3600, unitsMax: 24 },
  { code: 'duration.minutes', seconds: 60, unitsMax: 60 },
  { code: 'duration.seconds', seconds: 1, unitsMax: 60 },
] as const

/** A duration in two units at most: `2 h 5 min`; below 10 seconds with one decimal: `3.2 s`; below 0.1 seconds in milliseconds: `12 ms`. */
export function durationMessage(seconds: number): Message {
  if (seconds > 0 && seconds < 0.0995) return message('duration.milliseconds', { count: seconds * 1000 })
  if (seconds < 10) return message('duration.seconds', { count: seconds })
  const rounded = Math.round(seconds)
  const first = durationUnits.findIndex((unit) => rounded >= unit.seconds)
  const [longer, shorter] = durationUnits
    .slice(first, first + 2)
    .map((unit) => ({ code: unit.code, count: Math.floor(rounded / unit.seconds) % unit.unitsMax }))
    .filter(({ count }) => count > 0)
    .map(({ code, count }) => message(code, { count }))
  if (!longer) throw new Error('a duration without units')
  return shorter ? message('duration.two', { longer, shorter }) : longer
}

export function perSecond(amount: Message): Message {
  return message('quantity.perSecond', { amount })
}

export function perMinute(amount: Message): Message {
  return message('quantity.perMinute', { amount })
}

/** A number with three digits. */
export function numberMessage(value: number): Message {
  return message('quantity.number', { value })
}

/** A share from 0 to 1 in whole per cent. */
export function percentMessage(share: number): Message {
  return message('quantity.percent', { share })
}
