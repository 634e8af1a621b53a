/** Units that users choose for amounts of bytes and of time. */

/** Bytes per unit. */
export const byteUnits = { kB: 1_000, MB: 1_000_000, GB: 1_000_000_000 } as const
/** Seconds per unit. */
export const timeUnits = { seconds: 1, minutes: 60, hours: 3_600 } as const

/** An amount as it is typed, empty for none, with its unit. */
export interface TypedAmount<Unit extends string> {
  amount: number | string
  unit: Unit
}

/** Returns the amount in the largest unit in which it is a whole number, or else in the smallest unit. */
export function inUnit<Unit extends string>(
  amount: number | null | undefined,
  units: Readonly<Record<Unit, number>>,
  usual: Unit,
): TypedAmount<Unit> {
  if (amount === undefined || amount === null || amount === 0) return { amount: amount ?? '', unit: usual }
  const fromLargest = (Object.keys(units) as Unit[]).toSorted((one, other) => units[other] - units[one])
  const unit = fromLargest.find((each) => amount % units[each] === 0) ?? fromLargest.at(-1) ?? usual
  return { amount: amount / units[unit], unit }
}

/** Returns the amount in bytes or seconds, rounded to a whole number, or null where none was typed. */
export function fromUnit<Unit extends string>(
  { amount, unit }: TypedAmount<Unit>,
  units: Readonly<Record<Unit, number>>,
): number | null {
  return typeof amount === 'number' ? Math.round(amount * units[unit]) : null
}
