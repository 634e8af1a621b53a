/** Finds the links and embedded resources of a page from its tags in one pass. Scripts are not covered (a URL that a
 *  program builds is found by running it, not by reading it), nor is the tree of the page built.
 *
 *  Entities are decoded only in the values that are used. `tagScanner.ts` finds the tags; docs/measurements.md says how
 *  fast, compared with htmlparser2's tokenizer. */
import { styleSheetReferences } from './cssLinks.ts'
import {
  type Add,
  type Holds,
  attributesByElement,
  elementsReadWhole,
  commonAttributes,
  isPlausible,
} from './htmlElements.ts'
import { withEntities, oneLine } from './htmlText.ts'
import type { LinkList } from './linkList.ts'
import { NameTable } from './nameTable.ts'
import { skippedTags } from './skippedTags.ts'
import { srcsetUrls } from './srcset.ts'
import { TagScanner, textElements } from './tagScanner.ts'

/** Maximum depth of HTML inside HTML: srcdoc, conditional comments, noframes. Browsers nest srcdoc without a limit,
 *  but no real page does. */
const nestingMax = 3
/** Maximum length of a title; longer ones are cut. */
const titleCharactersMax = 1000

/** Adds the references of a page to `list`, and returns its title. `syntax` decides whether `<script/>` is closed
 *  and whether CDATA is text. */
export function pageReferences(text: string, list: LinkList, syntax: 'html' | 'xml'): string | undefined {
  const reader = new PageReader(text, list, syntax, 0)
  return reader.read()
}

/** Elements whose content browsers do not parse as elements, but which may contain references or the title. */
const rawElements = new Set(['style', 'title', 'noframes', 'noembed'])

/** The frequent start tags that end foreign content, however many `svg` are still open (HTML 13.2.6.5). */
export const breakouts = new Set([
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

/** Names of the elements that mean something here. */
const elementNames = new NameTable([...attributesByElement.keys(), ...textElements, ...breakouts, 'svg', 'math'])
const attributeNames = new NameTable([
  ...commonAttributes.keys(),
  ...[...attributesByElement.values()].flatMap((attributes) => [...attributes.keys()]),
])
const skipped = skippedTags([...attributesByElement.keys(), ...textElements, 'svg', 'math'], commonAttributes.keys())
const noAttributes = new Map<string, Holds>()

/** Reads one page, or HTML inside of it. */
class PageReader {
  readonly #text: string
  readonly #list: LinkList
  readonly #syntax: 'html' | 'xml'
  readonly #depth: number
  readonly #scanner: TagScanner
  readonly #add: Add
  #title: string | undefined
  /** Name of the raw element whose text is being read; empty for none. */
  #inside = ''
  /** Number of open `svg` and `math` elements: inside them `<style/>` is closed and does not consume the rest of the
   *  page. */
  #foreign = 0
  /** Attributes of the tag that have been read. */
  readonly #taken: string[] = []

  constructor(text: string, list: LinkList, syntax: 'html' | 'xml', depth: number) {
    this.#text = text
    this.#list = list
    this.#syntax = syntax
    this.#depth = depth
    this.#add = (reference, kind, base) => list.add(reference, kind, base)
    this.#scanner = new TagScanner({ text, syntax, elements: elementNames, attributes: attributeNames, skipped })
  }

  read(): string | undefined {
    const scanner = this.#scanner
    for (let token = scanner.next(); token !== 'end' && !this.#list.full; token = scanner.next()) {
      if (token === 'startTag') this.#startTag(scanner.element)
      else if (token === 'endTag') this.#endTag(scanner.element)
      else if (token === 'text') this.#readText()
      else if (token === 'comment') this.#comment()
      else this.#instruction()
    }
    return this.#title
  }

  #startTag(element: string): void {
    const scanner = this.#scanner
    if (this.#foreign > 0 && breakouts.has(element)) this.#setForeign(0)
    this.#readAttributes(element)
    if (!scanner.isComplete || element === '') return
    // HTML ignores the slash (13.2.6), but not in foreign content.
    if (scanner.isSelfClosing && (this.#foreign > 0 || this.#syntax === 'xml' || isForeign(element))) return
    // The title of a picture is not the title of the page that contains it.
    const pictureTitle = element === 'title' && this.#foreign > 0 && this.#syntax === 'html'
    if (rawElements.has(element) && !pictureTitle) this.#setInside(element)
    if (isForeign(element)) this.#setForeign(this.#foreign + 1)
  }

  /** Reads the attributes of a start tag: the first of two with the same name counts (13.2.5.33). */
  #readAttributes(element: string): void {
    const scanner = this.#scanner
    const rules = attributesByElement.get(element) ?? noAttributes
    const taken = this.#taken
    taken.length = 0
    let parts: Map<string, string> | undefined
    while (scanner.nextAttribute()) {
      const name = scanner.attribute
      const holds = rules.get(name) ?? commonAttributes.get(name)
      if (holds === undefined || taken.includes(name)) continue
      taken.push(name)
      if (!scanner.hasValue) continue
      const value = withEntities(scanner.value())
      if (holds === 'part') (parts ??= new Map()).set(name, value)
      else this.#reference(holds, value)
    }
    if (parts && scanner.isComplete) elementsReadWhole.get(element)?.(parts, this.#add, this.#list)
  }

  #endTag(element: string): void {
    if (this.#inside !== '') this.#setInside('')
    if (this.#foreign > 0 && isForeign(element)) this.#setForeign(this.#foreign - 1)
  }

  #setInside(element: string): void {
    this.#inside = element
    this.#scanner.givesText = element !== ''
  }

  #setForeign(count: number): void {
    this.#foreign = count
    this.#scanner.isForeign = count > 0
  }

  #readText(): void {
    if (this.#inside !== '') this.#rawText(this.#content())
  }

  /** Reads conditional comments, `<!--[if lt IE 9]> … <![endif]-->`: for the browsers of their time they were part
   *  of the page. */
  #comment(): void {
    if (this.#text.startsWith('[if', this.#scanner.start)) this.#nested(this.#content())
  }

  /** Reads `<?xml-stylesheet href="…"?>` (xml-stylesheet 1.0). */
  #instruction(): void {
    if (!this.#text.startsWith('xml-stylesheet', this.#scanner.start)) return
    const instruction = this.#content().slice(0, instructionCharactersMax)
    const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(instruction)
    if (href) this.#add(withEntities(href[1] ?? href[2] ?? ''), 'embed')
  }

  #content(): string {
    return this.#text.slice(this.#scanner.start, this.#scanner.end)
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

/** Maximum length of a processing instruction that is parsed; longer ones are cut. */
const instructionCharactersMax = 16_384

function isForeign(element: string): boolean {
  return element === 'svg' || element === 'math'
}
