/** The text of a feed: RSS 0.9x, 1.0 and 2.0, and Atom (RFC 4287). Each entry is a heading with its text. */
import { walk, type Element } from '../links/sitemap.ts'
import { oneLine } from '../links/htmlText.ts'
import { finding } from '../rules/finding.ts'
import {
  descriptionCharactersMax,
  headingsMax,
  languageTag,
  textCharactersMax,
  titleCharactersMax,
  withoutText,
  type ExtractedText,
} from './extracted.ts'
import { markupText } from './pageText.ts'

/** Elements of an entry that hold its text, in HTML as a rule. */
const texts = new Set(['description', 'encoded', 'summary', 'content'])
const wholes = new Set(['channel', 'feed'])
const entries = new Set(['item', 'entry'])

/** Returns the text of a feed. */
export function feedText(xml: string): ExtractedText {
  const found = withoutText()
  const lines: string[] = []
  let left = textCharactersMax
  const add = (text: string) => {
    if (text === '' || left <= 0) return
    lines.push(text.slice(0, left))
    left -= text.length + 1
  }
  walk(
    xml,
    {
      get full() {
        return left <= 0
      },
    },
    ({ name, parent, attributes, text }: Element) => {
      const language = attributes.get('xml:lang') ?? (name === 'language' ? text : undefined)
      if (language !== undefined) found.language ||= languageTag(language)
      if (wholes.has(parent)) {
        if (name === 'title') found.title ||= plain(text).slice(0, titleCharactersMax)
        else if (name === 'description' || name === 'subtitle')
          found.description ||= plain(text).slice(0, descriptionCharactersMax)
      } else if (entries.has(parent)) {
        const line = name === 'title' || texts.has(name) ? plain(text) : ''
        if (name === 'title' && line !== '' && found.headings.length < headingsMax)
          found.headings.push(line.slice(0, titleCharactersMax))
        add(line)
      }
    },
  )
  if (left <= 0) found.findings.push(finding('textTooLong'))
  return { ...found, text: lines.join('\n') }
}

/** Returns a text without its markup. */
function plain(text: string): string {
  if (!text.includes('<') && !text.includes('&')) return oneLine(text)
  return oneLine(markupText(text, { syntax: 'html', charactersMax: textCharactersMax }).text)
}
