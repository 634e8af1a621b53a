import { expect, test } from 'vitest'
import { listEntries, type ListEntry } from './listEntries.ts'

const url = 'https://a.example/lists/list.xml'

function entriesOf(text: string, linksMax = 100) {
  return listEntries({ url, mediaType: 'text/xml', body: new TextEncoder().encode(text), linksMax })
}

const entry = (path: string, more: Partial<ListEntry> = {}): ListEntry => ({
  url: `https://a.example${path}`,
  kind: 'navigation',
  ...more,
})

test.each<[name: string, text: string, entries: ListEntry[]]>([
  [
    'a sitemap with dates of every precision and pictures',
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
       <url><loc>https://a.example/one</loc><lastmod>2026-01-02</lastmod></url>
       <url><lastmod>2026-01-02T03:04:05+01:00</lastmod><loc> https://a.example/two?a=1&amp;b=2#part </loc>
         <image:image><image:loc>https://a.example/two.png</image:loc></image:image></url>
       <url><loc>/three</loc><lastmod>yesterday</lastmod></url></urlset>`,
    [
      entry('/one', { date: '2026-01-02' }),
      entry('/two?a=1&b=2', { date: '2026-01-02T02:04:05.000Z' }),
      entry('/two.png', { kind: 'embed' }),
      entry('/three', { date: 'yesterday' }),
    ],
  ],
  [
    'a list of sitemaps',
    `<sitemapindex><sitemap><loc>https://a.example/s1.xml.gz</loc><lastmod>2026</lastmod></sitemap></sitemapindex>`,
    [entry('/s1.xml.gz', { kind: 'sitemap', date: '2026' })],
  ],
  [
    'RSS 2.0: link, else a guid that is a URL; RFC 822 dates; enclosures and resources in the text',
    `<rss version="2.0"><channel><title>News</title><link>https://a.example/</link>
       <item><title>One &amp; only</title><link>https://a.example/1</link><pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate>
         <enclosure url="https://a.example/1.mp3" length="1" type="audio/mpeg"/>
         <description>&lt;a href="/elsewhere"&gt;more&lt;/a&gt;&lt;img src="/1.png"&gt;</description></item>
       <item><guid>https://a.example/2</guid></item>
       <item><guid isPermaLink="false">https://a.example/3</guid><title>no address</title></item></channel></rss>`,
    [
      entry('/1', { title: 'One & only', date: '2026-01-05T10:00:00.000Z' }),
      entry('/1.mp3', { kind: 'embed' }),
      entry('/1.png', { kind: 'embed' }),
      entry('/2'),
    ],
  ],
  [
    'RSS 1.0',
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel rdf:about="https://a.example/"><title>T</title></channel>
       <item rdf:about="https://a.example/1"><title>One</title><dc:date>2026-01-05T10:00Z</dc:date></item></rdf:RDF>`,
    [entry('/1', { title: 'One', date: '2026-01-05T10:00:00.000Z' })],
  ],
  [
    'Atom: the alternate link, the day of publication before that of a change, a title of HTML',
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title>
       <entry><id>tag:a.example,2026:1</id><title type="html">&lt;b&gt;One&lt;/b&gt;</title>
         <updated>2026-01-07T00:00:00Z</updated><published>2026-01-05T00:00:00Z</published>
         <link rel="edit" href="/edit/1"/><link href="/1"/><link rel="enclosure" href="/1.pdf"/></entry>
       <entry><id>https://a.example/2</id><updated>2026-01-08T00:00:00Z</updated></entry></feed>`,
    [
      entry('/1', { title: 'One', date: '2026-01-05T00:00:00.000Z' }),
      entry('/1.pdf', { kind: 'embed' }),
      entry('/2', { date: '2026-01-08T00:00:00.000Z' }),
    ],
  ],
  ['a text file of addresses', 'https://a.example/1\nhttps://a.example/2\n', [entry('/1'), entry('/2')]],
  ['a page, which lists nothing', '<!doctype html><a href="/1">one</a>', []],
  ['nothing', '', []],
])('%s', (_name, text, entries) => {
  expect(entriesOf(text).entries.map((one) => ({ ...one, title: one.title?.trim() }))).toEqual(
    entries.map((one) => ({ ...one, title: one.title })),
  )
})

test('reports the older archive pages of a feed, not the newer ones', () => {
  const text = `<feed><link rel="self" href="/now"/><link rel="next" href="/2"/><link rel="prev-archive" href="/2025"/>
    <link rel="next-archive" href="/2027"/><entry><link rel="next" href="/x"/><link href="/1"/></entry></feed>`
  expect(entriesOf(text)).toMatchObject({ form: 'feed', older: ['https://a.example/2', 'https://a.example/2025'] })
})

test('truncated anywhere, returns a bounded part of the same entries', () => {
  const text = `<rss><channel><item><link>https://a.example/1</link></item><item><link>https://a.example/2</link></item></channel></rss>`
  const whole = entriesOf(text).entries
  for (let length = 0; length <= text.length; length += 1) {
    const { entries } = entriesOf(text.slice(0, length))
    expect(whole.slice(0, entries.length)).toEqual(entries)
  }
  expect(entriesOf(text, 1).entries).toHaveLength(1)
})
