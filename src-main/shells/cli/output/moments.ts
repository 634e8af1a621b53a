/** Parsing of a time of any precision. A year, month or day is the range from its first to its last moment. */
import { utcOffsetForm, utcOffsetMs } from '../../../contract/text/utcOffset.ts'

const written = new RegExp(
  String.raw`^(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:[T ]?(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,3})\d*)?)?)?)?)?)?(${utcOffsetForm})?$`,
  'i',
)

/** Returns the first and last moment of a written time, in UTC unless it names a zone. Undefined when no such time exists. */
export function momentsOf(text: string): { first: string; last: string } | undefined {
  const match = written.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second, fraction] = match.slice(1, 8)
  const given = [year, month, day, hour, minute, second].filter((part) => part !== undefined).map(Number)
  const firstMs = utcOf(given)
  if (firstMs === undefined) return undefined
  const offsetMs = utcOffsetMs(match[8])
  const fromMs = firstMs + Number((fraction ?? '').padEnd(3, '0')) - offsetMs
  const untilMs = fraction === undefined ? utcOfNext(given) - 1 - offsetMs : fromMs
  return { first: new Date(fromMs).toISOString(), last: new Date(untilMs).toISOString() }
}

type Parts = readonly number[]

function utcOf([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: Parts): number | undefined {
  const timeMs = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(timeMs)
  // Date.UTC would turn the 31st of February into a day of March, and read the year 50 as 1950.
  const isDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isDay && hour < 24 && minute < 60 && second < 60 ? timeMs : undefined
}

/** Start of the next year, month, day … of the same precision. Here Date.UTC may carry over. */
function utcOfNext(given: Parts): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = given.map((part, index) =>
    index === given.length - 1 ? part + 1 : part,
  )
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
