/** Computes what the viewer must report for a visit, independently of it: from the records of an archive and the browser's requests.
 *  The only code of Loupe used is the key (SURT) under which addresses are considered equal. */
import { surt } from '../../../src-main/formats/cdx/surt.ts'
import type { Held } from './heldIn.ts'
import type { Asked, Visit } from './visit.ts'

/** What the viewer must report for a visit. */
export interface Truth {
  /** Requests for addresses that the archive does not hold, as `METHOD URL for REFERRER`. */
  missing: Set<string>
  /** The same, and requests that the browser may have made without reporting them. */
  mayBeMissing: Set<string>
  /** Addresses without a capture of their own that were answered with another one, without their queries, which may differ at every
   *  visit. */
  inexact: string[]
  /** Archived errors that were requested, as `STATUS URL`. */
  archivedErrors: Set<string>
  /** The same, and those of icons, which the browser may have requested without reporting it. */
  mayBeArchivedErrors: Set<string>
  /** Images and style sheets that are held completely, but are not shown on the page. */
  notShown: string[]
  /** Addresses of answers that came neither from a capture nor from the viewer. */
  notOfViewer: string[]
  /** The destinations for which each address was requested, in the terms of Fetch Metadata. */
  resourceTypes: Map<string, string[]>
  counts: Counts
}

/** Numbers of a visit, which are compared with lower bounds. */
export interface Counts {
  /** Number of pages and of the frames in them. */
  documents: number
  /** Images shown on the pages, counted once per place. */
  images: number
  styles: number
  missing: number
}

/** Compares the requests of a visit and what the pages show with the records of the archive. */
export function truthOf(held: readonly Held[], { asked, shown }: Visit): Truth {
  const answering = held.filter(({ type }) => type === 'response' || type === 'resource' || type === 'revisit')
  const byKey = Map.groupBy(answering, ({ url }) => surt(url))
  const isHeld = (url: string) => byKey.has(surt(url))
  const isHeldWith = (status: number, url: string) => byKey.get(surt(url))?.some((one) => one.status === status)
  const sent = asked.filter((request) => /^https?:/.test(request.url) && hasLeft(request))
  const lacking = sent.filter(({ url }) => !isHeld(url))
  const missing = new Set(lacking.filter((request) => !isInexact(request) && !request.isBrokenOff).map(inWords))
  const images = shown.flatMap((page) => page.images).filter(({ url }) => isHeldWith(200, url))
  const styles = shown.flatMap((page) => page.styles).filter(({ url }) => isHeldWith(200, url))
  const unasked = shown.flatMap(({ url, icons }) => icons.map((icon) => ({ method: 'GET', url: icon, referrer: url })))
  const archivedErrors = new Set(
    sent.flatMap(({ url, status = 0 }) =>
      status >= 400 && isHeldWith(status, url) ? [`${status} ${withoutFragment(url)}`] : [],
    ),
  )
  const errorsHeld = (url: string) =>
    (byKey.get(surt(url)) ?? []).flatMap(({ status = 0 }) =>
      status >= 400 ? [`${status} ${withoutFragment(url)}`] : [],
    )
  return {
    missing,
    mayBeMissing: new Set([...lacking, ...unasked.filter(({ url }) => !isHeld(url))].map(inWords)),
    inexact: [...new Set(lacking.filter(isInexact).map(({ url }) => url.replace(/[?#].*/s, '')))].toSorted(),
    archivedErrors,
    // A browser also requests /favicon.ico of a site on its own, once, at a time of its choice.
    mayBeArchivedErrors: new Set([
      ...archivedErrors,
      ...unasked.flatMap(({ url }) => errorsHeld(url)),
      ...shown.flatMap(({ url }) => errorsHeld(new URL('/favicon.ico', url).href)),
    ]),
    notShown: [
      ...images.flatMap(({ url, width }) => (width > 0 ? [] : [url])),
      ...styles.flatMap(({ url, hasRules }) => (hasRules ? [] : [url])),
    ],
    notOfViewer: sent.flatMap(({ url, fields }) => (isOfViewer(fields) ? [] : [url])),
    resourceTypes: new Map(
      [...Map.groupBy(sent, ({ url }) => withoutFragment(url))].map(([url, requests]) => [
        url,
        requests.flatMap(({ resourceType }) => destinations[resourceType] ?? resourceType),
      ]),
    ),
    counts: {
      documents: shown.length,
      images: images.filter(({ width }) => width > 0).length,
      styles: styles.filter(({ hasRules }) => hasRules).length,
      missing: missing.size,
    },
  }
}

/** Whether a request left the browser. It does not when the page's own policy forbids it or when the browser upgrades it to https,
 *  because it knows the host as one that requires https. */
function hasLeft({ failure, fields }: Asked): boolean {
  return failure !== 'csp' && !('non-authoritative-reason' in fields)
}

/** Whether an answer came from the viewer, by its header fields. For the answer to a beacon, and for a missing answer, the browser
 *  reports no fields. */
function isOfViewer(fields: Asked['fields']): boolean {
  return 'memento-datetime' in fields || 'x-loupe' in fields || Object.keys(fields).length === 0
}

function isInexact({ fields }: Asked): boolean {
  return 'x-loupe-inexact' in fields
}

function inWords({ method, url, referrer }: Pick<Asked, 'method' | 'url' | 'referrer'>): string {
  return `${method} ${withoutFragment(url)} for ${referrer}`
}

function withoutFragment(url: string): string {
  return url.replace(/#.*/s, '')
}

/** Resource types of the DevTools protocol that differ from the destinations of Fetch Metadata. */
const destinations: Readonly<Record<string, string[]>> = {
  stylesheet: ['style'],
  document: ['document', 'iframe', 'frame', 'object', 'embed'],
  media: ['video', 'audio', 'track'],
  xhr: ['empty'],
  fetch: ['empty'],
  ping: ['empty'],
  // Icons of a page, and what it loads in advance.
  other: ['image', 'empty', 'script', 'style', 'font', 'manifest', 'object', 'embed'],
}
