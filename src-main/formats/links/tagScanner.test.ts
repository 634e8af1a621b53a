/** Compares the scanner with htmlparser2's tokenizer, and counts how often it reads each character. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { corporaFolder, corporaHint, hasCorpora } from '../testing/corpora.ts'
import { pageReferences } from './htmlLinks.ts'
import type { LinkList } from './linkList.ts'
import { NameTable } from './nameTable.ts'
import { TagScanner, textElements, type Names } from './tagScanner.ts'
import { tagSoup, xmlSoup } from './testing/tagSoup.ts'
import { tokenizerReferences } from './testing/tokenizerLinks.ts'

type Syntax = 'html' | 'xml'

/** Everything that is reported of a page, in order: references, the base, the title. U+0000 is shown as U+FFFD, which
 *  the tokenizer does not do. */
function reported(read: typeof pageReferences, text: string, syntax: Syntax): string[] {
  const out: string[] = []
  const report = (...parts: (string | undefined)[]): void =>
    void out.push(parts.filter(Boolean).join(' ').replaceAll('\0', '\ufffd'))
  const list: LinkList = {
    links: [],
    findings: [],
    full: false,
    add: (reference, kind, codebase) => (reference === '' ? undefined : report(kind, reference, codebase)),
    setBase: (reference) => (reference === undefined ? undefined : report('base', reference)),
    encodeQueryAs: () => {},
  }
  const title = read(text, list, syntax)
  if (title) report('title', title)
  return out
}

/** Deviations of the tokenizer from the standard: section, example, its result, the correct result, and the texts that are
 *  excluded from the comparison because of it. */
const differences: [section: string, syntax: Syntax, text: string, former: string[], now: string[], without: RegExp][] =
  [
    [
      'HTML 13.2.5.40: a slash that is not followed by > does not close',
      'html',
      '<svg / ><title>t</title>',
      ['title t'],
      [],
      /\/[\t\n\f\r ]+>/,
    ],
    [
      'HTML 13.2.6.4.4: the slash of an element that contains text is ignored',
      'html',
      '<title/>t</title>',
      [],
      ['title t'],
      /<(?:title|style|noframes|noembed)\b[^]*\/>/i,
    ],
    [
      'HTML 13.2.5.7: an end tag has attributes, and > in their quotes does not end it',
      'html',
      '</p title="><a href=x>"><a href=y>',
      ['navigation x', 'navigation y'],
      ['navigation y'],
      /<\/[^>]*["']/,
    ],
    [
      'HTML 13.2.5.42: outside of foreign content CDATA is a comment up to >',
      'html',
      '<![CDATA[<p><a href=x>]]>',
      [],
      ['navigation x'],
      /<!\[CDATA\[/,
    ],
    [
      'HTML 13.2.5.69: CDATA that is not closed is text',
      'html',
      '<svg><style><![CDATA[@import "x";',
      [],
      ['embed x'],
      /<!\[CDATA\[/,
    ],
    [
      'HTML 13.2.5.27: a script in a comment of a script has its own end tag',
      'html',
      '<script><!--<script></script><a href=x></script>--><a href=y>',
      ['navigation x', 'navigation y'],
      ['navigation y'],
      /<script[^]*<!--[^]*<script/i,
    ],
    [
      'HTML 13.2.5.12: only < begins an end tag, not U+001C',
      'html',
      '<script>\u001c/script><a href=x></script>',
      ['navigation x'],
      [],
      // oxlint-disable-next-line no-control-regex -- these are what the tokenizer confuses with / and <
      /[\u000f\u001c]/,
    ],
    [
      'HTML 13.2.5.8: only the case of ASCII letters is ignored, not that of the Kelvin sign',
      'html',
      '<lin\u212a href=x>',
      ['navigation x'],
      [],
      /\u212a/,
    ],
    ['XML 1.0, 2.7: CDATA may be empty', 'xml', '<title><![CDATA[]]>t</title>', [], ['title t'], /<!\[CDATA\[\]\]>/],
    [
      'XML 1.0, 2.6: a processing instruction is not text, even without its end',
      'xml',
      '<noframes><?<a href=x>',
      ['navigation x'],
      [],
      /<\?(?![^]*\?>)/,
    ],
    [
      'not well-formed XML, read as in HTML 13.2.5.42',
      'xml',
      '<!><a href=x>',
      [],
      ['navigation x'],
      /<!(?!--|\[CDATA\[|DOCTYPE)/,
    ],
    ['not well-formed XML, read as in HTML 13.2.5.7', 'xml', '<title></>t', ['title </>t'], ['title t'], /<\/[\s>/]/],
  ]

describe('where the tokenizer deviates from the standard', () => {
  test.each(differences)('%s', (_, syntax, text, former, now, without) => {
    expect(reported(tokenizerReferences, text, syntax)).toEqual(former)
    expect(reported(pageReferences, text, syntax)).toEqual(now)
    expect(text).toMatch(without)
  })
})

describe('otherwise both find the same', () => {
  test.each([
    ['html', tagSoup],
    ['xml', xmlSoup],
  ] as const)('in random %s', (syntax, soup) => {
    const known = differences.filter(([, of]) => of === 'html' || of === syntax).map(([, , , , , without]) => without)
    // CDATA deviates in HTML only.
    const left = syntax === 'xml' ? known.filter((pattern) => pattern.source !== '<!\\[CDATA\\[') : known
    fc.assert(
      fc.property(soup, (text) => {
        fc.pre(!left.some((pattern) => pattern.test(text)))
        expect(reported(pageReferences, text, syntax)).toEqual(reported(tokenizerReferences, text, syntax))
      }),
      { numRuns: 5000, maxSkipsPerRun: 10 },
    )
  })

  test.skipIf(!hasCorpora())(`in the samples (${corporaHint})`, () => {
    let references = 0
    for (const text of textsIn(corporaFolder, /(?:html?|w?arc)(?:\.gz)?$/)) references += compare(text)
    expect(references).toBeGreaterThan(1000)
  })

  const documentation = join(import.meta.dirname, '../../../.cache/benchmark/packages/qtbase5-doc-html')
  test.skipIf(!existsSync(documentation))('in real pages (skipped without those of npm run bench:harvest)', () => {
    let references = 0
    for (const text of textsIn(documentation, /[0-4ag-m]\.html$/)) references += compare(text)
    expect(references).toBeGreaterThan(1000)
  })

  function compare(text: string): number {
    const now = reported(pageReferences, text, 'html')
    expect(now).toEqual(reported(tokenizerReferences, text, 'html'))
    return now.length
  }
})

/** The beginning of each file whose name matches, unpacked. */
function* textsIn(folder: string, name: RegExp): Iterable<string> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !name.test(entry.name)) continue
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    yield unpacked(bytes).subarray(0, 2_000_000).toString('latin1')
  }
}

/** Unpacks a sample; damaged samples are compared without unpacking. */
function unpacked(bytes: Buffer): Buffer {
  try {
    return bytes[0] === 0x1f ? gunzipSync(bytes) : bytes
  } catch (error) {
    if (error instanceof Error && 'code' in error) return bytes
    throw error
  }
}

describe('what the end of the text cuts off', () => {
  const page =
    '<title>t</title><!--[if IE]><a href=a><![endif]--><svg><![CDATA[x]]></svg><script>"<!--<script></script>-->"</script>' +
    '<a href=\'b\' href="c"><img src=d ><style>@import "e";</style></p x="y"><?q?><!x><a href="f">'
  test('never adds a reference that the whole does not have', () => {
    const whole = new Set(reported(pageReferences, page, 'html'))
    for (let length = 0; length < page.length; length++)
      for (const found of reported(pageReferences, page.slice(0, length), 'html'))
        expect(whole.has(found) || page.slice(0, length).endsWith(found.slice(found.indexOf(' ') + 1))).toBe(true)
  })
})

/** Counts how many characters are looked at or copied. It has what the scanner uses of a string. */
class CountedText {
  steps = 0
  readonly #text: string
  readonly length: number
  constructor(text: string) {
    this.#text = text
    this.length = text.length
  }
  charCodeAt(at: number): number {
    this.steps++
    return this.#text.charCodeAt(at)
  }
  startsWith(text: string, at: number): boolean {
    this.steps += text.length
    return this.#text.startsWith(text, at)
  }
  endsWith(text: string): boolean {
    this.steps += text.length
    return this.#text.endsWith(text)
  }
  indexOf(text: string, from: number): number {
    const found = this.#text.indexOf(text, from)
    this.steps += (found < 0 ? this.length : found) - Math.min(from, this.length) + text.length
    return found
  }
  slice(start: number, end: number): string {
    this.steps += end - start
    return this.#text.slice(start, end)
  }
}

/** Knows every name, as none is known: the scanner gives all attributes. */
const everyName: Names = { find: (text, start, end) => text.slice(start, end) }

function stepsFor(text: string, syntax: Syntax): number {
  const counted = new CountedText(text)
  // The scanner uses only these methods of a string.
  const standIn = counted as unknown as string
  const scanner = new TagScanner({
    text: standIn,
    syntax,
    elements: new NameTable(textElements),
    attributes: everyName,
  })
  scanner.givesText = true
  for (let token = scanner.next(); token !== 'end'; token = scanner.next())
    if (token === 'startTag') while (scanner.nextAttribute()) scanner.value()
  return counted.steps
}

describe('every character is looked at a fixed number of times', () => {
  const many = (piece: string): string => piece.repeat(Math.ceil(100_000 / piece.length))
  test.each<[string, string]>([
    ['less-than signs', many('<')],
    ['comments that are never closed', many('<!--')],
    ['comments that nearly close', `<!--${many('--!-')}`],
    ['dashes', `<!--${many('-')}`],
    ['declarations', many('<!')],
    ['instructions', many('<?')],
    ['sections of CDATA', many('<![CDATA[')],
    ['their ends', `<svg><![CDATA[${many(']]')}`],
    ['start tags that are never closed', many('<a')],
    ['end tags that are never closed', many('</a')],
    ['attributes', `<a ${many('b ')}`],
    ['attributes with values', `<a ${many('b=c ')}>`],
    ['quotes that are never closed', many('<a b="')],
    ['quotes in end tags', many('</a b="')],
    ['white space in a tag', `<a ${many(' ')}`],
    ['slashes in a tag', `<a ${many('/')}`],
    ['equals signs', `<a ${many('=')}`],
    ['a long name', `<${many('a')}`],
    ['scripts that are never closed', many('<script>')],
    ['ends that are none', `<script>${many('</')}`],
    ['ends that nearly are', `<title>${many('</titl')}`],
    ['scripts in comments of scripts', `<script><!--${many('<script>')}`],
    ['their ends', `<script>${many('<!--<script></script>')}`],
    ['comments in scripts', many('<script><!--</script>')],
  ])('%s', (_, text) => {
    for (const syntax of ['html', 'xml'] as const) expect(stepsFor(text, syntax) / text.length).toBeLessThan(12)
  })
})
