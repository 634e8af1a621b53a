/** Resources of a page in the groups that matter to curators: missing, wrong, from another harvest or from another time. Pure. */
import type { Setting } from '../../src-main/contract/services/settings.ts'
import type { Answer, ViewError } from '../../src-main/contract/services/viewer.ts'

/** Groups in the order of their importance for a curator. */
export const pageGroups = [
  'missing',
  'errors',
  'truncated',
  'inexact',
  'otherTime',
  'otherJobs',
  'sameJob',
  'own',
] as const
export type PageGroup = (typeof pageGroups)[number]

/** The setting `viewer.captureDistanceHoursMax` in milliseconds. No distance is too large before the settings are known. */
export function distanceMsMaxOf(settings: readonly Pick<Setting, 'path' | 'value'>[] | undefined): number {
  const hours = settings?.find(({ path }) => path === 'viewer.captureDistanceHoursMax')?.value
  return typeof hours === 'number' ? hours * 3_600_000 : Infinity
}

interface PageFacts {
  page: Answer | null
  errors: readonly ViewError[]
  /** Largest distance between a capture and the page's that counts as the same time. */
  distanceMsMax: number
}

/** Responses that are neither archived nor missing are Loupe's own: command pages, and refusals by access rules. */
export function groupOf(answer: Answer, { page, errors, distanceMsMax }: PageFacts): PageGroup {
  if (isUnreadable(answer)) return 'errors'
  if (!answer.found) return answer.by === 'missing' ? 'missing' : 'own'
  if (answer.status >= 400 || unreadableOf(answer, errors)) return 'errors'
  if (answer.truncated !== null) return 'truncated'
  if (answer.inexact.length > 0) return 'inexact'
  const apartMs = distanceMs(answer, page)
  if (apartMs !== null && Math.abs(apartMs) > distanceMsMax) return 'otherTime'
  return page !== null && sourceOf(answer) !== sourceOf(page) ? 'otherJobs' : 'sameJob'
}

/** The job of the capture, or its file if that belongs to no job. */
function sourceOf({ job, file }: Answer): number | string | null {
  return job ?? file
}

/** The URL was captured, but none of its captures can be read now. This is no miss of the harvest. */
export function isUnreadable({ by, status }: Answer): boolean {
  return by === 'missing' && status === 503
}

/** The error of a URL with an unreadable capture, even if another capture answered. */
export function unreadableOf({ url, view }: Answer, errors: readonly ViewError[]): ViewError | undefined {
  return errors.find((error) => error.kind === 'unreadable' && error.view === view && error.url === url)
}

/** Signed distance from the capture time of the page; null when one of them has no time. */
function distanceMs({ captured }: Answer, page: Answer | null): number | null {
  return captured === null || page === null || page.captured === null
    ? null
    : Date.parse(captured) - Date.parse(page.captured)
}

/** The largest distance first; captures without a time last. */
export function byDistance(answers: readonly Answer[], page: Answer | null): Answer[] {
  const apart = (answer: Answer) => {
    const signedMs = distanceMs(answer, page)
    return signedMs === null ? -1 : Math.abs(signedMs)
  }
  return answers.toSorted((one, other) => apart(other) - apart(one))
}

export interface Span {
  page: string
  first: string
  last: string
}

/** Time span of the captures of a page's parts; null where all are close to the page, or times are unknown. */
export function spanOf(
  answers: readonly Answer[],
  { page, distanceMsMax }: Pick<PageFacts, 'page' | 'distanceMsMax'>,
): Span | null {
  if (page === null || page.captured === null) return null
  const times = answers.flatMap(({ id, found, captured }) => (found && id !== page.id && captured ? [captured] : []))
  const sorted = [page.captured, ...times].toSorted((one, other) => Date.parse(one) - Date.parse(other))
  const [first, last] = [sorted[0] ?? page.captured, sorted.at(-1) ?? page.captured]
  const at = Date.parse(page.captured)
  if (Math.max(at - Date.parse(first), Date.parse(last) - at) <= distanceMsMax) return null
  return { page: page.captured, first, last }
}
