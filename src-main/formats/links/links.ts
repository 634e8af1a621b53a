/** Extracts the absolute URLs that a document links to or loads: HTML, XHTML, SVG, CSS, sitemaps and feeds. The
 *  caller provides the decoded entity. Which links are followed is decided elsewhere (see crawl), and URLs that
 *  only a running script would build are not found. */
import type { Finding } from '../rules/finding.ts'
import { beginning, charsetOfStyleSheet, charsetOfXml, charsetOfPage, decoded } from './charset.ts'
import { styleSheetReferences } from './cssLinks.ts'
import { pageReferences } from './htmlLinks.ts'
import { linkList, type Link } from './linkList.ts'
import { addressLines, feedReferences, sitemapReferences } from './sitemap.ts'

export type { Link } from './linkList.ts'

/** A document whose links are extracted. */
export interface LinkSource {
  /** URL of the document after redirects. */
  url: string
  /** Media type as sent by the server, with or without parameters; empty when missing. */
  mediaType: string
  charset?: string | undefined
  /** Decoded entity; the caller limits its length. */
  body: Uint8Array
  linksMax: number
}

/** Kinds of documents for callers. `sitemap` and `feed` are lists, `other` has no links. */
export type DocumentKind = 'html' | 'css' | 'sitemap' | 'feed' | 'other'

/** Links of a document, at most `linksMax` of them. */
export interface ExtractedLinks {
  links: Link[]
  title?: string
  findings: Finding[]
  kind: DocumentKind
}

/** Number of bytes examined to detect the kind of a document: enough for a byte order mark, a prolog, a doctype and
 *  a long licence comment. */
export const sniffedBytesMax = 2048

/** How a document is read. */
export type Shape = 'page' | 'xmlPage' | 'image' | 'styleSheet' | 'sitemap' | 'addressList' | 'feed' | 'other'

const kindOf: Record<Shape, DocumentKind> = {
  page: 'html',
  xmlPage: 'html',
  // An SVG image loads other images and styles, but it is not a page.
  image: 'other',
  styleSheet: 'css',
  sitemap: 'sitemap',
  addressList: 'sitemap',
  feed: 'feed',
  other: 'other',
}

/** Extracts the links of a document. Never throws, whatever the bytes are. */
export function extractLinks(source: LinkSource): ExtractedLinks {
  const shape = shapeOf(source)
  const kind = kindOf[shape]
  const list = linkList(source.url, source.linksMax)
  if (shape === 'other') return { links: list.links, findings: list.findings, kind }
  const charset = charsetOf(shape, source)
  const text = decoded(source.body, charset)
  // HTML 2.5.1: the query of a link is encoded in the charset of its document; sitemaps and feeds require UTF-8.
  list.encodeQueryAs(charset)
  const title = references(shape, text, list)
  return { links: list.links, findings: list.findings, kind, ...(title ? { title } : {}) }
}

/** Adds the references of a document to the list. Returns its title, where its kind has one. */
function references(shape: Shape, text: string, list: ReturnType<typeof linkList>): string | undefined {
  switch (shape) {
    case 'page':
      return pageReferences(text, list, 'html')
    case 'xmlPage':
    case 'image':
      return pageReferences(text, list, 'xml')
    case 'styleSheet':
      return void styleSheetReferences(text, (reference) => list.add(reference, 'embed'))
    case 'sitemap':
      return void sitemapReferences(text, list)
    case 'feed':
      return feedReferences(text, list)
    case 'addressList':
      return void addressLines(text).forEach((line) => list.add(line, 'navigation'))
    case 'other':
      return undefined
  }
}

function charsetOf(shape: Shape, { body, charset }: LinkSource): string {
  if (shape === 'page') return charsetOfPage(body, charset)
  if (shape === 'styleSheet') return charsetOfStyleSheet(body, charset)
  return charsetOfXml(body, charset)
}

/** Determines the kind of a document. The media type decides; the bytes decide when it is missing, meaningless, or
 *  one that servers send for everything (text/html, text/plain). XML is identified only by its root element. */
export function shapeOf({ url, mediaType, charset, body }: LinkSource): Shape {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()
  const start = beginning(body, charset, sniffedBytesMax)
  if (essence === 'text/css') return 'styleSheet'
  if (essence === 'image/svg+xml') return 'image'
  if (essence === 'application/xhtml+xml') return 'xmlPage'
  if (essence === 'text/html') return isBinary(start) ? 'other' : (shapeOfList(start) ?? 'page')
  if (isXml(essence)) return shapeOfXml(start) ?? 'other'
  if (essence !== '' && essence !== 'text/plain' && essence !== 'application/octet-stream') return 'other'
  return shapeOfBytes(start, url, essence)
}

function shapeOfBytes(start: string, url: string, essence: string): Shape {
  if (isBinary(start)) return 'other'
  const list = shapeOfList(start)
  if (list) return list
  if (pathOf(url).endsWith('.css')) return 'styleSheet'
  // A list of nothing but addresses is the text form of sitemaps (sitemaps.org, "Text file").
  if (isAddressList(start)) return 'addressList'
  // A browser shows text/plain as text and saves octet-stream: addresses in them are not links.
  return essence === '' && looksLikePage(start) ? 'page' : 'other'
}

function shapeOfXml(start: string): Shape | undefined {
  const root = rootElement(start)
  if (root === 'svg') return 'image'
  return root === 'html' ? 'xmlPage' : shapeOfList(start)
}

/** Recognises sitemaps and feeds. They are often sent as text/html, and nothing else begins like them. */
function shapeOfList(start: string): 'sitemap' | 'feed' | undefined {
  const root = rootElement(start)
  if (root === 'urlset' || root === 'sitemapindex') return 'sitemap'
  return root === 'rss' || root === 'feed' || root === 'rdf' ? 'feed' : undefined
}

/** Returns the local name of the first element in lower case; empty when the text does not begin with markup. The
 *  regular expressions run on `sniffedBytesMax` characters, so a hostile beginning takes bounded time. */
export function rootElement(start: string): string {
  let at = 0
  for (;;) {
    at += /^[\s\u00ef\u00bb\u00bf]*/.exec(start.slice(at))?.[0].length ?? 0
    const closer = start.startsWith('<!--', at) ? '-->' : /^<[?!]/.test(start.slice(at, at + 2)) ? '>' : undefined
    if (!closer) break
    const end = start.indexOf(closer, at)
    if (end < 0) return ''
    at = end + closer.length
  }
  const name = /^<(?:[\w.-]+:)?([\w.-]+)/.exec(start.slice(at))?.[1]
  return name?.toLowerCase() ?? ''
}

function isXml(essence: string): boolean {
  return essence === 'text/xml' || essence === 'application/xml' || essence.endsWith('+xml')
}

/** Returns true when the text contains a binary data byte (MIME Sniffing Standard, 3). */
export function isBinary(start: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these bytes are what is looked for
  return /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(start)
}

/** Returns true when the text begins with a tag or a comment, as all signatures of MIME Sniffing 7.1 do. */
function looksLikePage(start: string): boolean {
  return /^[\s\u00ef\u00bb\u00bf]*<(?:!doctype html|!--|\?xml|[a-z])/i.test(start)
}

/** Returns true when every line is an http or https URL. */
export function isAddressList(start: string): boolean {
  const lines = addressLines(start)
  // The last line may be cut by the limit of `sniffedBytesMax`.
  const whole = start.length === sniffedBytesMax ? lines.slice(0, -1) : lines
  return whole.length > 0 && whole.every((line) => /^https?:\/\/[^\s<>"]+$/i.test(line))
}

function pathOf(url: string): string {
  return (URL.parse(url)?.pathname ?? '').toLowerCase()
}
