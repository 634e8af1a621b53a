/** Parsing of a time of any precision. A year stands for all its moments, from the first to the last. */

const written =
  /^(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:[T ]?(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,3})\d*)?)?)?)?)?)?(Z|[+-]\d\d:?\d\d)?$/i

/** Returns the first and last moment of a written time, in UTC unless it names a zone. Undefined when no such time exists. */
export function momentsOf(text: string): { first: string; last: string } | undefined {
  const match = written.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second, fraction] = match.slice(1, 8)
  const given = [year, month, day, hour, minute, second].filter((part) => part !== undefined).map(Number)
  const firstMs = utcOf(given)
  if (firstMs === undefined) return undefined
  const zone = zoneMs(match[8])
  const at = firstMs + Number((fraction ?? '').padEnd(3, '0')) - zone
  const lastMs = fraction === undefined ? utcOfNext(given) - 1 - zone : at
  return { first: new Date(at).toISOString(), last: new Date(lastMs).toISOString() }
}

type Parts = readonly number[]

function utcOf([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: Parts): number | undefined {
  const timeMs = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(timeMs)
  // Date.UTC would turn the 31st of February into a day of March.
  const isOne = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isOne && hour < 24 && minute < 60 && second < 60 ? timeMs : undefined
}

/** Start of the next year, month, day … of the same precision. Here Date.UTC may carry over. */
function utcOfNext(given: Parts): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = given.map((part, index) =>
    index === given.length - 1 ? part + 1 : part,
  )
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

function zoneMs(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
