/** Series on top of each other, as a chart draws them. */
import type { AlignedData } from 'uplot'

/** Tones of the theme for the series, from the first: neighbours differ in brightness, too. A stack has at most as many series. */
export const stackTones = ['running', 'waiting', 'done', 'attention', 'failed', 'idle'] as const

/** Returns the places of the periods, and the sums of the series up to each of them, the highest first. */
export function stackOf(series: readonly { amounts: readonly number[] }[], periods: number): AlignedData {
  const places = Array.from({ length: periods }, (_, at) => at)
  let below: readonly number[] = places.map(() => 0)
  const sums = series.map(({ amounts }) => (below = below.map((sum, at) => sum + (amounts[at] ?? 0))))
  return [places, ...sums.toReversed().map((each) => [...each])]
}
