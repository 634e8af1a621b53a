/** Finds the references of lists of addresses: sitemaps (sitemaps.org 0.9 with the image, video and alternate
 *  extensions), sitemap indexes, RSS and Atom feeds. The caller unpacks `.xml.gz`.
 *
 *  htmlparser2's tokenizer is used in its XML mode. saxes was tried: after a bare `&`, the most frequent error of
 *  sitemaps, it takes everything up to the next `;` for an entity, and the addresses in between are lost. */
import { Tokenizer } from 'htmlparser2'
import { pageReferences } from './htmlLinks.ts'
import type { LinkKind, LinkList } from './linkList.ts'

/** Maximum length of an element's text: more than the longest URL that is kept. The text of a feed entry is HTML and
 *  has a limit of its own. */
const addressCharactersMax = 16_384
const entryCharactersMax = 1_048_576
const titleCharactersMax = 1000

/** An element of an XML document, at its end. */
export interface Element {
  /** Local name, because generators choose their own prefixes. */
  name: string
  parent: string
  attributes: Map<string, string>
  /** Text of the element itself, without that of its children. */
  text: string
}

/** Adds the references of a sitemap or a sitemap index to `list`. */
export function sitemapReferences(xml: string, list: LinkList): void {
  walk(xml, list, ({ name, parent, attributes, text }) => {
    if (name === 'loc') list.add(text, locationKind[parent] ?? 'navigation')
    // Google's extension for translations: <xhtml:link rel="alternate" hreflang="de" href="…"/> next to <loc>.
    else if (name === 'link') list.add(attributes.get('href') ?? '', 'navigation')
    else if (embeddingElements.has(name)) list.add(text, 'embed')
  })
}

/** Kind of a `loc` by its parent element. */
const locationKind: Record<string, LinkKind> = { sitemap: 'sitemap', url: 'navigation', image: 'embed' }
/** Elements of the video extension that hold a URL. */
const embeddingElements = new Set(['thumbnail_loc', 'content_loc', 'player_loc'])

/** Adds the references of a feed to `list`, and returns its title. */
export function feedReferences(xml: string, list: LinkList): string | undefined {
  let title: string | undefined
  walk(xml, list, (element) => {
    const { name, parent, attributes, text } = element
    if (name === 'title' && (parent === 'channel' || parent === 'feed')) title ??= oneLine(text)
    feedElement(element, list)
    // The text of an entry is HTML, escaped or in CDATA (RSS 2.0 `description`, RFC 4287, 3.1.1.2).
    const isHtml = attributes.get('type') === undefined || attributes.get('type')?.includes('html')
    if (htmlElements.has(name) && isHtml && text.includes('<')) pageReferences(text, list, 'html')
  })
  return title
}

/** Elements of feeds whose text is HTML. */
const htmlElements = new Set(['description', 'encoded', 'summary', 'content'])

/** Adds the reference of one element of a feed. */
function feedElement({ name, parent, attributes, text }: Element, list: LinkList): void {
  switch (name) {
    case 'link':
      list.add(attributes.get('href') ?? text, attributes.get('rel') === 'enclosure' ? 'embed' : 'navigation')
      break
    case 'comments':
      list.add(text, 'navigation')
      break
    case 'guid':
      // RSS 2.0: a guid is a permanent link unless it says otherwise; in practice it is often a number.
      if (attributes.get('isPermaLink') !== 'false' && /^https?:/i.test(text)) list.add(text, 'navigation')
      break
    case 'content':
      list.add(attributes.get('src') ?? attributes.get('url') ?? '', 'embed')
      break
    case 'enclosure':
    case 'thumbnail':
      list.add(attributes.get('url') ?? '', 'embed')
      break
    case 'image':
      list.add(attributes.get('href') ?? '', 'embed')
      break
    case 'icon':
    case 'logo':
      list.add(text, 'embed')
      break
    case 'url':
      if (parent === 'image') list.add(text, 'embed')
  }
}

/** Returns the lines that are not blank, without surrounding white space. */
export function addressLines(text: string): string[] {
  return text
    .replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)/, '')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Calls `closed` for every element when it ends, at any depth. */
export function walk(xml: string, list: { readonly full: boolean }, closed: (element: Element) => void): void {
  const open: Element[] = []
  let element: Element | undefined
  let attribute = ''
  let value = ''
  const addText = (text: string): void => {
    if (element && element.text.length < textCharactersMax(element)) element.text += text
  }
  const close = (): void => {
    open.pop()
    if (element) closed({ ...element, text: element.text.trim() })
    element = open.at(-1)
    if (list.full) tokenizer.pause()
  }
  const nothing = (): void => {}
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname(start, end) {
        element = {
          name: localName(xml.slice(start, end)),
          parent: element?.name ?? '',
          attributes: new Map(),
          text: '',
        }
        open.push(element)
      },
      onattribname(start, end) {
        attribute = xml.slice(start, end)
        value = ''
      },
      onattribdata: (start, end) => void (value += xml.slice(start, end)),
      onattribentity: (codePoint) => void (value += String.fromCodePoint(codePoint)),
      onattribend: () => void element?.attributes.set(attribute, value.trim()),
      onselfclosingtag: close,
      // The name in the end tag is ignored: a list with wrong nesting still yields its addresses.
      onclosetag: close,
      ontext: (start, end) => addText(xml.slice(start, end)),
      ontextentity: (codePoint) => addText(String.fromCodePoint(codePoint)),
      oncdata: (start, end, endOffset) => addText(xml.slice(start, end - endOffset)),
      onopentagend: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  )
  tokenizer.write(xml)
  tokenizer.end()
}

function textCharactersMax(element: Element): number {
  return htmlElements.has(element.name) ? entryCharactersMax : addressCharactersMax
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Joins white space to single blanks, and limits the length to that of a title. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, titleCharactersMax)
}
