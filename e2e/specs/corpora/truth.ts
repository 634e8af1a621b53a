/** What the viewer has to say of a visit, worked out without it: from what an archive holds and what the browser asked for. The only
 *  thing of Loupe in it is the key under which addresses are one. */
import { surt } from '../../../src-main/formats/cdx/surt.ts'
import type { Held } from './heldIn.ts'
import type { Asked, Visit } from './visit.ts'

export interface Truth {
  /** `METHOD URL for REFERRER`, as the others. */
  missing: Set<string>
  /** With those of which the browser does not say whether it asked for them. */
  mayBeMissing: Set<string>
  /** Addresses that are not held, and for which another answers, without their queries: those may be new at each visit. */
  inexact: string[]
  /** `STATUS URL`. */
  archivedErrors: Set<string>
  /** With those of icons, of which the browser does not say whether it asked for them. */
  mayBeArchivedErrors: Set<string>
  /** Images and styles that are held whole, and are not on the page. */
  notShown: string[]
  /** Answers that neither a capture nor the viewer gave. */
  notOfViewer: string[]
  /** By address: for what it was asked, in the words of Fetch Metadata. */
  resourceTypes: Map<string, string[]>
  counts: Counts
}

export interface Counts {
  /** Pages, and frames in them. */
  documents: number
  /** On the pages, once for each place. */
  images: number
  styles: number
  missing: number
}

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
    // A browser also requests /favicon.ico of a site by itself, once, at a time of its choice.
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

/** What the browser did with a request by itself: forbidden by the page's own policy, or sent on to https, since it knows the host as
 *  one that wants it. */
function hasLeft({ failure, fields }: Asked): boolean {
  return failure !== 'csp' && !('non-authoritative-reason' in fields)
}

/** By what it says in its head; of a beacon's answer, and of none, the browser tells nothing. */
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

/** Of the DevTools protocol's words, those that are others. */
const destinations: Readonly<Record<string, string[]>> = {
  stylesheet: ['style'],
  document: ['document', 'iframe', 'frame', 'object', 'embed'],
  media: ['video', 'audio', 'track'],
  xhr: ['empty'],
  fetch: ['empty'],
  ping: ['empty'],
  // Icons of a page, what it prepares for later.
  other: ['image', 'empty', 'script', 'style', 'font', 'manifest', 'object', 'embed'],
}
