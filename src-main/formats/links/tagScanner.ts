/** Scans HTML or XML for tags, and gives their known names and attributes one by one. It follows the tokenization of HTML
 *  (WHATWG, 13.2.5; the numbers below are its sections) as far as links and forms need. There is no tree: which
 *  elements are open is known only as far as the caller keeps track of it.
 *
 *  It jumps from `<` to `<` and from quote to quote, and copies nothing that is not asked for. Every character is looked at
 *  a fixed number of times, whatever the text is (`tagScanner.test.ts` counts). docs/decisions/own-readers.md says why
 *  it exists.
 *
 *  Where it is more forgiving than a browser: the attributes of a tag that the end of the text cuts off are given, as far as
 *  they are complete, because captures may be truncated (a browser drops the tag). And `noscript` is read as elements, as
 *  without scripts. */
import { isNameAt } from './nameTable.ts'

/** What was found. `text` is that between two tags, also of CDATA and of elements that contain only text, and is
 *  never empty; `instruction` is a processing instruction of XML. */
type Token = 'startTag' | 'endTag' | 'text' | 'comment' | 'instruction' | 'end'

/** Finds the names that the caller needs; see `NameTable`. */
export interface Names {
  find(text: string, start: number, end: number): string
}

/** What is scanned, and which names are needed. */
interface ScannedText {
  text: string
  syntax: 'html' | 'xml'
  elements: Names
  attributes: Names
  /** Steps over what is not needed outside of foreign content; see skippedTags.ts. */
  skipped?: RegExp
}

/** Elements that contain only text: their end is searched by name. `title` and `textarea` (13.2.5.2), `script` (13.2.5.4),
 *  `plaintext` (13.2.5.5), and the others (13.2.5.3). Tables of element names include them. */
export const textElements = [
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
]
const isTextElement = new Set(textElements)

const tab = 0x09
const lineFeed = 0x0a
const formFeed = 0x0c
const carriageReturn = 0x0d
const space = 0x20
const exclamationMark = 0x21
const doubleQuote = 0x22
const singleQuote = 0x27
const dash = 0x2d
const slash = 0x2f
const lessThan = 0x3c
const equalsSign = 0x3d
const greaterThan = 0x3e
const questionMark = 0x3f

/** A scan over one text. Methods begin at `#at` and leave it after what they have read. */
export class TagScanner {
  readonly #text: string
  readonly #isXml: boolean
  readonly #elements: Names
  readonly #attributes: Names
  readonly #skipped: RegExp | undefined
  #at = 0
  #inStartTag = false
  /** Name of the element whose content is only text and comes next; empty for none. */
  #textElement = ''

  /** Bounds of the content of a text, comment or instruction, and of an attribute's value. */
  start = 0
  end = 0
  /** Name of a tag in lower case; empty when it is not among those that are needed. */
  element = ''
  /** Name of an attribute in lower case. */
  attribute = ''
  /** Whether the attribute has a value, be it empty. */
  hasValue = false
  /** Whether the start tag has its end, and whether that is `/>`; known when its attributes have been read. */
  isComplete = false
  isSelfClosing = false
  /** Set by the caller while an `svg` or `math` element is open: inside of them CDATA is text, and the elements of
   *  HTML that contain only text are ordinary ones. */
  isForeign = false
  /** Set by the caller when it needs text between tags. That of elements that contain only text is always given. */
  givesText = false

  constructor({ text, syntax, elements, attributes, skipped }: ScannedText) {
    this.#text = text
    this.#isXml = syntax === 'xml'
    this.#elements = elements
    this.#attributes = attributes
    this.#skipped = skipped
  }

  /** Finds the next token. What has not been read of a start tag is skipped. */
  next(): Token {
    if (this.#inStartTag) while (this.nextAttribute());
    if (this.#textElement !== '' && this.#readTextElement()) return 'text'
    const text = this.#text
    for (;;) {
      if (this.#skipped && !this.isForeign && !this.givesText) this.#skip(this.#skipped)
      const at = this.#at
      if (text.charCodeAt(at) !== lessThan) {
        if (at >= text.length) return 'end'
        this.#readText()
        if (this.givesText) return 'text'
        continue
      }
      const token = this.#markup(text.charCodeAt(at + 1))
      // Markup without a token, as a doctype, is followed by the next.
      if (token !== undefined) return token
    }
  }

  /** Returns the value of the attribute as it is written, character references not decoded. U+0000 becomes U+FFFD
   *  (13.2.5.36 to 13.2.5.38). */
  value(): string {
    const value = this.#text.slice(this.start, this.end)
    return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  }

  #skip(skipped: RegExp): void {
    skipped.lastIndex = this.#at
    if (skipped.test(this.#text)) this.#at = skipped.lastIndex
  }

  /** Finds the next attribute of a start tag that is needed, with the bounds of its value. Returns false at the end of the tag,
   *  and when the text ends before the attribute does. */
  nextAttribute(): boolean {
    while (this.#anyAttribute()) {
      this.attribute = this.#attributes.find(this.#text, this.#nameStart, this.#nameEnd)
      if (this.attribute !== '') return true
    }
    this.#inStartTag = false
    return false
  }

  /** Reads what begins with `<` and `code` (13.2.5.6); undefined when there is nothing in it that is needed. */
  #markup(code: number): Token | undefined {
    if (code === slash) return this.#endTag()
    if (code === exclamationMark) return this.#declaration()
    if (code === questionMark) return this.#instruction()
    return this.#startsName(code) ? this.#startTag() : this.#readText()
  }

  /** XML allows more than letters at the start of a name; anything that does not end a tag is accepted. */
  #startsName(code: number): boolean {
    const lower = code | 0x20
    if (lower >= 0x61 && lower <= 0x7a && code < 0x80) return true
    return this.#isXml && code >= 0 && !endsName(code)
  }

  /** Gives the text from here to the next `<`. One that is here is text itself: it starts no tag. */
  #readText(): Token {
    const next = this.#text.indexOf('<', this.#at + 1)
    this.start = this.#at
    this.end = this.#at = next < 0 ? this.#text.length : next
    return 'text'
  }

  #startTag(): Token {
    this.#readName(this.#at + 1)
    this.isComplete = false
    this.#inStartTag = this.#at < this.#text.length
    return this.#inStartTag ? 'startTag' : 'end'
  }

  /** Reads the name of a tag (13.2.5.8). */
  #readName(from: number): void {
    const text = this.#text
    let at = from
    while (at < text.length && !endsName(text.charCodeAt(at))) at++
    this.element = this.#elements.find(text, from, at)
    this.#at = at
  }

  /** Reads an end tag (13.2.5.7). It may have attributes, which count for nothing but where the tag ends. */
  #endTag(): Token | undefined {
    const text = this.#text
    let at = this.#at + 2
    if (this.#isXml) while (isSpace(text.charCodeAt(at))) at++
    const code = text.charCodeAt(at)
    if (at >= text.length) return this.#readText()
    if (!this.#startsName(code)) return this.#skipTo('>')
    this.#readName(at)
    while (this.#anyAttribute());
    return 'endTag'
  }

  #nameStart = 0
  #nameEnd = 0

  /** Reads the next attribute, needed or not (13.2.5.32 to 13.2.5.40). Returns false at the end of the tag or of the
   *  text. */
  #anyAttribute(): boolean {
    const text = this.#text
    let at = this.#at
    let code = text.charCodeAt(at)
    while (isSpace(code) || code === slash) code = text.charCodeAt(++at)
    if (code === greaterThan) return this.#endOfTag(at)
    this.#nameStart = at
    // 13.2.5.32: an equals sign here is the first character of the name.
    do code = text.charCodeAt(++at)
    while (code !== equalsSign && code >= 0 && !endsName(code))
    this.#nameEnd = at
    while (isSpace(code)) code = text.charCodeAt(++at)
    this.hasValue = code === equalsSign
    if (this.hasValue) return this.#value(at + 1)
    this.start = this.end = this.#at = at
    return at < text.length
  }

  /** Reads the value of an attribute (13.2.5.35 to 13.2.5.39). Returns false when the text ends first. */
  #value(from: number): boolean {
    const text = this.#text
    let at = from
    let code = text.charCodeAt(at)
    while (isSpace(code)) code = text.charCodeAt(++at)
    const quote = code === doubleQuote ? '"' : code === singleQuote ? "'" : ''
    if (quote === '') {
      this.start = at
      // NaN, the end of the text, is not greater than or equal to 0.
      while (code >= 0 && code !== greaterThan && !isSpace(code)) code = text.charCodeAt(++at)
      this.end = this.#at = at
      return at < text.length
    }
    const end = text.indexOf(quote, at + 1)
    this.start = at + 1
    this.end = end < 0 ? text.length : end
    this.#at = end < 0 ? text.length : end + 1
    return end >= 0
  }

  /** Ends a tag at its `>`. HTML ignores the slash of an element that contains only text: `<script/>` is not closed. */
  #endOfTag(at: number): boolean {
    this.isSelfClosing = this.#text.charCodeAt(at - 1) === slash && this.#at < at
    this.isComplete = true
    this.#at = at + 1
    if (this.#inStartTag && !this.#isXml && !this.isForeign && isTextElement.has(this.element))
      this.#textElement = this.element
    return false
  }

  /** Reads what begins with `<!` (13.2.5.42). Anything else than a comment or CDATA, such as a doctype, ends at the
   *  first `>`, also in quotes. */
  #declaration(): Token | undefined {
    const text = this.#text
    if (text.startsWith('--', this.#at + 2)) return this.#comment()
    // 13.2.5.42: outside of foreign content CDATA is a comment that ends at the first `>`.
    if (!(this.#isXml || this.isForeign) || !text.startsWith('[CDATA[', this.#at + 2)) return this.#skipTo('>')
    return this.#content(this.#at + 9, ']]>', 'text')
  }

  /** Reads a comment (13.2.5.43 to 13.2.5.52). It ends with `-->` or `--!>`, and `<!-->` and `<!--->` are empty. */
  #comment(): Token {
    const text = this.#text
    this.start = this.#at + 4
    const afterDash = this.start + (text.charCodeAt(this.start) === dash ? 1 : 0)
    if (!this.#isXml && text.charCodeAt(afterDash) === greaterThan) {
      this.end = this.start
      this.#at = afterDash + 1
      return 'comment'
    }
    let at = text.indexOf('--', this.start)
    while (at >= 0) {
      let after = at + 2
      while (text.charCodeAt(after) === dash) after++
      this.end = after - 2
      if (text.charCodeAt(after) === exclamationMark) after++
      if (text.charCodeAt(after) === greaterThan) {
        this.#at = after + 1
        return 'comment'
      }
      at = text.indexOf('--', after)
    }
    this.#at = text.length
    // 13.2.5.50 to 13.2.5.52: what could have become the end of the comment is not part of it.
    const opened = text.endsWith('--!') ? 3 : text.endsWith('--') ? 2 : text.endsWith('-') ? 1 : 0
    this.end = Math.max(this.start, text.length - opened)
    return 'comment'
  }

  /** Reads a processing instruction of XML. In HTML it is a comment that ends at the first `>` (13.2.5.6). */
  #instruction(): Token | undefined {
    return this.#isXml ? this.#content(this.#at + 2, '?>', 'instruction') : this.#skipTo('>')
  }

  /** Reads content up to its end, or to that of the text. */
  #content(start: number, closer: string, token: Token): Token | undefined {
    const end = this.#text.indexOf(closer, start)
    this.start = start
    this.end = end < 0 ? this.#text.length : end
    this.#at = end < 0 ? this.#text.length : end + closer.length
    return this.start < this.end ? token : undefined
  }

  #skipTo(closer: string): undefined {
    const end = this.#text.indexOf(closer, this.#at + 2)
    this.#at = end < 0 ? this.#text.length : end + 1
  }

  /** Reads the content of an element that contains only text. Returns false when it is empty. */
  #readTextElement(): boolean {
    const name = this.#textElement
    this.#textElement = ''
    this.start = this.#at
    this.end = this.#at =
      name === 'plaintext' ? this.#text.length : name === 'script' ? this.#scriptEnd() : this.#endTagOf(name, this.#at)
    return this.start < this.end
  }

  /** Returns the position of the end tag of an element, or that of the end of the text (13.2.5.9 to 13.2.5.14). */
  #endTagOf(name: string, from: number): number {
    const text = this.#text
    let at = text.indexOf('</', from)
    while (at >= 0 && !this.#isTagAt(name, at + 2)) at = text.indexOf('</', at + 2)
    return at < 0 ? text.length : at
  }

  #isTagAt(name: string, at: number): boolean {
    return isNameAt(name, this.#text, at) && endsName(this.#text.charCodeAt(at + name.length))
  }

  /** Returns the position of the end tag of a script. Between `<!--` and `-->` an end tag may belong to a `<script>`
   *  before it (13.2.5.15 to 13.2.5.31). */
  #scriptEnd(): number {
    const text = this.#text
    let at = text.indexOf('<', this.#at)
    while (at >= 0) {
      if (text.charCodeAt(at + 1) === slash && this.#isTagAt('script', at + 2)) return at
      if (text.startsWith('!--', at + 1)) {
        const end = this.#escapedEnd(at + 2)
        if (text.charCodeAt(end) === lessThan || end >= text.length) return end
        at = end
      }
      at = text.indexOf('<', at + 1)
    }
    return text.length
  }

  /** Returns the position after the `>` that ends the escaped part of a script, or that of the end tag of the script
   *  in it, or that of the end of the text. `from` is before the dashes of `<!--`, which may be those of `-->`. */
  #escapedEnd(from: number): number {
    const text = this.#text
    let isDouble = false
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === dash && text.startsWith('-->', at)) return at + 2
      if (code !== lessThan) continue
      if (isDouble) isDouble = !(text.charCodeAt(at + 1) === slash && this.#isTagAt('script', at + 2))
      else if (text.charCodeAt(at + 1) === slash && this.#isTagAt('script', at + 2)) return at
      else isDouble = this.#isTagAt('script', at + 1)
    }
    return text.length
  }
}

function isSpace(code: number): boolean {
  return code === space || code === lineFeed || code === tab || code === carriageReturn || code === formFeed
}

function endsName(code: number): boolean {
  return code === greaterThan || code === slash || isSpace(code)
}
