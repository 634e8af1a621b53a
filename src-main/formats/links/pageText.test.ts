import { expect, test } from 'vitest'
import { pageText } from './pageText.ts'

const read = (html: string, charactersMax = 1_000) => pageText(Buffer.from(html), 'utf-8', charactersMax)

test.each<[what: string, html: string, text: string, language?: string]>([
  ['blocks on lines of their own', '<h1>A  b</h1><p>c <b>d</b>e<br>f</p>', 'A b\nc de\nf'],
  ['no scripts, styles, titles or comments', '<title>t</title><script>s</script><style>y</style>a<!-- c -->b', 'ab'],
  ['entities', '<p>&auml;&amp;&#x21db;</p>', 'ä&⇛'],
  ['a declared language', '<html lang=" de-AT "><p>Ja</p>', 'Ja', 'de-AT'],
  ['an empty language', '<html lang=""><p>Ja</p>', 'Ja'],
  ['unclosed elements', '<div><p>a<div>b', 'a\nb'],
])('%s', (_, html, text, language) => {
  expect(read(html)).toEqual({ text, language })
})

test('the text is cut at its limit', () => {
  expect(read('<p>abc</p><p>def</p>', 4).text).toBe('abc\nd')
})
