/** The text of a page as people read it, and the language that it declares: for search engines. Scripts, styles and comments are left out;
 *  whether a style hides an element is not known here. */
import { Parser } from 'htmlparser2'
import { charsetOfPage, decoded } from './charset.ts'
import { oneLine } from './htmlText.ts'

/** Text and declared language of a page. */
export interface PageText {
  /** Blocks on lines of their own. */
  text: string
  /** The `lang` of the root element, as written. */
  language: string | undefined
}

/** Elements whose content is no text of the page. */
const silent = new Set(['script', 'style', 'noscript', 'template', 'title', 'svg', 'math', 'iframe', 'object'])
/** Elements that do not end a line. */
const inline = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'bdo',
  'cite',
  'code',
  'data',
  'del',
  'dfn',
  'em',
  'font',
  'i',
  'ins',
  'kbd',
  'mark',
  'q',
  's',
  'samp',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'time',
  'tt',
  'u',
  'var',
  'wbr',
])

/** Returns the text of a page, cut at `charactersMax`. */
export function pageText(body: Uint8Array, charset: string | undefined, charactersMax: number): PageText {
  const lines: string[] = []
  let line = ''
  let characters = 0
  let silentDepth = 0
  let language: string | undefined
  const endLine = () => {
    const text = oneLine(line)
    if (text !== '') lines.push(text)
    line = ''
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'html') language = attributes['lang'] ?? attributes['xml:lang']
      if (silent.has(name)) silentDepth += 1
      else if (!inline.has(name)) endLine()
    },
    ontext(text) {
      if (silentDepth > 0 || characters >= charactersMax) return
      const kept = text.slice(0, charactersMax - characters)
      characters += kept.length
      line += kept
    },
    onclosetag(name) {
      if (silent.has(name)) silentDepth = Math.max(0, silentDepth - 1)
      else if (!inline.has(name)) endLine()
    },
  })
  parser.end(decoded(body, charsetOfPage(body, charset)))
  endLine()
  return { text: lines.join('\n'), language: language?.trim() === '' ? undefined : language?.trim() }
}
