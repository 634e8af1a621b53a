/** How likely it is that a page is displayed wrongly, as a number from 0 to 100 by which pages are sorted. Pure. */

/** What is known of a page. Differences are parts from 0 to 1; null: not compared. */
export interface RiskFigures {
  status: number | null
  missing: number
  bad: number
  consoleErrors: number
  textCharacters: number
  pixelDifference: number | null
  textDifference: number | null
  isLoaded: boolean
}

/** The risk of a page that is an error itself, or that could not be audited. */
export const fullRisk = 100

/** Each kind of fault has a share that it can reach, and half of it at `half`. A page that is itself an error has all. */
const shares = { missing: { most: 35, half: 3 }, bad: { most: 15, half: 3 }, consoleErrors: { most: 10, half: 2 } }
const pixelShare = 20
const textShare = 20
const emptyShare = 20
const unloadedShare = 5

/** Text of a page that was compared with nothing: below this it is probably empty, because a script failed. */
const emptyCharacters = 50

/** Returns the risk, with one decimal. */
export function riskOf(page: RiskFigures): number {
  if (page.status === null || page.status >= 400) return fullRisk
  const counted = (['missing', 'bad', 'consoleErrors'] as const).reduce((sum, fault) => {
    const { most, half } = shares[fault]
    return sum + (most * page[fault]) / (page[fault] + half)
  }, 0)
  const text =
    page.textDifference === null
      ? Math.max(0, 1 - page.textCharacters / emptyCharacters) * emptyShare
      : page.textDifference * textShare
  // Most of a page is background: a tenth of the pixels is much.
  const pixels = Math.min(1, (page.pixelDifference ?? 0) * 5) * pixelShare
  const risk = counted + text + pixels + (page.isLoaded ? 0 : unloadedShare)
  return Math.round(Math.min(risk, 99) * 10) / 10
}
