/** The moments of captures: the dates of records and the digits of indexes, read with every precision the field has
 *  written. Deliberately not here: the clock. */

/** UTC as `YYYYMMDDhhmmss`, what is finer cut off. */
export function timestamp14(timeMs: number): string {
  const day = Math.floor(timeMs / dayMs)
  const second = Math.floor((timeMs - day * dayMs) / 1000)
  return `${digitsOfDay(day)}${twoOf[Math.floor(second / 3600)]}${twoOf[Math.floor(second / 60) % 60]}${twoOf[second % 60]}`
}

/** 17 digits when there are milliseconds to keep: revisits refer to the exact date. */
export function timestamp(timeMs: number): string {
  const ms = timeMs % 1000
  return ms === 0 ? timestamp14(timeMs) : timestamp14(timeMs) + String(ms < 0 ? ms + 1000 : ms).padStart(3, '0')
}

const dayMs = 86_400_000
const twoOf = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** Of the last day asked for: each capture of an index has a moment, and those of one file are of few days. A tenth of the
 *  time of `toISOString`. */
let known = { day: NaN, digits: '' }

function digitsOfDay(day: number): string {
  if (day !== known.day) known = { day, digits: new Date(day * dayMs).toISOString().replace(/T.*|\D/g, '') }
  return known.digits
}

/** WARC-Date (WARC 1.1, 5.4: W3C-ISO8601 with any precision from the year to nanoseconds), Archive-date of ARC, or the
 *  digits of an index. What is finer than a millisecond is cut off, what is left out is the least. */
export function parseTimestamp(text: string): number | undefined {
  return plainDate(text) ?? plainDigits(text) ?? anyDate(text) ?? dateByDayOfYear(text)
}

/** `2016-01-11T23:24:25Z`, as nearly all records have it, or with milliseconds: a fifth of the time of the expressions below.
 *  Undefined for everything else, valid or not. */
function plainDate(text: string): number | undefined {
  const { length } = text
  if ((length !== 20 && length !== 24) || text[10] !== 'T' || text[length - 1] !== 'Z') return undefined
  if (text[4] !== '-' || text[7] !== '-' || text[13] !== ':' || text[16] !== ':') return undefined
  const ms = length === 20 ? 0 : text[19] === '.' ? threeDigits(text, 20) : NaN
  return sureDate(text, [5, 8, 11, 14, 17], ms)
}

/** `20160111232425`, as nearly all lines of indexes have it, or with milliseconds. */
function plainDigits(text: string): number | undefined {
  if (text.length !== 14 && text.length !== 17) return undefined
  return sureDate(text, [4, 6, 8, 10, 12], text.length === 14 ? 0 : threeDigits(text, 14))
}

type Places = readonly [month: number, day: number, hour: number, minute: number, second: number]

function sureDate(text: string, places: Places, ms: number): number | undefined {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, places[0])
  const day = twoDigits(text, places[1])
  const hour = twoDigits(text, places[2])
  const minute = twoDigits(text, places[3])
  const second = twoDigits(text, places[4])
  // Of the 29th of February, of leap seconds, and of what is no number (NaN), `anyDate` judges.
  const sure = year >= 1000 && day >= 1 && day <= (sureDays[month] ?? 0) && hour < 24 && minute < 60 && second < 60
  return sure && ms >= 0 ? Date.UTC(year, month - 1, day, hour, minute, second, ms) : undefined
}

/** Of each month, from 1. */
const sureDays = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function threeDigits(text: string, at: number): number {
  return twoDigits(text, at) * 10 + twoDigits(`0${text[at + 2] ?? ''}`, 0)
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN
}

function anyDate(text: string): number | undefined {
  const match = isoDate.exec(text) ?? digitDate.exec(text)
  if (!match) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => (part ? Number(part) : undefined))
  const fraction = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const timeMs = Date.UTC(year, month - 1, day, hour, minute, second, fraction)
  const date = new Date(timeMs)
  // Date.UTC would make the 31st of February a day of March, and the year 50 that of 1950.
  if (
    date.getUTCFullYear() !== year ||
    date.getUTCMonth() !== month - 1 ||
    date.getUTCDate() !== day ||
    hour > 23 ||
    minute > 59 ||
    second > 60
  )
    return undefined
  return timeMs - zoneMs(match[8])
}

/** `2008-10-294T05:21:46-0700`: ClueWeb09 counts the day within the year, after the month that it lies in. */
function dateByDayOfYear(text: string): number | undefined {
  const [, year, month, dayOfYear, rest = ''] = /^(\d{4})-(\d\d)-(\d{3})(T.+)$/.exec(text) ?? []
  if (year === undefined) return undefined
  const date = new Date(Date.UTC(Number(year), 0, Number(dayOfYear)))
  const isSure = date.getUTCFullYear() === Number(year) && date.getUTCMonth() + 1 === Number(month)
  return isSure ? anyDate(date.toISOString().slice(0, 10) + rest) : undefined
}

const isoDate =
  /^\s*(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?)?)?(Z|[+-]\d\d:?\d\d)?\s*$/i
/** Some ARC files have digits after the seconds that are no fraction but filling. */
const digitDate = /^(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(\d{0,6}))?)?)?)?)?$/

function zoneMs(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
