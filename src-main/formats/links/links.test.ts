import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extractLinks, type DocumentKind, type ExtractedLinks } from './links.ts'
import { corporaFolder, hasCorpora } from '../testing/corpora.ts'

interface Given {
  mediaType?: string
  charset?: string
  url?: string
  linksMax?: number
}

function extracted(body: string | Uint8Array, given: Given = {}): ExtractedLinks {
  return extractLinks({
    url: given.url ?? 'http://a.test/d/p.html',
    mediaType: given.mediaType ?? 'text/html',
    charset: given.charset,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    linksMax: given.linksMax ?? 1000,
  })
}

/** `e` loaded, `n` a place to go, `s` a list; the test's own host is left out. */
function short({ links }: ExtractedLinks): string[] {
  return links.map(({ url, kind }) => `${kind[0]} ${url.replace('http://a.test', '')}`)
}

function check(body: string, expected: string[], given: Given = {}): void {
  test(`${given.mediaType ?? ''} ${body.slice(0, 150)}`, () => {
    expect(short(extracted(body, given))).toEqual(expected)
  })
}

describe('navigation links', () => {
  check('<a href="b?c&amp;d=&eacute;#f">', ['n /d/b?c&d=%E9'])
  check("<A HREF='x'><a href=y><area href = z>", ['n /d/x', 'n /d/y', 'n /d/z'])
  check('<a href=first href=second>', ['n /d/first'])
  check('<a href="#top"><a href=""><a name=x><a href>', [])
  check('<a href="javascript:a()"><a href="mailto:a@b"><a href="tel:1"><a href="about:blank"><a href="blob:x">', [])
  check('<a href="data:text/html,x"><a href="ftp://x/"><a href="java\nscript:a()"><a href="http://[">', [])
  check('<a href=" /a b\n/c ">', ['n /a%20b/c'])
  check('<a href="//b.test:80/../x">', ['n http://b.test/x'])
  check('<form action=/find><form method=POST action=/send><form><button formaction=/b></form>', ['n /find', 'n /b'])
  check('<q cite=a><blockquote cite=b><ins cite=c><del cite=d>', ['n /d/a', 'n /d/b', 'n /d/c', 'n /d/d'])
  check('<meta http-equiv=Refresh content="5; URL=\'next.html\'">', ['n /d/next.html'])
  check('<meta http-equiv=refresh content="0;next.html"><meta http-equiv=refresh content=5>', ['n /d/next.html'])
  check('<meta property=og:url content=/canonical><link rel=canonical href=/c2>', ['n /canonical', 'n /c2'])
  check('<noscript><a href=x></noscript><template><a href=y></template>', ['n /d/x', 'n /d/y'])
  check('<noframes><a href=x></noframes><textarea><a href=no></textarea><xmp><a href=no></xmp>', ['n /d/x'])
  check('<!-- <a href=no> --><a href=x><!-- <a href=no>', ['n /d/x'])
  check('<script>"<a href=no>"</script><a href=x>', ['n /d/x'])
})

describe('embedded resources', () => {
  check('<img src=a.png lowsrc=b.png><img src=a.png>', ['e /d/a.png', 'e /d/b.png'])
  check(
    '<img srcset="a.png 1x, b,c.png 2x,d.png , e.png"><image src=f.png>',
    ['a.png', 'b,c.png', 'd.png', 'e.png', 'f.png'].map((name) => `e /d/${name}`),
  )
  check('<img srcset="a.png (,) 1x, data:image/png;base64,AA== 2x,,b.png,">', ['e /d/a.png', 'e /d/b.png'])
  check('<video src=a poster=b><source src=c><track src=d></video><audio src=e>', [
    'e /d/a',
    'e /d/b',
    'e /d/c',
    'e /d/d',
    'e /d/e',
  ])
  check('<iframe src=a></iframe><frame src=b longdesc=c><embed src=d>', ['e /d/a', 'e /d/b', 'n /d/c', 'e /d/d'])
  check('<iframe srcdoc="&lt;img src=&quot;x.png?a&amp;amp;b&quot;&gt;"></iframe>', ['e /d/x.png?a&b'])
  check('<script src=a.js></script><script type=module src=b.js></script>', ['e /d/a.js', 'e /d/b.js'])
  check('<link rel="Alternate StyleSheet" href=a.css><link rel=icon href=i.ico>', ['e /d/a.css', 'e /d/i.ico'])
  check('<link rel=preload imagesrcset="a.png 1x, b.png 2x" href=c.png>', ['e /d/a.png', 'e /d/b.png', 'e /d/c.png'])
  check('<link rel=next href=2><link rel=dns-prefetch href=//c.test><link rel=pingback href=x>', ['n /d/2'])
  check('<link rel=manifest href=m.json><html manifest=app.cache>', ['e /d/m.json', 'e /d/app.cache'])
  check('<body background=a.gif><td background=b.gif>', ['e /d/a.gif', 'e /d/b.gif'])
  check('<input type=image src=go.gif>', ['e /d/go.gif'])
  check('<object data=a.swf codebase=/c/><param name=movie value=b.swf><param name=bgcolor value=#ffffff>', [
    'e /c/a.swf',
    'e /d/b.swf',
  ])
  check('<applet codebase=/j code=A archive="b.jar, c.jar">', ['e /A.class', 'e /b.jar', 'e /c.jar'])
  check('<meta property=og:image content=/o.png><meta name=twitter:image content=/t.png>', ['e /o.png', 'e /t.png'])
  check('<img data-src=a.png data-srcset="b.png 1x"><div data-bg=blue data-src="{{url}}/x.png">', [
    'e /d/a.png',
    'e /d/b.png',
  ])
  check('<a href=big.jpg><img src=big.jpg></a>', ['e /d/big.jpg'])
  check('<p style="background:url(&quot;a.png&quot;)"><style>@import "b.css";</style>', ['e /d/a.png', 'e /d/b.css'])
  check('<style>a{background:url(a.png)}', ['e /d/a.png'])
  check('<!--[if lt IE 9]><script src=ie.js></script><![endif]--><!--[if IE', ['e /d/ie.js'])
  check('<svg><style/><title/><use href="s.svg#i"/><image xlink:href=i.png /><a xlink:href=x></svg><a href=y>', [
    'e /d/s.svg',
    'e /d/i.png',
    'n /d/x',
    'n /d/y',
  ])
  check('<svg><p><script>"<img src=no>"</script>', [])
})

describe('base URLs', () => {
  check('<base href=/x/><base href=/y/><a href=z>', ['n /x/z'])
  check('<a href=z><base href="http://b.test/"><a href=z>', ['n /d/z', 'n http://b.test/z'])
  check('<base href="javascript:x"><a href=z>', ['n /d/z'])
  check(`<base href="/${'x'.repeat(10_000)}/"><a href=z>`, ['n /d/z'])
})

describe('XML', () => {
  const xhtml = { mediaType: 'application/xhtml+xml' }
  check(
    '<html><script src="a.js"/><style><![CDATA[a{b:url(c.png)}]]></style><a href="b"/></html>',
    ['e /d/a.js', 'e /d/c.png', 'n /d/b'],
    xhtml,
  )
  check(
    '<?xml-stylesheet type="text/css" href="a.css?b&amp;c"?><h:html><h:base href="/x/"/><a href="y"/></h:html>',
    ['e /d/a.css?b&c', 'n /d/y'],
    xhtml,
  )
  check('<svg xmlns:xlink="x"><image xlink:href="a.png"/><use href="#b"/></svg>', ['e /d/a.png'], {
    mediaType: 'image/svg+xml',
  })
})

describe('style sheets', () => {
  const css = { mediaType: 'text/css', url: 'http://a.test/d/s.css' }
  check(
    '@import "a.css"; @import url(b.css) screen; @IMPORT url("c.css") layer(x) supports(display: grid)',
    ['e /d/a.css', 'e /d/b.css', 'e /d/c.css'],
    css,
  )
  check('@import "a.css" supports(font-format("woff")); b{content:"no.png"}', ['e /d/a.css'], css)
  check('@namespace url(no); @namespace svg "no"; a{background:url(a.png)}', ['e /d/a.png'], css)
  check(
    '@font-face{src:local("Arial"),url(a.woff2) format("woff2"),url(\'b.woff\')}',
    ['e /d/a.woff2', 'e /d/b.woff'],
    css,
  )
  check(
    'a{b:image-set("1.png" 1x, url(2.png) 2x, "3.png" type("image/png"))}',
    ['e /d/1.png', 'e /d/2.png', 'e /d/3.png'],
    css,
  )
  check('a{b:-webkit-image-set(url(1.png) 1x)} c{d:URL( "e.png" )}', ['e /d/1.png', 'e /d/e.png'], css)
  check(
    'a{b:u\\72l(a.png);c:url(b\\)c.png);d:url("e\\\nf.png");g:url(\\68.png)}',
    ['e /d/a.png', 'e /d/b)c.png', 'e /d/ef.png', 'e /d/h.png'],
    css,
  )
  check('/* url(no) */a{b:url(/* no */)}c{d:url(e.png)}/* url(no)', ['e /d/e.png'], css)
  check('a{b:url(no no)}c{d:url(no"no)}e{f:url(g.png', ['e /d/g.png'], css)
  check('a{b:"no\n;c:url(d.png)}', ['e /d/d.png'], css)
  check('a{--x:url(a.png);b:#url(no)}c{d:myurl(no)}', ['e /d/a.png'], css)
  check('a{b:calc((1px);c:url(d.png)}', ['e /d/d.png'], css)
  check('a{b:url(data:image/png;base64,AA==);c:url(#d);e:url()}', [], css)
  check('\\', [], css)
})

describe('lists of URLs', () => {
  const xml = { mediaType: 'application/xml' }
  check(
    '<?xml version="1.0"?><!-- x --><urlset><url><loc>\n http://a.test/1?a&amp;b </loc><lastmod>x</lastmod></url></urlset>',
    ['n /1?a&b'],
    xml,
  )
  check(
    '<urlset><url><loc>http://a.test/1?a&b=<![CDATA[2]]></loc></url><url><loc>/2</loc></urlset>',
    ['n /1?a&b=2', 'n /2'],
    xml,
  )
  check(
    '<urlset><url><loc>/p</loc><xhtml:link rel="alternate" href="/de"/><image:image><image:loc>/i.png</image:loc></image:image></url></urlset>',
    ['n /p', 'n /de', 'e /i.png'],
    xml,
  )
  check('<sm:sitemapindex><sm:sitemap><sm:loc>/s.xml</sm:loc></sm:sitemap></sm:sitemapindex>', ['s /s.xml'], xml)
  check(
    '<rss><channel><title>T</title><link>/c</link><item><link>/1</link><guid>5</guid><enclosure url="/1.mp3"/><description>&lt;img src="/x.png"></description></item></channel></rss>',
    ['n /c', 'n /1', 'e /1.mp3', 'e /x.png'],
    { mediaType: 'text/xml' },
  )
  check(
    '<feed><link rel="alternate" href="/1"/><icon>/i.png</icon><entry><content type="html"><![CDATA[<a href="/x">]]></content></entry></feed>',
    ['n /1', 'e /i.png', 'n /x'],
    { mediaType: 'application/atom+xml' },
  )
  check('\ufeffhttp://a.test/1\r\n\r\nhttp://a.test/2\r\n', ['n /1', 'n /2'], { mediaType: 'text/plain' })
  check('See http://a.test/1\nhttp://a.test/2', [], { mediaType: 'text/plain' })
})

test.each<[string, string, string, DocumentKind]>([
  ['text/html; charset=utf-8', '/x', 'anything', 'html'],
  ['TEXT/HTML', '/x', '<?xml version="1.0"?><urlset>', 'sitemap'],
  ['text/html', '/x', '<svg></svg><p>', 'html'],
  ['text/html', '/x', '\u0089PNG\r\n\u001a\n\0\0', 'other'],
  ['application/xml', '/x', '<!DOCTYPE html><html xmlns="x">', 'html'],
  ['application/xml', '/x', '<mine/>', 'other'],
  ['text/xml', '/x', '<rdf:RDF xmlns:rdf="x">', 'feed'],
  ['', '/x', '  <!-- c --><!DOCTYPE HTML>', 'html'],
  ['', '/x', '<p>', 'html'],
  ['', '/x.css?y', 'a{}', 'css'],
  ['', '/x', 'a{}', 'other'],
  ['', '/x', '', 'other'],
  ['text/plain', '/x.css', 'a{}', 'css'],
  ['text/plain', '/x', '<html>', 'other'],
  ['application/octet-stream', '/x', '<urlset>', 'sitemap'],
  ['application/json', '/x', '<html>', 'other'],
  ['image/png', '/x', '<html>', 'other'],
])('%s at %s beginning with %s is %s', (mediaType, path, body, kind) => {
  expect(extracted(Buffer.from(body, 'latin1'), { mediaType, url: `http://a.test${path}` }).kind).toBe(kind)
})

test.each([
  ['<title>\n A &amp; B  &lt;C </title>', 'A & B <C'],
  ['<svg><title>no</title></svg><title>yes</title><title>no</title>', 'yes'],
  ['<title></title>', undefined],
  ['<title>never closed', 'never closed'],
])('the title of %s is %s', (html, title) => {
  expect(extracted(html).title).toBe(title)
})

const russian = Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0])

test.each<[string, Uint8Array, Given, string, string]>([
  ['the header', Buffer.from('<title>\u00e9</title><a href="?é">'), { charset: 'UTF-8' }, 'é', '?%C3%A9'],
  [
    'meta',
    Buffer.concat([
      Buffer.from('<meta charset=windows-1251><title>'),
      russian,
      Buffer.from('</title><a href="?q='),
      russian,
      Buffer.from('">'),
    ]),
    {},
    'Москва',
    '?q=%CC%EE%F1%EA%E2%E0',
  ],
  [
    'meta http-equiv',
    Buffer.from(
      '<meta http-equiv=content-type content="text/html; charset=shift_jis"><title>\x93\xfa</title><a href="?\x93\xfa&x=1">',
      'latin1',
    ),
    {},
    '日',
    '?%93%FA&x=1',
  ],
  ['meta that cannot be', Buffer.from('<meta charset=utf-16><title>é</title><a href="?é">'), {}, 'é', '?%C3%A9'],
  [
    'a mark against the header',
    Buffer.from('\ufeff<title>é</title><a href="?é">'),
    { charset: 'iso-8859-1' },
    'é',
    '?%C3%A9',
  ],
  ['UTF-16', Buffer.from('\ufeff<title>é</title><a href="?é">', 'utf16le'), {}, 'é', '?%C3%A9'],
  ['nothing', Buffer.from('<title>\xe9\x80</title><a href="?\xe9&#1052;">', 'latin1'), {}, 'é€', '?%E9%26%231052%3B'],
  [
    'an unknown name',
    Buffer.from('<title>\xe9</title><a href="?\xe9">', 'latin1'),
    { charset: 'klingon' },
    'é',
    '?%E9',
  ],
  ['the path, always UTF-8', Buffer.from('<title>\xe9</title><a href="/\xe9?\xe9">', 'latin1'), {}, 'é', '/%C3%A9?%E9'],
])('the charset from %s', (_, body, given, title, link) => {
  const found = extracted(body, given)
  expect(found.title).toBe(title)
  expect(found.links[0]?.url).toBe(new URL(link, 'http://a.test/d/p.html').href)
})

test('the charset of style sheets and XML', () => {
  const css = Buffer.from('@charset "windows-1252";a{b:url(\xe9.png)}', 'latin1')
  expect(short(extracted(css, { mediaType: 'text/css' }))).toEqual(['e /d/%C3%A9.png'])
  const xml = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><urlset><loc>/\xe9</loc></urlset>', 'latin1')
  expect(short(extracted(xml, { mediaType: 'text/xml' }))).toEqual(['n /%C3%A9'])
})

test('returns no more links than requested, and reports the cut', () => {
  const found = extracted('<a href=1><a href=2><a href=2><a href=3><a href=4>', { linksMax: 2 })
  expect(short(found)).toEqual(['n /d/1', 'n /d/2'])
  expect(found.findings.map(({ rule }) => rule)).toEqual(['tooManyLinks'])
})

test('leaves out overlong links and reports it once', () => {
  const long = 'x'.repeat(9000)
  const found = extracted(`<a href=${long}><a href=y><a href=${long}z><a href=${'é'.repeat(3000)}>`)
  expect(short(found)).toEqual(['n /d/y'])
  expect(found.findings.map(({ rule }) => rule)).toEqual(['urlTooLong'])
})

describe('hostile documents of a megabyte are read to their end', () => {
  const mega = (piece: string): string => piece.repeat(Math.ceil(1_000_000 / piece.length))
  test.each([
    ['tags in tags', `${mega('<a')} href=x>`, 0],
    ['comments never closed', mega('<!--'), 0],
    ['conditional comments in each other', mega('<!--[if'), 0],
    ['elements never closed, then others closed', `${mega('<b>')}${mega('</i>')}<a href=x>`, 1],
    ['attributes without end', `<a ${mega('href=x ')}>`, 1],
    ['different attributes', `<a ${Array.from({ length: 100_000 }, (_, n) => `a${n}`).join(' ')} href=x>`, 1],
    ['four million attributes', `<p${' a'.repeat(4_000_000)}><a href=x>`, 1],
    ['two million tags', `${'<b>'.repeat(2_000_000)}<a href=x>`, 1],
    ['links with one long base', `<base href="/${'x'.repeat(500_000)}/">${'<a href=x>'.repeat(50_000)}`, 1],
    ['archives at one long codebase', `<object codebase="/${'x'.repeat(500_000)}/" archive="${mega('a ')}">`, 1],
    ['character references', `<a href="${mega('&#38;')}">`, 0],
    ['half of them', `<a href="?${mega('&amp')}">`, 0],
    ['candidates', `<img srcset="${mega('a (')}">`, 1],
    ['commas', `<img srcset="${mega(',')}a">`, 1],
    ['brackets in a style', `<p style="${mega('a(')}b:url(c)">`, 1],
    ['escapes in a style', `<p style="${mega('\\a')};b:url(c)">`, 1],
    ['svg in svg', `${mega('<svg>')}<a href=x>`, 1],
    ['frames in frames', mega('<iframe srcdoc="<a href=x>'), 1],
  ])('%s', (_, html, links) => {
    expect(extracted(html).links.length).toBe(links)
  })

  test.each([
    ['elements never closed', `<urlset>${mega('<url>')}<loc>/x</loc>`, 1],
    ['ends of nothing', `<urlset>${mega('</url>')}<loc>/x</loc>`, 1],
    ['entities', `<urlset><loc>${mega('&amp;')}</loc><loc>/x</loc>`, 1],
  ])('a sitemap of %s', (_, xml, links) => {
    expect(extracted(xml, { mediaType: 'text/xml' }).links.length).toBe(links)
  })
})

test('any bytes with any media type give valid links', () => {
  const piece = fc.constantFrom(
    ...[
      '<a href="',
      '<img srcset=',
      '>',
      '"',
      "'",
      '<style>',
      '</style>',
      'url(',
      '@import ',
      '<!--[if',
      '-->',
      '<svg>',
      '</svg>',
    ],
    ...[
      '<base href=',
      '&amp;',
      '&#x',
      '\\',
      '<meta charset=gbk>',
      '<![CDATA[',
      ']]>',
      '<urlset>',
      '<loc>',
      '</loc>',
      '<rss>',
      '/x',
      '?é',
    ],
  )
  const document = fc
    .array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 40 })
    .map((parts) => Buffer.from(parts.join('')))
  const mediaType = fc.constantFrom(
    '',
    'text/html',
    'application/xhtml+xml',
    'text/css',
    'text/xml',
    'image/svg+xml',
    'text/plain',
  )
  fc.assert(
    fc.property(
      fc.oneof(document, fc.uint8Array({ maxLength: 300 })),
      mediaType,
      fc.option(fc.string()),
      (body, type, charset) => {
        const { links } = extracted(body, { mediaType: type, linksMax: 10, ...(charset === null ? {} : { charset }) })
        expect(links.length).toBeLessThanOrEqual(10)
        expect(new Set(links.map(({ url }) => url)).size).toBe(links.length)
        for (const { url } of links) {
          expect(new URL(url).href).toBe(url)
          expect(url).toMatch(/^https?:\/\/[^#]*$/)
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test('finds every reference that was written into a page', () => {
  const name = fc
    .stringMatching(/^[a-z0-9/?=&;'()"<> \u00e4\u4e00-]{1,20}$/)
    .filter((text) => text.trim() !== '' && URL.canParse(text, 'http://a.test/'))
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
      const escaped = names.map((text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'))
      const html = `<meta charset=utf-8>${escaped.map((text) => `<p>x<a class=y href="${text}">z</a>`).join('\n')}`
      const expected = new Set(names.map((text) => new URL(text, 'http://a.test/d/p.html').href))
      expect(extracted(html).links.map(({ url }) => url)).toEqual([...expected])
    }),
  )
})

test.skipIf(!hasCorpora())(
  'every file of the corpora is read, whatever it is (skipped without samples: npm run corpora)',
  () => {
    const files = readdirSync(corporaFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    let links = 0
    for (const file of files) {
      const body = readFileSync(`${file.parentPath}/${file.name}`).subarray(0, 200_000)
      for (const mediaType of ['text/html', 'text/css', 'text/xml', ''])
        links += extracted(body, { mediaType }).links.length
    }
    expect(links).toBeGreaterThan(0)
  },
)
