/** Which of several captures under one key answers. Pure.
 *
 *  A key stands for several addresses (http and https, with and without www., parameters in another order). The nearest in time wins,
 *  whatever it says: at that moment the site did answer so. A site that moved to https is the same site before. But what was captured
 *  about then, as one harvest does, is told apart: first the very address that was asked, then the same under the other scheme, then
 *  the others, those of the asked scheme before those of the other. Only between captures equally near an answer (2xx, 3xx) goes
 *  before an error. */
import { sameVisitMs } from '../model/limits.ts'

interface Preferable {
  url: string
  timestampMs: number
  status: number | null
  offset: number
}

interface Wanted<Each> {
  url: string
  atMs: number
  /** Of the archive file; asked for only where nothing else decides. */
  nameOf: (capture: Each) => string
}

/** The best first. */
export function byPreference<Each extends Preferable>(captures: Each[], asked: Wanted<Each>): Each[] {
  if (captures.length < 2) return captures
  const distance = ({ timestampMs }: Each) => Math.abs(timestampMs - asked.atMs)
  const nearestMs = captures.reduce((least, each) => Math.min(least, distance(each)), Infinity)
  // Those of about then all go before those further away.
  const far = (each: Each) => (distance(each) - nearestMs > sameVisitMs ? distance(each) : 0)
  return captures.toSorted(
    (a, b) =>
      far(a) - far(b) ||
      urlDifference(a.url, asked.url) - urlDifference(b.url, asked.url) ||
      byDistance(a, b, asked.atMs) ||
      byName(asked.nameOf(b), asked.nameOf(a)) ||
      b.offset - a.offset,
  )
}

/** The best, where that takes no more to tell than when each was captured: all are of the very address, and no two that stand side
 *  by side are of one moment. Undefined: more has to be read and weighed. A fifth of the time of a lookup went into weighing these. */
export function plainlyNearest<Each extends Preferable>(
  captures: readonly Each[],
  { url, atMs }: Pick<Wanted<Each>, 'url' | 'atMs'>,
): Each | undefined {
  let [best, before]: (Each | undefined)[] = []
  for (const each of captures) {
    if (each.url !== url || each.timestampMs === before?.timestampMs) return undefined
    if (best === undefined || byDistance(each, best, atMs) < 0) best = each
    before = each
  }
  return best
}

/** Of what says the same about the address; 0: both are of one moment, and both errors or neither. */
function byDistance(a: Preferable, b: Preferable, atMs: number): number {
  return (
    Math.abs(a.timestampMs - atMs) - Math.abs(b.timestampMs - atMs) ||
    Number(isError(a)) - Number(isError(b)) ||
    b.timestampMs - a.timestampMs
  )
}

function byName(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function urlDifference(url: string, asked: string): number {
  if (url === asked) return 0
  const [colon, askedColon] = [url.indexOf(':'), asked.indexOf(':')]
  if (url.slice(colon) === asked.slice(askedColon)) return 1
  return url.slice(0, colon) === asked.slice(0, askedColon) ? 2 : 3
}

/** A revisit has no status of its own in some indexes; it stands for an answer that was kept. */
function isError({ status }: Preferable): boolean {
  return status !== null && (status < 200 || status > 399)
}
