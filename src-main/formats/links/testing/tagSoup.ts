/** Random HTML and XML for tests of what reads tags: pieces that begin, end and hide tags, in any order. */
import fc from 'fast-check'

const names = ['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript']

const pieces = [
  ...[
    '<',
    '</',
    '>',
    '/>',
    '"',
    "'",
    '=',
    ' ',
    '\n',
    '\t',
    '/',
    '-',
    '--',
    '!',
    '-->',
    '--!>',
    '<!--',
    '<!',
    '<?',
    '?>',
  ],
  ...['<!-->', '<!--->', '<!--[if IE]>', '<![endif]-->', ']]>', '<!DOCTYPE html>', '<!doctype "x>">'],
  ...names.flatMap((name) => [`<${name}>`, `</${name}>`]),
  ...['<script ', '<SCRIPT>', '</Script ', '</script', '</title', '<title/>', '<style/>', '<plaintext>'],
  ...['<svg>', '</svg>', '<svg/>', '<math>', '</math>', '<p>', '</p>', '<div class="a">', '<br/>', '<b title="<a>">'],
  ...['<a href=', '<a href="', "<a href='", '<A HREF=x>', '<a href=a href=b>', '<a b=c href = "d">', '</a>', '</a b="'],
  ...['<img src=x.png>', "<img srcset='a 1x, b 2x'>", '<p style="background:url(x)">', '<i data-src=a.png>'],
  ...['<base href=/b/>', '<link rel=icon href=', '<meta property=og:url content=', '<object data=a archive="b c">'],
  ...['<iframe srcdoc="', 'url(y)', '@import "z";', 'href', 'style', 'data-src', 'x.png', '/d/e', 'a'],
  ...['&amp;', '&#x41', '&#0;', '&lt', '&', '&quot;', '\0', '\u00e9', '\u65e5', '\ud83d'],
]

/** HTML that is mostly not valid. */
export const tagSoup = soup(pieces)

/** The same in XML, with sections of CDATA and processing instructions. */
export const xmlSoup = soup([
  ...pieces,
  ...['<![CDATA[', '<style><![CDATA[', '<?xml-stylesheet href="s.css"?>', '<x:a href="b"/>', '<title><![CDATA[t]]>'],
])

function soup(from: string[]): fc.Arbitrary<string> {
  const piece = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...from) }, fc.string({ maxLength: 4 }))
  return fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''))
}
