/** Runs that are abnormally small or large against the history of their harvest. Pure. */

/** What a run fetched. */
export interface RunSize {
  objects: number
  bytes: number
}

/** Why a run is abnormal. */
export interface Alarm {
  kind: 'small' | 'large'
  of: 'objects' | 'bytes'
  value: number
  /** Median of the earlier runs. */
  usual: number
}

/** Earlier runs that count: older ones say little about the sites of today. */
export const earlierMax = 5

/** Returns what is abnormal about a run. `earlier`: complete runs before it, the newest first. `factor`: ratio to the median of the
 *  earlier runs from which a run is abnormal, above 1. */
export function alarmsOf(run: RunSize, earlier: readonly RunSize[], factor: number): Alarm[] {
  const counted = earlier.slice(0, earlierMax)
  if (counted.length === 0) return []
  return (['objects', 'bytes'] as const).flatMap((of): Alarm[] => {
    const usual = medianOf(counted.map((each) => each[of]))
    const value = run[of]
    if (value * factor <= usual && value < usual) return [{ kind: 'small', of, value, usual }]
    return value >= usual * factor && value > usual ? [{ kind: 'large', of, value, usual }] : []
  })
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
