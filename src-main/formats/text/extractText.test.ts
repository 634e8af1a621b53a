import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textCharactersMax, type TextSource } from './extracted.ts'
import { extractText, textFormOf } from './extractText.ts'

const source = (body: Uint8Array | string, mediaType: string, charset?: string): TextSource => ({
  ...{ url: 'http://example.com/a', mediaType, charset },
  body: typeof body === 'string' ? Buffer.from(body) : body,
})
function read(given: TextSource) {
  const form = textFormOf(given)
  if (form === 'pdf') throw new Error('a PDF is read elsewhere')
  return extractText(given, form)
}

test.each<[form: string, given: TextSource]>([
  ['page', source('<p>a', 'text/html; charset=utf-8')],
  ['page', source('<!doctype html><p>a', '')],
  ['xmlPage', source('<html xmlns="http://www.w3.org/1999/xhtml"/>', 'application/xhtml+xml')],
  ['feed', source('<?xml version="1.0"?><rss><channel/></rss>', 'application/xml')],
  ['plain', source('a', 'text/plain')],
  ['plain', source('# a', 'text/markdown')],
  ['pdf', source('%PDF-1.7', '')],
  ['pdf', source('anything', 'application/pdf')],
  ['none', source('a { }', 'text/css')],
  ['none', source('let a', 'text/javascript')],
  ['none', source('{}', 'application/json')],
  ['none', source(Uint8Array.of(0x89, 0x50, 0, 1), 'text/html')],
  ['none', source(Uint8Array.of(0, 1, 2), 'text/plain')],
  ['none', source('<urlset/>', 'application/xml')],
])('%s: %o', (form, given) => {
  expect(textFormOf(given)).toBe(form)
})

const moscow = 'Москва'
const inWindows1251 = Uint8Array.of(0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0)
const bytes = (...parts: (string | Uint8Array)[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))
test.each<[what: string, given: TextSource]>([
  ['the header', source(bytes('<p>', inWindows1251), 'text/html', 'windows-1251')],
  ['a meta element', source(bytes('<meta charset=cp1251><p>', inWindows1251), 'text/html')],
  ['http-equiv', source(bytes('<meta http-equiv=content-type content="text/html; charset=windows-1251"><p>', inWindows1251), 'text/html')], // prettier-ignore
  ['the header before a meta element', source(bytes('<meta charset=koi8-r><p>', inWindows1251), 'text/html', 'windows-1251')], // prettier-ignore
  ['a byte order mark before the header', source(bytes('\ufeff<p>', moscow), 'text/html', 'windows-1251')],
  ['UTF-16 by its mark', source(Buffer.from(`\ufeff<p>${moscow}`, 'utf16le'), 'text/html')],
  ['plain text that is valid UTF-8', source(moscow, 'text/plain')],
  ['plain text with a header', source(inWindows1251, 'text/plain', 'windows-1251')],
])('the encoding is taken from %s', (_, given) => {
  expect(read(given).text).toBe(moscow)
})

test('labels of the Encoding Standard that Node cannot decode are those that browsers refuse to decode', () => {
  const labels = ['ibm866', 'iso-8859-16', 'koi8-u', 'macintosh', 'windows-874', 'x-mac-cyrillic', 'gb18030', 'big5', 'euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr', 'x-user-defined'] // prettier-ignore
  for (const label of labels) expect(() => new TextDecoder(label), label).not.toThrow()
  for (const label of ['replacement', 'iso-2022-kr', 'hz-gb-2312']) expect(() => new TextDecoder(label)).toThrow()
  expect(new TextDecoder('windows-1252').decode(Uint8Array.of(0x80))).toBe('€')
})

test('a feed is its entries', () => {
  const rss = `<rss><channel><title>News</title><language>en-GB</language><description>All</description>
    <item><title>First &amp; best</title><description>&lt;p&gt;Some &lt;b&gt;text&lt;/b&gt;</description></item>
    <item><title>Second</title></item></channel></rss>`
  expect(read(source(rss, 'application/rss+xml'))).toMatchObject({
    ...{ title: 'News', description: 'All', language: 'en-gb', headings: ['First & best', 'Second'] },
    text: 'First & best\nSome text\nSecond',
  })
})

const markup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...['<p>', '</p>', '<nav>', '<svg', '<script>', '<!--', '-->', '<a href="', '">', '&#', '<![CDATA[', '</', '<rss>', '<item>', 'hidden ', '<title>', '\0', '<h1>', '</h1>', '%PDF-']), // prettier-ignore
      fc.string(),
    ),
    { maxLength: 60 },
  )
  .map((parts) => Buffer.from(parts.join('')))

test('any bytes give a bounded text', () => {
  fc.assert(
    fc.property(
      fc.oneof(markup, fc.uint8Array({ maxLength: 500 })),
      fc.constantFrom('', 'text/html', 'text/plain', 'application/xhtml+xml', 'application/rss+xml', 'text/xml'),
      fc.option(fc.constantFrom('utf-8', 'utf-16le', 'iso-2022-jp', 'gb18030', 'nonsense'), { nil: undefined }),
      (body, mediaType, charset) => {
        const given = source(body, mediaType, charset)
        const form = textFormOf(given)
        if (form === 'pdf') return
        const { text, title, headings } = extractText(given, form)
        expect(text.length + title.length + headings.join('').length).toBeLessThanOrEqual(4 * (body.length + 100))
      },
    ),
    { numRuns: Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 300) },
  )
})

test('a long document is cut, and says so', () => {
  const { text, findings } = read(source('abcdefghi\n'.repeat(200_000), 'text/plain'))
  expect(text.length).toBeLessThanOrEqual(textCharactersMax)
  expect(findings.map(({ rule }) => rule)).toEqual(['textTooLong'])
})
