/** The resources of a page as further responses arrive. */
import type { Answer } from '../../src-main/contract/services/viewer.ts'

/** Adds responses to those of a page and keeps the newest `most`. Browsers request an image again when they could not decode it: a URL
 *  with the same result is listed once. */
export function withLate(
  resources: readonly Answer[],
  { late, page, most }: { late: readonly Answer[]; page: Answer | null; most: number },
): Answer[] {
  const known = new Set(resources.map(resultOf))
  const further = late.filter((answer) => {
    const result = resultOf(answer)
    if (known.has(result)) return false
    known.add(result)
    return true
  })
  return [...resources, ...further.map((answer) => (answer.id === page?.id ? page : answer))].slice(-most)
}

/** What was requested, and what was found. */
function resultOf({ method, url, navigation, status, file, offset }: Answer): string {
  return JSON.stringify([method, url, navigation, status, file, offset])
}
