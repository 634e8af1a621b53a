/** Formats numbers, sizes and times. Times are UTC everywhere, as in the records of the archive, so that two users read the same time from
 *  the same screen. */
import { useMemo } from 'react'
import { useLocale } from '../words/words.tsx'

/** Decimal units (IEC 80000-13 uses k for 1000), as disk manufacturers count. */
const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

export interface Formats {
  count(number: number): string
  bytes(bytes: number): string
  /** Two units at most: `2h 5m`, `3.2s`. */
  duration(seconds: number): string
  perSecond(number: number): string
  percent(fraction: number): string
  /** `3 days ago`. */
  ago(time: string, now: Date): string
  /** Signed distance of `time` from `reference`: `+3 days`, `−2 hours`; empty when it is the same second. */
  distance(time: string, reference: string): string
}

export function makeFormats(locale: string): Formats {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const short = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })
  const fraction = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const unit = (name: string, value: number, display: 'narrow' | 'long' = 'narrow') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: display, maximumFractionDigits: 1 }).format(
      value,
    )

  return {
    count: (number) => whole.format(number),
    bytes: (bytes) => {
      let power = 0
      // 999.6 kB would be rounded to 1,000 kB, so it is shown as 1 MB.
      while (power < byteUnits.length - 1 && bytes / 1000 ** power >= 999.5) power += 1
      return `${short.format(bytes / 1000 ** power)}\u00a0${byteUnits[power]}`
    },
    duration: (seconds) => {
      if (seconds < 10) return unit('second', seconds)
      const rounded = Math.round(seconds)
      const days = Math.floor(rounded / 86_400)
      const hours = Math.floor((rounded % 86_400) / 3600)
      const minutes = Math.floor((rounded % 3600) / 60)
      const parts = [
        { name: 'day', value: days },
        { name: 'hour', value: hours },
        { name: 'minute', value: minutes },
        { name: 'second', value: rounded % 60 },
      ]
      const first = parts.findIndex(({ value }) => value > 0)
      return parts
        .slice(first, first + 2)
        .filter(({ value }) => value > 0)
        .map(({ name, value }) => unit(name, value))
        .join(' ')
    },
    perSecond: (number) => `${short.format(number)}/s`,
    percent: (part) => fraction.format(part),
    ago: (time, now) => {
      const { name, value } = largestUnit((Date.parse(time) - now.getTime()) / 1000)
      return relative.format(value, name)
    },
    distance: (time, reference) => {
      const seconds = Math.round((Date.parse(time) - Date.parse(reference)) / 1000)
      if (seconds === 0) return ''
      const { name, value } = largestUnit(seconds)
      return `${seconds > 0 ? '+' : '−'}${unit(name, Math.abs(value), 'long')}`
    },
  }
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
