import { expect, test } from 'vitest'
import { pageText } from './pageText.ts'

const read = (html: string, charactersMax = 1_000) =>
  pageText({ body: Buffer.from(html), charset: 'utf-8' }, { charactersMax })

test.each<[what: string, html: string, text: string]>([
  ['blocks on lines of their own', '<h1>A  b</h1><p>c <b>d</b>e<br>f</p>', 'A b\nc de\nf'],
  ['no scripts, styles, titles or comments', '<title>t</title><script>s</script><style>y</style>a<!-- c -->b', 'ab'],
  ['no templates, alternatives without scripts or controls', '<template>t</template><noscript>n</noscript>a<button>b</button>', 'a'], // prettier-ignore
  ['nothing hidden', '<p>a<div hidden>b<div>c</div></div>d', 'a\nd'],
  ['a nested silent element', '<svg><svg><text>t</text></svg>u</svg>a', 'a'],
  ['what ends a picture', '<svg><text>t<p>a', 'a'],
  ['entities', '<p>&auml;&amp;&#x21db;&lt;b&gt;&nbsp;c</p>', 'ä&⇛<b> c'],
  ['cells and items', '<table><tr><td>a<td>b</table><ul><li>c<li>d</ul>', 'a\nb\nc\nd'],
  ['unclosed elements', '<div><p>a<div>b', 'a\nb'],
  ['no menus', '<nav>n</nav><div role="navigation">m</div><header>h</header><p>text of the page</p><footer>f</footer>', 'text of the page'], // prettier-ignore
  ['the header of an article', '<article><header>h</header>a</article>', 'h\na'],
  ['a page that is a menu', '<nav>all of this page</nav>x', 'all of this page\nx'],
  ['no runs of links', `${'<li><a href=x>link</a>'.repeat(8)}<p>${'text '.repeat(20)}`, 'text '.repeat(20).trim()],
  ['a list of links as such', `${'<li><a href=x>link</a>'.repeat(8)}<p>text`, `${'link\n'.repeat(8)}text`],
])('a reader sees %s', (_, html, text) => {
  expect(read(html).text).toBe(text)
})

test('a page says what it is about', () => {
  const page = `<html lang="de-AT"><title>T &amp; t</title><meta name=description content="D&eacute;">
    <nav><h2>Menu</h2></nav><h1>One</h1><p>a</p><h2>Two <a href=x>#</a></h2>`
  expect(read(page)).toMatchObject({
    ...{ title: 'T & t', description: 'Dé', headings: ['One', 'Two #'], language: 'de-at' },
  })
})

test.each<[what: string, html: string, expected: object]>([
  ['Open Graph, where there is nothing else', '<meta property=og:title content=T><meta property=og:description content=D>', { title: 'T', description: 'D' }], // prettier-ignore
  ['the first heading for a title', '<h2>H</h2>', { title: 'H' }],
  ['an empty language', '<html lang=""><p>Ja</p>', { language: '' }],
  ['no nonsense as a language', '<html lang="{{ lang }}"><p>Ja</p>', { language: '' }],
  ['not the title of a picture', '<svg><title>no</title></svg><title>yes</title>', { title: 'yes' }],
])('%s', (_, html, expected) => {
  expect(read(html)).toMatchObject(expected)
})

test('the text is cut at its limit', () => {
  const { text, findings } = read('<p>abc</p><p>def</p>', 4)
  expect(text).toBe('abc\nd')
  expect(findings.map(({ rule }) => rule)).toEqual(['textTooLong'])
})

test('a hostile page takes linear time', () => {
  const deep = `${'<nav><a>'.repeat(400_000)}x${'</aside></b></main>'.repeat(200_000)}`
  expect(read(deep).text).toBe('x')
})
