/** The text of a page as a reader sees it, its title, headings, description and declared language. Scripts, styles, comments and controls are
 *  left out, and so is what surrounds the content (`surroundings.ts`); whether a style hides an element is not known here. Takes linear time:
 *  there is no tree, and of open elements only counts are kept. */
import { charsetOfPage, charsetOfXml, decoded } from '../links/charset.ts'
import { breakouts } from '../links/htmlLinks.ts'
import { oneLine, withEntities } from '../links/htmlText.ts'
import { NameTable } from '../links/nameTable.ts'
import { TagScanner, textElements } from '../links/tagScanner.ts'
import { finding, type Finding } from '../rules/finding.ts'
import {
  descriptionCharactersMax,
  headingsMax,
  languageTag,
  textCharactersMax,
  titleCharactersMax,
  type ExtractedText,
} from './extracted.ts'
import { isSurrounding, ofContent, type Line } from './surroundings.ts'

/** Elements whose content no reader sees as text: it runs, is drawn, is a control, or replaces what is shown. */
const silent = new Set([
  ...['script', 'style', 'noscript', 'template', 'noframes', 'noembed', 'iframe', 'object', 'svg', 'math', 'canvas'],
  ...['audio', 'video', 'button', 'select', 'datalist', 'textarea', 'dialog'],
])
/** Elements that do not end a line. */
const inline = new Set([
  ...['a', 'abbr', 'acronym', 'b', 'bdi', 'bdo', 'big', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'font', 'i', 'img'],
  ...['ins', 'kbd', 'label', 'mark', 'q', 'rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strong', 'sub', 'sup'],
  ...['time', 'tt', 'u', 'var', 'wbr'],
])
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** Elements without an end tag: an attribute of theirs hides nothing. */
const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
/** Elements that can be left out as a whole: by `hidden` or by a role. */
const containers = ['div', 'section', 'ul', 'ol', 'p', 'table', 'form', 'details', 'dl', 'main', 'article', 'body']

const elementNames = new NameTable([
  ...[...silent, ...inline, ...headings, ...empty, ...breakouts, ...textElements, ...containers],
  ...['html', 'nav', 'footer', 'aside', 'header'],
])
const attributeNames = new NameTable(['lang', 'xml:lang', 'name', 'property', 'content', 'hidden', 'role'])

/** Returns the text of a page, cut at `charactersMax`. */
export function pageText(
  { body, charset }: { body: Uint8Array; charset: string | undefined },
  { syntax = 'html', charactersMax = textCharactersMax }: { syntax?: 'html' | 'xml'; charactersMax?: number } = {},
): ExtractedText {
  const charsetOf = syntax === 'html' ? charsetOfPage : charsetOfXml
  return markupText(decoded(body, charsetOf(body, charset)), { syntax, charactersMax })
}

/** Returns the text of a page, or of HTML in another document. */
export function markupText(text: string, options: { syntax: 'html' | 'xml'; charactersMax: number }): ExtractedText {
  return new PageReader(text, options).read()
}

/** An element that is left out with all that is in it, and how many of its name are open in it. */
interface LeftOut {
  name: string
  depth: number
}

class PageReader {
  readonly #text: string
  readonly #scanner: TagScanner
  readonly #isXml: boolean
  readonly #lines: Line[] = []
  readonly #headings: string[] = []
  readonly #findings: Finding[] = []
  #left: number
  #line = ''
  #linkCharacters = 0
  #silent: LeftOut | undefined
  #surrounding: LeftOut | undefined
  /** Open `a`, and open `main` and `article`. */
  #links = 0
  #contents = 0
  #heading: string | undefined
  #inTitle = false
  #title: string | undefined
  #description = ''
  #otherTitle = ''
  #otherDescription = ''
  #language = ''

  constructor(text: string, { syntax, charactersMax }: { syntax: 'html' | 'xml'; charactersMax: number }) {
    this.#text = text
    this.#left = charactersMax
    this.#isXml = syntax === 'xml'
    this.#scanner = new TagScanner({ text, syntax, elements: elementNames, attributes: attributeNames })
    this.#scanner.givesText = true
  }

  read(): ExtractedText {
    const scanner = this.#scanner
    for (let token = scanner.next(); token !== 'end' && this.#left > 0; token = scanner.next()) {
      if (token === 'startTag') this.#startTag(scanner.element)
      else if (token === 'endTag') this.#endTag(scanner.element)
      else if (token === 'text') this.#readText()
    }
    this.#endLine()
    const content = ofContent(this.#lines)
    return {
      title: this.#title || this.#otherTitle || this.#headings[0] || '',
      headings: this.#headings,
      description: this.#description || this.#otherDescription,
      text: content.map(({ text }) => text).join('\n'),
      language: this.#language,
      findings: this.#findings,
    }
  }

  #startTag(name: string): void {
    const { role, isHidden } = this.#attributes(name)
    const scanner = this.#scanner
    if (!scanner.isComplete) return
    if (scanner.isForeign && breakouts.has(name)) this.#endSilence()
    const isClosed = empty.has(name) || (scanner.isSelfClosing && (this.#isXml || scanner.isForeign))
    if (this.#silent) return void (this.#silent.name === name && !isClosed && this.#silent.depth++)
    if (!inline.has(name)) this.#endLine()
    if (isClosed) return
    this.#inTitle = name === 'title'
    if (silent.has(name) || (isHidden && name !== '' && name !== 'html' && name !== 'body')) return this.#silence(name)
    if (this.#surrounding?.name === name) this.#surrounding.depth++
    else if (!this.#surrounding && isSurrounding(name, { role, isInContent: this.#contents > 0 }))
      this.#surrounding = { name, depth: 1 }
    if (name === 'a') this.#links = 1
    else if (name === 'main' || name === 'article') this.#contents++
    else if (headings.has(name)) this.#heading = ''
  }

  #silence(name: string): void {
    this.#silent = { name, depth: 1 }
    this.#scanner.isForeign = name === 'svg' || name === 'math'
  }

  #endSilence(): void {
    this.#silent = undefined
    this.#scanner.isForeign = false
  }

  #endTag(name: string): void {
    this.#inTitle = false
    if (this.#silent) {
      if (this.#silent.name === name && --this.#silent.depth === 0) this.#endSilence()
      return
    }
    if (!inline.has(name)) this.#endLine()
    if (name === 'a') this.#links = 0
    else if (name === 'main' || name === 'article') this.#contents = Math.max(0, this.#contents - 1)
    else if (headings.has(name)) this.#endHeading()
    if (this.#surrounding?.name === name && --this.#surrounding.depth === 0) this.#surrounding = undefined
  }

  /** Reads what the attributes of a tag say about its element; of `meta` and `html`, about the page. */
  #attributes(name: string): { role: string; isHidden: boolean } {
    const scanner = this.#scanner
    let role = ''
    let isHidden = false
    let metaName = ''
    let content: string | undefined
    while (scanner.nextAttribute()) {
      const { attribute } = scanner
      if (attribute === 'hidden') isHidden = true
      else if (attribute === 'role') role = scanner.value().trim().toLowerCase()
      else if (attribute === 'name' || attribute === 'property') metaName ||= scanner.value().trim().toLowerCase()
      else if (attribute === 'content') content ??= scanner.value()
      else if (name === 'html' && this.#language === '') this.#language = languageTag(withEntities(scanner.value()))
    }
    if (name === 'meta' && content !== undefined) this.#meta(metaName, content)
    return { role, isHidden }
  }

  #meta(name: string, content: string): void {
    const value = () => oneLine(withEntities(content.slice(0, descriptionCharactersMax)))
    if (name === 'description') this.#description ||= value()
    else if (name === 'og:description') this.#otherDescription ||= value()
    else if (name === 'og:title') this.#otherTitle ||= value().slice(0, titleCharactersMax)
  }

  #readText(): void {
    const { start, end } = this.#scanner
    if (this.#silent) return
    if (this.#inTitle) {
      this.#title ??= oneLine(withEntities(this.#text.slice(start, Math.min(end, start + titleCharactersMax))))
      return
    }
    const text = decodedText(this.#text.slice(start, Math.min(end, start + this.#left)))
    this.#left -= end - start
    if (this.#left <= 0) this.#findings.push(finding('textTooLong'))
    this.#line += text
    if (this.#links > 0) this.#linkCharacters += text.length
    if (this.#heading !== undefined && !this.#surrounding) this.#heading += text
  }

  #endLine(): void {
    const text = oneLine(this.#line)
    const isLink = this.#linkCharacters >= text.length
    if (text !== '') this.#lines.push({ text, isLink, isSurrounding: this.#surrounding !== undefined })
    this.#line = ''
    this.#linkCharacters = 0
  }

  #endHeading(): void {
    const text = oneLine(this.#heading ?? '').slice(0, titleCharactersMax)
    if (text !== '' && this.#headings.length < headingsMax) this.#headings.push(text)
    this.#heading = undefined
  }
}

/** Decodes character references. Those that programs write are replaced without a tokenizer, which would take most of the time of a page
 *  with source code. */
function decodedText(text: string): string {
  if (!text.includes('&')) return text
  const usual = text.replace(/&(?:lt|gt|quot|nbsp|#39|#x27);/g, (reference) => usualReferences[reference] ?? reference)
  return usual.includes('&') ? withEntities(usual) : usual
}

const usualReferences: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': ' ', '&#39;': "'", '&#x27;': "'" },
}
