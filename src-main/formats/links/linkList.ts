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
  const seen: Record<LinkKind, Set<string>> = { navigation: new Set(), embed: new Set(), sitemap: new Set() }
  let base = baseOf(documentUrl)
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
      const target = withoutFragment(reference)
      if (codebase === undefined) {
        if (seen[kind].has(target)) return
        seen[kind].add(target)
      }
      const url = resolved(encodeQuery(target), codebase === undefined ? base : baseOf(baseAt(codebase, base.url)))
      if (url === undefined) return
      if (url.length > urlCharactersMax) {
        reportOnce(finding('urlTooLong', { charactersMax: urlCharactersMax }))
        return
      }
      keep(url, kind)
    },
    setBase(reference) {
      if (baseSet || reference === undefined) return
      baseSet = true
      base = baseOf(baseAt(reference, documentUrl))
      for (const references of Object.values(seen)) references.clear()
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
  return url && isHttp(url.href) ? url.href : outer
}

/** A base URL. Without a scheme of the Web, `root` and `folder` are empty. */
interface Base {
  url: string
  /** Scheme, credentials, host and port: all before the path. */
  root: string
  /** The URL up to the last slash of its path. */
  folder: string
}

function baseOf(url: string): Base {
  const parsed = URL.parse(url)
  if (!parsed || !isHttp(parsed.href)) return { url, root: '', folder: '' }
  const [address = ''] = parsed.href.split(/[?#]/, 1)
  const root = address.slice(0, address.length - parsed.pathname.length)
  return { url, root, folder: address.slice(0, address.lastIndexOf('/') + 1) }
}

/** References that the URL parser only appends to the root or the folder of the base: no scheme, no segment that is empty or
 *  begins with a dot, and nothing to encode. */
const plainReference = /^\/?[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*\/?(?:\?[\w.~=&+;,/-]*)?$/

/** Resolves a reference, without its fragment; undefined when it does not lead to the Web. Most references are plain, and the URL
 *  parser takes longer for one than everything else here. */
function resolved(reference: string, base: Base): string | undefined {
  if (base.root !== '' && plainReference.test(reference))
    return (reference.startsWith('/') ? base.root : base.folder) + reference
  const href = withoutFragment(URL.parse(reference, base.url)?.href ?? '')
  return isHttp(href) ? href : undefined
}

function isHttp(href: string): boolean {
  return href.startsWith('http:') || href.startsWith('https:')
}

/** Cuts the fragment off a reference. No other part of a URL can contain a number sign (URL Standard, 4.4). A space before
 *  it belongs to the path, and would be lost at the end of a reference. */
function withoutFragment(reference: string): string {
  const at = reference.indexOf('#')
  return at <= 0 || reference.charCodeAt(at - 1) <= 0x20 ? reference : reference.slice(0, at)
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
