/**
 * Parsing of sizes and durations as users type them: a number with a unit, or a plain number in the default unit of the option. Undefined:
 * not an amount.
 */

const sizeUnits: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
}

const durationUnitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Parses bytes: `2GB` is 2,000,000,000 bytes and `2GiB` 2,147,483,648; a plain number is bytes. */
export function bytesIn(text: string): number | undefined {
  return amountIn(text, { units: sizeUnits, plain: 1 })
}

/** Parses `90s`, `30m`, `2h`, `7d` as milliseconds. `plainMs`: the value of a unit for plain numbers; without it a unit is required. */
export function milliseconds(text: string, plainMs?: number): number | undefined {
  return amountIn(text, { units: durationUnitsMs, plain: plainMs })
}

/** Milliseconds in each unit of settings. */
const countedUnitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  hours: 3_600_000,
  days: 86_400_000,
}

/**
 * Parses an amount for a number that is counted in `unit` (`bytes`, `bytes/s`, `ms`, `hours`, …) and returns it in that unit, not always
 * whole. Without a unit, or for one without other names, only plain digits are accepted.
 */
export function amountOf(text: string, unit: string | undefined): number | undefined {
  if (unit === 'bytes' || unit === 'bytes/s') return bytesIn(text.replace(/\/s$/i, ''))
  const ms = unit === undefined ? undefined : countedUnitsMs[unit]
  if (ms === undefined) return /^\d{1,15}$/.test(text) ? Number(text) : undefined
  const given = milliseconds(text, ms)
  return given === undefined ? undefined : given / ms
}

/** The largest integer that a JSON number holds exactly. */
const amountMax = Number.MAX_SAFE_INTEGER

function amountIn(
  text: string,
  { units, plain }: { units: Readonly<Record<string, number>>; plain: number | undefined },
): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?) ?([a-z]*)$/i.exec(text) ?? []
  const factor = unit === '' ? plain : units[unit.toLowerCase()]
  if (digits === undefined || factor === undefined) return undefined
  const amount = Math.round(Number(digits) * factor)
  return amount <= amountMax ? amount : undefined
}
