/** Finds the links and embedded resources of a page from its tags in one pass. Scripts are not covered (a URL that a
 *  program builds is found by running it, not by reading it), nor is the tree of the page built.
 *
 *  htmlparser2's tokenizer is used without its parser. The parser keeps the stack of open elements and searches it
 *  at every end tag, which is quadratic for a page of 200,000 `<b>` followed by as many `</i>`; links need no tree.
 *  Entities are decoded only in the values that are used, so that the tokenizer may jump from quote to quote (240
 *  MB/s instead of 155). `extractLinks` as a whole reads 7,400 pages/s of 7 kB with 53 links each on one core. */
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { styleSheetReferences } from './cssLinks.ts'
import type { LinkKind, LinkList } from './linkList.ts'

/** Maximum depth of HTML inside HTML: srcdoc, conditional comments, noframes. Browsers nest srcdoc without a limit,
 *  but no real page does. */
const nestingMax = 3
const titleCharactersMax = 1000

/** Adds the references of a page to `list`, and returns its title. `syntax` decides whether `<script/>` is closed
 *  and whether CDATA is text. */
export function pageReferences(text: string, list: LinkList, syntax: 'html' | 'xml'): string | undefined {
  const reader = new PageReader(text, list, syntax, 0)
  return reader.read()
}

type Attributes = Map<string, string>
type Add = (reference: string, kind: LinkKind, base?: string) => void

/** Meaning of an attribute's value. `candidates` is a srcset; `lazy` and `lazyCandidates` are attributes of lazy
 *  loading scripts; `page` is HTML. */
type Holds = LinkKind | 'candidates' | 'style' | 'lazy' | 'lazyCandidates' | 'page'

/** Attributes that count on any element. `background` is used on body, table, tr and td; `style` and the lazy
 *  loading attributes on every element. The data- names are those of the common lazy loading scripts (lazysizes,
 *  lozad, jQuery Lazy, WordPress plug-ins). */
const anywhere = new Map<string, Holds>([
  ['background', 'embed'],
  ['style', 'style'],
  ['data-src', 'lazy'],
  ['data-original', 'lazy'],
  ['data-lazy', 'lazy'],
  ['data-lazy-src', 'lazy'],
  ['data-bg', 'lazy'],
  ['data-background', 'lazy'],
  ['data-background-image', 'lazy'],
  ['data-poster', 'lazy'],
  ['data-srcset', 'lazyCandidates'],
  ['data-lazy-srcset', 'lazyCandidates'],
  ['data-original-set', 'lazyCandidates'],
])

const source: [string, Holds] = ['src', 'embed']
const cite: [string, Holds][] = [['cite', 'navigation']]
const svgReference: [string, Holds][] = [
  ['href', 'embed'],
  ['xlink:href', 'embed'],
]

/** Attributes by element, with the meaning of each: those of HTML 4.01, HTML (Living Standard), SVG 2, and Netscape. */
const elements = new Map<string, Map<string, Holds>>(
  Object.entries<[string, Holds][]>({
    a: [
      ['href', 'navigation'],
      ['xlink:href', 'navigation'],
    ],
    area: [['href', 'navigation']],
    img: [source, ['srcset', 'candidates'], ['lowsrc', 'embed'], ['dynsrc', 'embed'], ['longdesc', 'navigation']],
    // The image element of SVG, and an old second name of img; browsers support both.
    image: [source, ['srcset', 'candidates'], ...svgReference],
    source: [source, ['srcset', 'candidates']],
    video: [source, ['poster', 'embed']],
    audio: [source],
    track: [source],
    embed: [source],
    bgsound: [source],
    script: [source, ...svgReference],
    iframe: [source, ['srcdoc', 'page'], ['longdesc', 'navigation']],
    frame: [source, ['longdesc', 'navigation']],
    input: [source],
    blockquote: cite,
    q: cite,
    ins: cite,
    del: cite,
    html: [['manifest', 'embed']],
    use: svgReference,
    feimage: svgReference,
    'font-face-uri': svgReference,
  }).map(([name, attributes]) => [name, new Map(attributes)]),
)

/** Elements whose attributes have to be read together. */
const whole = new Map<string, (attributes: Attributes, add: Add, list: LinkList) => void>([
  ['base', (attributes, _, list) => list.setBase(attributes.get('href'))],
  ['link', linkElement],
  ['meta', metaElement],
  ['form', (attributes, add) => formTarget(attributes.get('action'), attributes.get('method'), add)],
  ['button', (attributes, add) => formTarget(attributes.get('formaction'), attributes.get('formmethod'), add)],
  ['object', objectElement],
  ['applet', appletElement],
  ['param', paramElement],
])

/** Elements whose content browsers do not parse as elements, but which may contain references or the title. */
const rawElements = new Set(['style', 'title', 'noframes', 'noembed'])

/** The frequent start tags that end foreign content, however many `svg` are still open (HTML 13.2.6.5). */
const breakouts = new Set([
  'body',
  'br',
  'center',
  'div',
  'dl',
  'h1',
  'h2',
  'h3',
  'h4',
  'img',
  'li',
  'p',
  'pre',
  'span',
  'table',
  'ul',
])

class PageReader implements TokenizerCallbacks {
  readonly #text: string
  readonly #list: LinkList
  readonly #syntax: 'html' | 'xml'
  readonly #depth: number
  readonly #tokenizer: Tokenizer
  readonly #add: Add
  #title: string | undefined
  /** Name of the tag that is being read. */
  #tag = ''
  #rules: Map<string, Holds> | undefined
  #attributes: Attributes | undefined
  /** Name of the attribute that is being read, empty when its value is not needed. */
  #attribute = ''
  // Meaning of that attribute.
  #holds: Holds | undefined
  #value = ''
  /** Attributes of this tag that have been read: the first of two with the same name counts (HTML 13.2.5.33). */
  #taken: string[] = []
  /** Name of the raw element whose text is being read; empty for none. */
  #inside = ''
  /** Number of open `svg` and `math` elements: inside them `<style/>` is closed and does not consume the rest of the
   *  page. */
  #foreign = 0

  constructor(text: string, list: LinkList, syntax: 'html' | 'xml', depth: number) {
    this.#text = text
    this.#list = list
    this.#syntax = syntax
    this.#depth = depth
    this.#add = (reference, kind, base) => list.add(reference, kind, base)
    this.#tokenizer = new Tokenizer({ xmlMode: syntax === 'xml', decodeEntities: false }, this)
  }

  read(): string | undefined {
    this.#tokenizer.write(this.#text)
    this.#tokenizer.end()
    return this.#title
  }

  isInForeignContext(): boolean {
    return this.#foreign > 0
  }

  onopentagname(start: number, end: number): void {
    this.#tag = lowerCase(this.#text.slice(start, end))
    this.#taken.length = 0
    this.#rules = elements.get(this.#tag)
    this.#attributes = whole.has(this.#tag) ? new Map() : undefined
    if (this.#foreign > 0 && breakouts.has(this.#tag)) this.#foreign = 0
  }

  onattribname(start: number, end: number): void {
    const name = lowerCase(this.#text.slice(start, end))
    this.#holds = this.#rules?.get(name) ?? anywhere.get(name)
    const wanted = (this.#holds !== undefined || this.#attributes !== undefined) && !this.#taken.includes(name)
    this.#attribute = wanted ? name : ''
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute !== '') this.#value += this.#text.slice(start, end)
  }

  onattribend(quote: QuoteType): void {
    const name = this.#attribute
    if (name === '') return
    this.#attribute = ''
    // The limit keeps the search for duplicates from being quadratic in a tag of 100,000 different attributes.
    if (this.#taken.length < attributesMax) this.#taken.push(name)
    if (quote === QuoteType.NoValue) return
    const value = withEntities(this.#value)
    if (this.#holds !== undefined) this.#reference(this.#holds, value)
    else this.#attributes?.set(name, value)
  }

  onopentagend(): void {
    this.#endTag()
    // The title of a picture is not the title of the page that contains it.
    const pictureTitle = this.#tag === 'title' && this.#foreign > 0 && this.#syntax === 'html'
    if (rawElements.has(this.#tag) && !pictureTitle) this.#inside = this.#tag
    if (this.#tag === 'svg' || this.#tag === 'math') this.#foreign++
  }

  onselfclosingtag(): void {
    this.#endTag()
  }

  onclosetag(start: number, end: number): void {
    this.#inside = ''
    if (this.#foreign === 0) return
    const name = lowerCase(this.#text.slice(start, end))
    if (name === 'svg' || name === 'math') this.#foreign--
  }

  ontext(start: number, end: number): void {
    if (this.#inside !== '') this.#rawText(this.#text.slice(start, end))
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.ontext(start, end - endOffset)
  }

  /** Reads conditional comments, `<!--[if lt IE 9]> … <![endif]-->`: for the browsers of their time they were part
   *  of the page. */
  oncomment(start: number, end: number, endOffset: number): void {
    if (this.#text.startsWith('[if', start)) this.#nested(this.#text.slice(start, end - endOffset))
  }

  /** Reads `<?xml-stylesheet href="…"?>` (xml-stylesheet 1.0). */
  onprocessinginstruction(start: number, end: number): void {
    const instruction = this.#text.slice(start, Math.min(end, start + instructionCharactersMax))
    if (!instruction.startsWith('xml-stylesheet')) return
    const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(instruction)
    if (href) this.#add(withEntities(href[1] ?? href[2] ?? ''), 'embed')
  }

  // These tokens contain no references; entities are not reported because the tokenizer does not decode them.
  ondeclaration(): void {}
  onend(): void {}
  onattribentity(): void {}
  ontextentity(): void {}

  #endTag(): void {
    if (this.#attributes) whole.get(this.#tag)?.(this.#attributes, this.#add, this.#list)
    this.#attributes = undefined
    if (this.#list.full) this.#tokenizer.pause()
  }

  #rawText(text: string): void {
    if (this.#inside === 'style') this.#style(text)
    else if (this.#inside === 'title') this.#title ??= oneLine(withEntities(text.slice(0, titleCharactersMax)))
    else this.#nested(text)
  }

  #style(css: string): void {
    styleSheetReferences(css, (reference) => this.#add(reference, 'embed'))
  }

  #nested(text: string): void {
    if (this.#depth >= nestingMax) return
    new PageReader(text, this.#list, 'html', this.#depth + 1).read()
  }

  #reference(holds: Holds, value: string): void {
    switch (holds) {
      case 'style':
        return this.#style(value)
      case 'candidates':
        return candidates(value).forEach((url) => this.#add(url, 'embed'))
      case 'lazyCandidates':
        return candidates(value)
          .filter(isPlausible)
          .forEach((url) => this.#add(url, 'embed'))
      case 'lazy':
        return isPlausible(value) ? this.#add(value, 'embed') : undefined
      case 'page':
        return this.#nested(value)
      default:
        return this.#add(value, holds)
    }
  }
}

/** Number of attributes of a tag that are checked for duplicates: far more than real tags have, and few enough for a
 *  linear search. */
const attributesMax = 64
const instructionCharactersMax = 16_384

/** Relations whose target the browser loads for this page (HTML 4.6.7 and the icons of the vendors). */
const loadedRelations = new Set([
  ...[
    'stylesheet',
    'icon',
    'apple-touch-icon',
    'apple-touch-icon-precomposed',
    'apple-touch-startup-image',
    'mask-icon',
  ],
  ...['fluid-icon', 'preload', 'modulepreload', 'manifest', 'image_src', 'import'],
])
/** Relations that name a host or an endpoint rather than a document. */
const relationsToNothing = new Set(['dns-prefetch', 'preconnect', 'pingback', 'webmention'])

function linkElement(attributes: Attributes, add: Add): void {
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/)
  const loaded = relations.some((relation) => loadedRelations.has(relation))
  for (const url of candidates(attributes.get('imagesrcset') ?? '')) add(url, 'embed')
  if (!loaded && relations.some((relation) => relationsToNothing.has(relation))) return
  add(attributes.get('href') ?? '', loaded ? 'embed' : 'navigation')
}

/** Names of `meta` elements with pictures that other sites show for this page; for quality assurance they belong to
 *  it. */
const pictureNames =
  /^(?:og:(?:image|video|audio)(?::url|:secure_url)?|twitter:image(?::src)?|msapplication-(?:tileimage|config|\w+logo)|image|thumbnailurl)$/

function metaElement(attributes: Attributes, add: Add): void {
  const content = attributes.get('content') ?? ''
  if (attributes.get('http-equiv')?.trim().toLowerCase() === 'refresh') return add(refreshTarget(content), 'navigation')
  const name = attributes.get('property') ?? attributes.get('name') ?? attributes.get('itemprop') ?? ''
  const lower = name.trim().toLowerCase()
  if (lower === 'og:url') add(content, 'navigation')
  else if (pictureNames.test(lower) && isPlausible(content)) add(content, 'embed')
}

/** Returns the address of a refresh (HTML 4.2.5.3): a time, then optionally `url=`, then optionally quotes. Empty
 *  when there is only a time. */
function refreshTarget(content: string): string {
  const rest = /^\s*[\d.]*\s*[;,\s]\s*([^]*)$/.exec(content.slice(0, instructionCharactersMax))?.[1] ?? ''
  const target = rest.replace(/^url\s*=\s*/i, '')
  const quote = target[0]
  if (quote !== '"' && quote !== "'") return target.trim()
  const end = target.indexOf(quote, 1)
  return target.slice(1, end < 0 ? undefined : end)
}

/** Adds the action of a GET form as written: values for the fields are not invented. */
function formTarget(action: string | undefined, method: string | undefined, add: Add): void {
  if (action !== undefined && (method ?? 'get').trim().toLowerCase() === 'get') add(action, 'navigation')
}

function objectElement(attributes: Attributes, add: Add): void {
  const codebase = attributes.get('codebase')
  add(attributes.get('data') ?? '', 'embed', codebase)
  for (const archive of (attributes.get('archive') ?? '').split(/\s+/)) add(archive, 'embed', codebase)
}

/** Adds the files of an applet (HTML 4.01, 13.4): `code` is a class file, with or without its extension; `archive`
 *  is a list separated by commas. */
function appletElement(attributes: Attributes, add: Add): void {
  const codebase = attributes.get('codebase')
  const code = attributes.get('code') ?? ''
  if (code !== '') add(code.endsWith('.class') ? code : `${code}.class`, 'embed', codebase)
  for (const archive of (attributes.get('archive') ?? '').split(',')) add(archive.trim(), 'embed', codebase)
}

/** Parameter names for the media file of the plug-ins Flash, QuickTime, RealPlayer and Windows Media. */
const fileParameters = new Set(['movie', 'src', 'filename', 'url', 'data', 'file', 'source'])

function paramElement(attributes: Attributes, add: Add): void {
  const value = attributes.get('value') ?? ''
  if (fileParameters.has((attributes.get('name') ?? '').toLowerCase()) && isPlausible(value)) add(value, 'embed')
}

/** Returns true when the value of a non-standard attribute may be an address: scripts also store colours, selectors
 *  and templates there. */
function isPlausible(value: string): boolean {
  return /[./]/.test(value) && !/[\s{}<>()]/.test(value.trim())
}

/** Returns the addresses of a srcset (HTML 4.8.4.3.10, "parse a srcset attribute"). Addresses may contain commas,
 *  but not at their ends. */
function candidates(srcset: string): string[] {
  const found: string[] = []
  let at = 0
  while (at < srcset.length) {
    while (at < srcset.length && isSpaceOrComma(srcset.charCodeAt(at))) at++
    const from = at
    while (at < srcset.length && !isSpace(srcset.charCodeAt(at))) at++
    let end = at
    while (end > from && srcset.charCodeAt(end - 1) === comma) end--
    if (end > from) found.push(srcset.slice(from, end))
    // An address that ends with a comma has no descriptors.
    if (end === at) at = afterDescriptors(srcset, at)
  }
  return found
}

function afterDescriptors(srcset: string, from: number): number {
  let parentheses = 0
  for (let at = from; at < srcset.length; at++) {
    const code = srcset.charCodeAt(at)
    if (code === 0x28 /* ( */) parentheses++
    else if (code === 0x29 /* ) */) parentheses = Math.max(0, parentheses - 1)
    else if (code === comma && parentheses === 0) return at + 1
  }
  return srcset.length
}

const comma = 0x2c

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d
}

function isSpaceOrComma(code: number): boolean {
  return code === comma || isSpace(code)
}

/** Converts a name to lower case. Nearly all names are lower case already, and checking is cheaper than toLowerCase. */
export function lowerCase(name: string): string {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if ((code >= 0x41 && code <= 0x5a) || code >= 0x80) return name.toLowerCase()
  }
  return name
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Decodes character references as in an attribute value (HTML 13.2.5.72), by giving the value to the tokenizer as
 *  one. */
export function withEntities(value: string): string {
  if (!value.includes('&')) return value
  // Nearly all references are `&amp;` in queries; a tokenizer for each of them would halve the speed of reading a page.
  if (!/&(?!amp;)/.test(value)) return value.replaceAll('&amp;', '&')
  let out = ''
  const append = (start: number, end: number): void => void (out += tag.slice(start, end))
  const nothing = (): void => {}
  const tag = `<a b="${value.replaceAll('"', '&quot;')}">`
  const tokenizer = new Tokenizer(
    {},
    {
      onattribdata: append,
      onattribentity: (codePoint) => void (out += String.fromCodePoint(codePoint)),
      onattribname: nothing,
      onattribend: nothing,
      onopentagname: nothing,
      onopentagend: nothing,
      onselfclosingtag: nothing,
      onclosetag: nothing,
      ontext: nothing,
      ontextentity: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  )
  tokenizer.write(tag)
  tokenizer.end()
  return out
}
