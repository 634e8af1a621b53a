/** Text in HTML: names without regard to case, character references, and white space. */
import { Tokenizer } from 'htmlparser2'

/** Converts a name to lower case. Nearly all names are lower case already, and checking is cheaper than toLowerCase. */
export function lowerCase(name: string): string {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if ((code >= 0x41 && code <= 0x5a) || code >= 0x80) return name.toLowerCase()
  }
  return name
}

/** Replaces each run of white space by one blank, and removes it at both ends. */
export function oneLine(text: string): string {
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
