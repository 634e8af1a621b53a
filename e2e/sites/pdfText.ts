/** Extracts the text that a PDF (ISO 32000-1) draws, for the subset that Chromium writes: plain objects, Flate streams, and glyph
 *  strings (9.7.6.2) with the ToUnicode map of their font (9.10.3). Visibility is not considered. */
import { inflateSync } from 'node:zlib'

/** The text in the order in which it is drawn, with one line per text object. */
export function textOfPdf(pdf: Buffer): string {
  const objects = objectsOf(pdf.toString('latin1'))
  const referred = (object: string, key: string) =>
    objects.get(new RegExp(`/${key} (\\d+) 0 R`).exec(object)?.[1] ?? '')
  const contents: string[] = []
  const fonts = new Map<string, Map<number, string>>()
  for (const object of objects.values()) {
    const content = referred(object, 'Contents')
    if (content !== undefined) contents.push(streamOf(content))
    for (const [, name = '', font = ''] of object.matchAll(/\/(F\d+) (\d+) 0 R/g))
      fonts.set(name, charactersOf(streamOf(referred(objects.get(font) ?? '', 'ToUnicode') ?? '')))
  }
  return contents.map((content) => drawnBy(content, fonts)).join('\n')
}

function objectsOf(pdf: string): Map<string, string> {
  const found = pdf.matchAll(/^(\d+) 0 obj\n(.*?)\nendobj$/gms)
  return new Map([...found].map(([, number = '', object = '']) => [number, object]))
}

function streamOf(object: string): string {
  const packed = /stream\r?\n(.*)\r?\nendstream/s.exec(object)?.[1]
  return packed === undefined ? '' : inflateSync(Buffer.from(packed, 'latin1')).toString('latin1')
}

/** Parses the entries of a ToUnicode map. Single characters have two numbers, ranges three. */
function charactersOf(map: string): Map<number, string> {
  const characters = new Map<number, string>()
  for (const [, begin = '', second = '', third] of map.matchAll(/^<(\w{4})> <(\w{4})>(?: <(\w{4})>)?$/gm)) {
    const first = parseInt(begin, 16)
    const last = third === undefined ? first : parseInt(second, 16)
    for (let glyph = first; glyph <= last; glyph++)
      characters.set(glyph, String.fromCharCode(parseInt(third ?? second, 16) + glyph - first))
  }
  return characters
}

function drawnBy(content: string, fonts: ReadonlyMap<string, ReadonlyMap<number, string>>): string {
  let text = ''
  let characters: ReadonlyMap<number, string> | undefined
  for (const [, font, glyphs, end] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<(\w+)> Tj|(\bET)$/gm)) {
    if (font !== undefined) characters = fonts.get(font)
    else if (end !== undefined) text += '\n'
    else for (const [glyph] of glyphs!.matchAll(/\w{4}/g)) text += characters?.get(parseInt(glyph, 16)) ?? ''
  }
  return text
}
