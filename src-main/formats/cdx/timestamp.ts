/** Converts the timestamps of captures: the dates of records and the digits of indexes, in every precision that
 *  occurs. */
import { utcOffsetForm, utcOffsetMs } from '../../contract/text/utcOffset.ts'

/** Returns UTC as `YYYYMMDDhhmmss`, rounded down. */
export function timestamp14(timeMs: number): string {
  const day = Math.floor(timeMs / dayMs)
  const second = Math.floor((timeMs - day * dayMs) / 1000)
  return `${digitsOfDay(day)}${twoOf[Math.floor(second / 3600)]}${twoOf[Math.floor(second / 60) % 60]}${twoOf[second % 60]}`
}

/** Returns 17 digits when the time has milliseconds, otherwise 14: revisits refer to the exact date. */
export function timestamp(timeMs: number): string {
  const ms = timeMs % 1000
  return ms === 0 ? timestamp14(timeMs) : timestamp14(timeMs) + String(ms < 0 ? ms + 1000 : ms).padStart(3, '0')
}

const dayMs = 86_400_000
const twoOf = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** Digits of the last day converted: every capture of an index has a timestamp, and those of one file are from few
 *  days. This takes a tenth of the time of `toISOString`. */
let known = { day: NaN, digits: '' }

function digitsOfDay(day: number): string {
  if (day !== known.day) known = { day, digits: new Date(day * dayMs).toISOString().replace(/T.*|\D/g, '') }
  return known.digits
}

/** Parses a timestamp to milliseconds: WARC-Date (WARC 1.1, 5.4: W3C-ISO8601 with any precision from the year to
 *  nanoseconds), Archive-date of ARC, or the digits of an index. Digits beyond milliseconds are dropped; missing
 *  parts have their lowest value, and a leap second is the first one of the next minute, as in POSIX. Returns undefined
 *  when the text is invalid. */
export function parseTimestamp(text: string): number | undefined {
  return plainDate(text) ?? plainDigits(text) ?? anyDate(text) ?? dateByDayOfYear(text)
}

/** Parses `2016-01-11T23:24:25Z`, the form of nearly all records, with or without milliseconds, in a fifth of the
 *  time of the expressions below. Returns undefined for any other text, valid or not. */
function plainDate(text: string): number | undefined {
  const { length } = text
  if ((length !== 20 && length !== 24) || text[10] !== 'T' || text[length - 1] !== 'Z') return undefined
  if (text[4] !== '-' || text[7] !== '-' || text[13] !== ':' || text[16] !== ':') return undefined
  const ms = length === 20 ? 0 : text[19] === '.' ? threeDigits(text, 20) : NaN
  return sureDate(text, [5, 8, 11, 14, 17], ms)
}

/** Parses `20160111232425`, the form of nearly all index lines, with or without milliseconds. */
function plainDigits(text: string): number | undefined {
  if (text.length !== 14 && text.length !== 17) return undefined
  return sureDate(text, [4, 6, 8, 10, 12], text.length === 14 ? 0 : threeDigits(text, 14))
}

/** Indexes of the first digit of each part. */
type Places = readonly [month: number, day: number, hour: number, minute: number, second: number]

/** Converts parts of two digits; undefined unless the date is certainly valid. */
function sureDate(text: string, places: Places, ms: number): number | undefined {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, places[0])
  const day = twoDigits(text, places[1])
  const hour = twoDigits(text, places[2])
  const minute = twoDigits(text, places[3])
  const second = twoDigits(text, places[4])
  // The 29th of February, leap seconds and invalid numbers (NaN) are left to `anyDate`.
  const sure = year >= 1000 && day >= 1 && day <= (sureDays[month] ?? 0) && hour < 24 && minute < 60 && second < 60
  return sure && ms >= 0 ? Date.UTC(year, month - 1, day, hour, minute, second, ms) : undefined
}

/** Days of each month, from 1, without leap days. */
const sureDays = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function threeDigits(text: string, at: number): number {
  return twoDigits(text, at) * 10 + twoDigits(`0${text[at + 2] ?? ''}`, 0)
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN
}

/** Parses any date of the two forms, and checks it. */
function anyDate(text: string): number | undefined {
  const match = isoDate.exec(text) ?? digitDate.exec(text)
  if (!match) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => (part ? Number(part) : undefined))
  const fraction = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const date = new Date(Date.UTC(year, month - 1, day))
  // Date.UTC would accept the 31st of February as a day of March, and read the year 50 as 1950.
  const isDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isDay || hour > 23 || minute > 59 || second > 60) return undefined
  return Date.UTC(year, month - 1, day, hour, minute, second, fraction) - utcOffsetMs(match[8])
}

/** Parses `2008-10-294T05:21:46-0700`: ClueWeb09 gives the day of the year after the month that contains it. */
function dateByDayOfYear(text: string): number | undefined {
  const [, year, month, dayOfYear, rest = ''] = /^(\d{4})-(\d\d)-(\d{3})(T.+)$/.exec(text) ?? []
  if (year === undefined) return undefined
  const date = new Date(Date.UTC(Number(year), 0, Number(dayOfYear)))
  const isSure = date.getUTCFullYear() === Number(year) && date.getUTCMonth() + 1 === Number(month)
  return isSure ? anyDate(date.toISOString().slice(0, 10) + rest) : undefined
}

/** W3C-ISO8601 in any precision, with a comma or a missing zone as some writers have it. Without a zone it is UTC. */
const isoDate = new RegExp(
  String.raw`^\s*(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?)?)?(${utcOffsetForm})?\s*$`,
  'i',
)
/** Some ARC files have digits after the seconds that are padding rather than a fraction. */
const digitDate = /^(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(\d{0,6}))?)?)?)?)?$/
