/** Reads a list of addresses entry by entry: sitemaps and sitemap indexes (sitemaps.org 0.9, also as plain text),
 *  RSS 0.9x, 1.0 and 2.0, Atom (RFC 4287). An entry keeps the title and the date that the list gives it. Other
 *  references of such a document are found by sitemap.ts; callers decide which entries are wanted. */
import { charsetOfXml, decoded } from './charset.ts'
import { pageReferences } from './htmlLinks.ts'
import { linkList, type LinkKind } from './linkList.ts'
import { isAddressList, rootElement, sniffedBytesMax, type LinkSource } from './links.ts'
import { addressLines, oneLine, walk, type Element } from './sitemap.ts'

/** One address of a list. */
export interface ListEntry {
  url: string
  /** `navigation`: a listed address; `embed`: a resource of a listed entry; `sitemap`: a further list. */
  kind: LinkKind
  title?: string
  /** Time of publication or change, in ISO 8601 when it could be parsed, otherwise as written. */
  date?: string
}

/** The entries of a list, in order. */
export interface ListEntries {
  /** `none`: the document is not a list. */
  form: 'sitemap' | 'feed' | 'none'
  title?: string
  entries: ListEntry[]
  /** URLs of older parts of the same feed (RFC 5005). */
  older: string[]
}

/** Maximum length of a date that is kept. */
const dateCharactersMax = 64

/** Returns the entries of a list, at most `linksMax` of `source`. */
export function listEntries(source: LinkSource): ListEntries {
  const text = decoded(source.body, charsetOfXml(source.body, source.charset))
  const start = text.slice(0, sniffedBytesMax)
  const root = rootElement(start)
  const reader = new ListReader(source)
  if (root === 'urlset' || root === 'sitemapindex') return reader.sitemap(text)
  if (root === 'rss' || root === 'feed' || root === 'rdf') return reader.feed(text)
  return isAddressList(start) ? reader.lines(text) : { form: 'none', entries: [], older: [] }
}

/** State of the entry whose element is still open. */
interface OpenEntry {
  link?: string
  /** Address to use when the entry has no link. */
  otherwise?: string
  title?: string
  date?: string
  embeds: string[]
}

/** Collects the entries of one list. */
class ListReader {
  #url: string
  #entriesMax: number
  #entries: ListEntry[] = []
  #older: string[] = []
  #title: string | undefined
  #open: OpenEntry = { embeds: [] }

  constructor({ url, linksMax }: LinkSource) {
    this.#url = url
    this.#entriesMax = linksMax
  }

  get full(): boolean {
    return this.#entries.length >= this.#entriesMax
  }

  sitemap(text: string): ListEntries {
    walk(text, this, (element) => this.#inSitemap(element))
    return { form: 'sitemap', entries: this.#entries, older: [] }
  }

  feed(text: string): ListEntries {
    walk(text, this, (element) => this.#inFeed(element))
    const title = this.#title ? { title: this.#title } : {}
    return { form: 'feed', ...title, entries: this.#entries, older: [...new Set(this.#older)] }
  }

  lines(text: string): ListEntries {
    for (const line of addressLines(text)) this.#add({ kind: 'navigation', url: line })
    return { form: 'sitemap', entries: this.#entries, older: [] }
  }

  #inSitemap({ name, parent, text }: Element): void {
    if (name === 'loc' && parent === 'image') this.#open.embeds.push(text)
    else if (name === 'loc') this.#open.link ??= text
    else if (name === 'lastmod') this.#open.date ??= text
    else if (name === 'thumbnail_loc' || name === 'content_loc') this.#open.embeds.push(text)
    else if (name === 'url') this.#close('navigation')
    else if (name === 'sitemap') this.#close('sitemap')
  }

  #inFeed(element: Element): void {
    const { name, parent, attributes, text } = element
    const inEntry = parent === 'item' || parent === 'entry'
    if (name === 'item' || name === 'entry') {
      this.#open.otherwise ??= attributes.get('rdf:about') ?? ''
      this.#close('navigation')
    } else if (inEntry || entryGroups.has(parent)) this.#inEntry(element)
    else if (name === 'title') this.#title ??= oneLine(withoutTags(text))
    else if (name === 'link' && olderRelations.has(attributes.get('rel') ?? '')) {
      const older = this.#resolved(attributes.get('href') ?? '')
      if (older !== undefined) this.#older.push(older)
    }
  }

  #inEntry({ name, attributes, text }: Element): void {
    const open = this.#open
    const embedded = attributes.get('url') ?? attributes.get('src')
    if (name === 'link') this.#linkOf(attributes, text)
    else if (name === 'title') open.title ??= oneLine(withoutTags(text))
    // When both dates are given, the date of publication is used.
    else if (name === 'pubDate' || name === 'published' || name === 'issued') open.date = text
    else if (name === 'date' || name === 'updated' || name === 'modified') open.date ??= text
    else if (name === 'guid' && attributes.get('isPermaLink') !== 'false') open.otherwise ??= text
    else if (name === 'id') open.otherwise ??= text
    else if (name === 'enclosure' || name === 'thumbnail') open.embeds.push(embedded ?? '')
    else if (htmlElements.has(name)) this.#inHtml(text, embedded)
  }

  #linkOf(attributes: Map<string, string>, text: string): void {
    const href = attributes.get('href') ?? text
    const relation = attributes.get('rel') ?? 'alternate'
    if (relation === 'alternate') this.#open.link ??= href
    if (relation === 'enclosure') this.#open.embeds.push(href)
  }

  /** Reads the HTML text of an entry: embedded resources belong to the entry, links do not. */
  #inHtml(text: string, embedded: string | undefined): void {
    if (embedded !== undefined) this.#open.embeds.push(embedded)
    if (!text.includes('<')) return
    const list = linkList(this.#url, this.#entriesMax)
    pageReferences(text, list, 'html')
    for (const { url, kind } of list.links) if (kind === 'embed') this.#open.embeds.push(url)
  }

  /** Adds the entry that has ended, and its embedded resources. */
  #close(kind: 'navigation' | 'sitemap'): void {
    const { link, otherwise, title, date, embeds } = this.#open
    this.#open = { embeds: [] }
    this.#add({
      kind,
      url: link || otherwise || '',
      ...(title ? { title } : {}),
      ...(date ? { date: isoDate(date) } : {}),
    })
    for (const url of new Set(embeds)) this.#add({ kind: 'embed', url })
  }

  #add(entry: ListEntry): void {
    const url = this.#resolved(entry.url)
    if (url !== undefined && !this.full) this.#entries.push({ ...entry, url })
  }

  /** Returns the absolute URL without fragment; undefined for addresses that cannot be fetched, such as `tag:`
   *  identifiers and empty links. */
  #resolved(text: string): string | undefined {
    if (text === '') return undefined
    const url = URL.parse(text, this.#url)
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
    url.hash = ''
    return url.href
  }
}

/** Elements that group parts of an entry (Media RSS). */
const entryGroups = new Set(['group', 'content'])
/** Elements of an entry whose text is HTML. */
const htmlElements = new Set(['description', 'encoded', 'summary', 'content'])
/** Relations of links to older parts of a feed (RFC 5005, 3 and 4). */
const olderRelations = new Set(['next', 'prev-archive'])

function withoutTags(text: string): string {
  return text.replace(/<[^<>]*>/g, ' ')
}

/** Converts a date to ISO 8601. A date without a time stays a date. */
function isoDate(text: string): string {
  const written = oneLine(text).slice(0, dateCharactersMax)
  if (/^\d{4}(-\d\d){0,2}$/.test(written)) return written
  const ms = Date.parse(written)
  return Number.isNaN(ms) ? written : new Date(ms).toISOString()
}
