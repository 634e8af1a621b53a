/** Finds the links of a page with htmlparser2's tokenizer, as Loupe did before it had its own scanner: the reference for tests. */
import { type TokenizerCallbacks, Tokenizer, QuoteType } from 'htmlparser2'
import { styleSheetReferences } from '../cssLinks.ts'
import {
  type Add,
  type Holds,
  attributesByElement,
  elementsReadWhole,
  commonAttributes,
  isPlausible,
} from '../htmlElements.ts'
import { lowerCase, withEntities, oneLine } from '../htmlText.ts'
import type { LinkList } from '../linkList.ts'
import { srcsetUrls } from '../srcset.ts'

/** Maximum depth of HTML inside HTML: srcdoc, conditional comments, noframes. Browsers nest srcdoc without a limit,
 *  but no real page does. */
const nestingMax = 3
/** Maximum length of a title; longer ones are cut. */
const titleCharactersMax = 1000

/** Does what `pageReferences` does. */
export function tokenizerReferences(text: string, list: LinkList, syntax: 'html' | 'xml'): string | undefined {
  const reader = new PageReader(text, list, syntax, 0)
  return reader.read()
}

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

/** Reads one page, or HTML inside of it, by the callbacks of the tokenizer. `start` and `end` are positions in the text. */
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
  #attributes: Map<string, string> | undefined
  /** Name of the attribute that is being read, empty when its value is not needed. */
  #attribute = ''
  // Meaning of that attribute.
  #holds: Exclude<Holds, 'part'> | undefined
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
    this.#rules = attributesByElement.get(this.#tag)
    this.#attributes = elementsReadWhole.has(this.#tag) ? new Map() : undefined
    if (this.#foreign > 0 && breakouts.has(this.#tag)) this.#foreign = 0
  }

  onattribname(start: number, end: number): void {
    const name = lowerCase(this.#text.slice(start, end))
    const holds = this.#rules?.get(name) ?? commonAttributes.get(name)
    this.#holds = holds === 'part' ? undefined : holds
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
    if (this.#attributes) elementsReadWhole.get(this.#tag)?.(this.#attributes, this.#add, this.#list)
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

  #reference(holds: Exclude<Holds, 'part'>, value: string): void {
    switch (holds) {
      case 'style':
        return this.#style(value)
      case 'candidates':
        return srcsetUrls(value).forEach((url) => this.#add(url, 'embed'))
      case 'lazyCandidates':
        return srcsetUrls(value)
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
/** Maximum length of a processing instruction that is parsed; longer ones are cut. */
const instructionCharactersMax = 16_384
