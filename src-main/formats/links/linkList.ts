/** Collects the links of one document as they are found: resolved, checked, in order, without duplicates. */
import { queryEncoder } from './charset.ts'
import { finding, type Finding } from '../rules/finding.ts'

/** Kind of a link. `navigation`: the user may follow it. `embed`: the page needs it to look as intended. `sitemap`:
 *  a list of further addresses. */
export type LinkKind = 'navigation' | 'embed' | 'sitemap'

/** One link of a document. */
export interface Link {
  /** Absolute URL, serialised by the WHATWG rules, without fragment. */
  url: string
  kind: LinkKind
}

/** Maximum length of a URL. Servers should support at least 8,000 octets (RFC 9110, 4.1); longer URLs in practice
 *  are data or crawler traps. */
const urlCharactersMax = 8192

/** Links found so far; made by `linkList`. */
export interface LinkList {
  readonly links: Link[]
  readonly findings: Finding[]
  /** True when the maximum number of links is reached; the rest is ignored. */
  readonly full: boolean
  /** Adds a reference as written in the document. Empty references and those within the document are ignored. A URL
   *  that is both linked and embedded (a thumbnail that links to itself) becomes an `embed`, which is harvested
   *  whatever the scope is. `codebase` is the base of an object, itself relative to that of the document. */
  add(reference: string, kind: LinkKind, codebase?: string): void
  /** Sets the base. Only the first `base` element counts (HTML 4.2.3); `reference` is relative to the document. */
  setBase(reference: string | undefined): void
  /** Sets the charset in which the queries of further references are encoded. */
  encodeQueryAs(charset: string): void
}

/** Creates a list for the document at `documentUrl`, which accepts at most `linksMax` links. */
export function linkList(documentUrl: string, linksMax: number): LinkList {
  const links: Link[] = []
  const findings: Finding[] = []
  const known = new Map<string, Link>()
  // References as written, so that the same menu of fifty links is resolved once. Cleared when the base changes.
  const seen = new Set<string>()
  let base = documentUrl
  let baseSet = false
  let full = false
  let encodeQuery = queryEncoder('utf-8')

  function reportOnce(found: Finding): void {
    if (!findings.some((known) => known.rule === found.rule)) findings.push(found)
  }

  function keep(url: string, kind: LinkKind): void {
    const before = known.get(url)
    if (before) {
      if (kind === 'embed') before.kind = kind
      return
    }
    if (links.length >= linksMax) {
      full = true
      reportOnce(finding('tooManyLinks', { linksMax }))
      return
    }
    const link = { url, kind }
    known.set(url, link)
    links.push(link)
  }

  return {
    links,
    findings,
    get full() {
      return full
    },
    add(reference, kind, codebase) {
      if (full || leadsNowhere(reference)) return
      if (reference.length > urlCharactersMax) {
        reportOnce(finding('urlTooLong', { charactersMax: urlCharactersMax }))
        return
      }
      const key = codebase === undefined ? `${kind} ${reference}` : ''
      if (key && seen.has(key)) return
      if (key) seen.add(key)
      const url = URL.parse(encodeQuery(reference), codebase === undefined ? base : baseAt(codebase, base))
      if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return
      if (url.hash || url.href.endsWith('#')) url.hash = ''
      if (url.href.length > urlCharactersMax) {
        reportOnce(finding('urlTooLong', { charactersMax: urlCharactersMax }))
        return
      }
      keep(url.href, kind)
    },
    setBase(reference) {
      if (baseSet || reference === undefined) return
      baseSet = true
      base = baseAt(reference, documentUrl)
      seen.clear()
    },
    encodeQueryAs(charset) {
      encodeQuery = queryEncoder(charset)
    },
  }
}

/** Resolves a base. Returns `outer` when the reference is invalid or too long: a long one would be parsed again for
 *  every link. */
function baseAt(reference: string, outer: string): string {
  const url = reference.length > urlCharactersMax ? null : URL.parse(reference, outer)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : outer
}

/** Rejects references cheaply that are expensive for the URL parser to reject: a data URL of a megabyte, an anchor,
 *  a script. */
function leadsNowhere(reference: string): boolean {
  const first = reference.charCodeAt(0)
  if (Number.isNaN(first) || first === 0x23 /* # */) return true
  if (first === 0x64 || first === 0x44) return /^data:/i.test(reference.slice(0, 5))
  if (first === 0x6a || first === 0x4a) return /^javascript:/i.test(reference.slice(0, 11))
  return first <= 0x20 && reference.trim() === ''
}
