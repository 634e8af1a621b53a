/** Formats numbers, sizes and times. Times are UTC everywhere, as in the records of the archive, so that two users read the same time from
 *  the same screen. */
import { useMemo } from 'react'
import {
  bytesMessage,
  durationMessage,
  numberMessage,
  percentMessage,
  perMinute,
  perSecond,
} from '../../src-main/contract/text/quantities.ts'
import type { Message } from '../../src-main/contract/words/message.ts'
import { translate } from '../words/language.ts'
import { useLocale } from '../words/words.tsx'

export interface Formats {
  count(number: number): string
  bytes(bytes: number): string
  /** Two units at most: `2 h 5 min`, `3.2 s`. */
  duration(seconds: number): string
  perSecond(number: number): string
  bytesPerSecond(bytes: number): string
  perMinute(number: number): string
  percent(fraction: number): string
  /** `3 days ago`. */
  ago(time: string, now: Date): string
  /** Signed distance of `time` from `reference`: `+3 days`, `−2 hours`; empty when it is the same second. */
  distance(time: string, reference: string): string
}

export function makeFormats(locale: string): Formats {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const unit = (name: string, value: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }).format(value)

  return {
    count: (number) => whole.format(number),
    bytes: (bytes) => unbroken(bytesMessage(bytes)),
    duration: (seconds) => unbroken(durationMessage(seconds)),
    perSecond: (number) => unbroken(perSecond(numberMessage(number))),
    bytesPerSecond: (bytes) => unbroken(perSecond(bytesMessage(bytes))),
    perMinute: (number) => unbroken(perMinute(numberMessage(number))),
    percent: (share) => unbroken(percentMessage(share)),
    ago: (time, now) => {
      const { name, value } = largestUnit((Date.parse(time) - now.getTime()) / 1000)
      return relative.format(value, name)
    },
    distance: (time, reference) => {
      const seconds = Math.round((Date.parse(time) - Date.parse(reference)) / 1000)
      if (seconds === 0) return ''
      const { name, value } = largestUnit(seconds)
      return `${seconds > 0 ? '+' : '−'}${unit(name, Math.abs(value))}`
    },
  }
}

/** The text of a quantity, which no line break divides. */
function unbroken(quantity: Message): string {
  return translate(quantity).replaceAll(' ', '\u00a0')
}

const unitSeconds = [
  { name: 'year', seconds: 31_557_600 },
  { name: 'month', seconds: 2_629_800 },
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
] as const

type LargeUnit = (typeof unitSeconds)[number]['name'] | 'second'

function largestUnit(seconds: number): { name: LargeUnit; value: number } {
  const fitting = unitSeconds.find((unit) => Math.abs(seconds) >= unit.seconds)
  return fitting
    ? { name: fitting.name, value: Math.trunc(seconds / fitting.seconds) }
    : { name: 'second', value: Math.round(seconds) }
}

/** `2026-11-20 13:27:05` in UTC. Sorts as text, aligns in a column and is the same in every language. */
export function timeUtc(time: string): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}

/** The first characters of a checksum, enough to tell two apart. The whole checksum is in a tooltip or can be copied. */
export function checksumStart(checksum: string): string {
  return `${checksum.slice(0, 10)}…`
}

export function useFormats(): Formats {
  const locale = useLocale()
  return useMemo(() => makeFormats(locale), [locale])
}
