/** A small museum: pages on http://museum.test, their pictures, styles and scripts on https://media.test with a self-signed
 *  certificate. A harvest that obeys robots.txt cannot fetch one of the pictures; everything else can be captured. */
import 'reflect-metadata'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'
import { gradient } from './picture.ts'
import { listen, siteRequest, type NamedSite, type SiteRequest } from './server.ts'

const museum = 'http://museum.test'
const media = 'https://media.test'

/** The only address that a page asks for and a harvest that obeys robots.txt does not capture. */
export const missing = {
  url: `${museum}/private/portrait.png`,
  referrer: `${museum}/collection/harbour.html`,
}

type Encoding = 'gzip' | 'br' | 'zstd'

interface Answer {
  status?: number
  mediaType: string
  body: string | Buffer
  /** Content coding, used for clients that accept it. */
  encoding?: Encoding
  /** Sent in chunks, without a Content-Length. */
  chunked?: true
  location?: string
}

const compress: Record<Encoding, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
}

const paintings = [
  {
    name: 'dawn',
    title: 'Dawn over the Marsh',
    colours: [
      [250, 200, 120],
      [40, 60, 120],
    ],
  },
  {
    name: 'harbour',
    title: 'The Harbour in Winter',
    colours: [
      [220, 230, 240],
      [20, 70, 90],
    ],
  },
  {
    name: 'orchard',
    title: 'Orchard with Ladder',
    colours: [
      [200, 230, 140],
      [60, 90, 30],
    ],
  },
  {
    name: 'letter',
    title: 'Woman with a Letter',
    colours: [
      [240, 190, 180],
      [90, 30, 50],
    ],
  },
] as const

/** A page of the museum. It names its icon, since a browser would otherwise request /favicon.ico, which no page links to. */
function page(title: string, content: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} – Museum of Small Things</title>
<link rel="icon" type="image/png" href="${media}/images/icon.png">
<link rel="stylesheet" href="${media}/style/main.css">
${head}</head>
<body>
<nav><a href="/">Home</a> <a href="/collection/">Collection</a> <a href="/visit.html">Visit</a> <a href="/news.html">News</a> <a href="/old-address">About</a></nav>
<h1>${title}</h1>
${content}
<script src="${media}/script/menu.js"></script>
</body>
</html>
`
}

function paintingPage({ name, title }: (typeof paintings)[number]): string {
  const portrait = missing.referrer.endsWith(`/${name}.html`)
    ? '<p>Its painter: <img src="/private/portrait.png" width="80" height="100" alt="Portrait of the painter"></p>'
    : ''
  return page(
    title,
    `<p><img src="${media}/images/${name}-320.png" srcset="${media}/images/${name}-320.png 320w, ${media}/images/${name}-640.png 640w" sizes="320px" width="320" height="200" alt="${title}"></p>
${portrait}<p><a href="${media}/credits.html">Credits of the picture</a></p>`,
  )
}

const html = 'text/html; charset=utf-8'

const museumAnswers: Record<string, Answer> = {
  '/': {
    mediaType: html,
    encoding: 'gzip',
    body: page(
      'Welcome',
      `<p style="background-image: url('${media}/images/ribbon.png')">Four paintings, and a door that is closed.</p>
<p><img src="/images/house.png" width="320" height="200" alt="The house"></p>
<p><a href="/about.html">About us</a>, <a href="collection/">the collection</a>, <a href="/windows.html">the windows</a></p>`,
    ),
  },
  '/collection/': {
    mediaType: html,
    encoding: 'br',
    body: page(
      'Collection',
      `<ul>${paintings
        .map(
          ({ name, title }) =>
            `<li><a href="${name}.html"><img src="${media}/images/${name}-320.png" width="160" alt=""> ${title}</a></li>`,
        )
        .join('\n')}</ul>`,
    ),
  },
  ...Object.fromEntries(
    paintings.map((painting) => [
      `/collection/${painting.name}.html`,
      { mediaType: html, body: paintingPage(painting) },
    ]),
  ),
  '/about.html': {
    mediaType: html,
    encoding: 'zstd',
    body: page('About', '<p>Founded in 1901. <a href="/guestbook.html">Guest book</a></p>'),
  },
  '/old-address': { status: 301, location: '/about.html', mediaType: 'text/plain', body: 'moved\n' },
  '/visit.html': {
    mediaType: html,
    chunked: true,
    body: page(
      'Visit',
      `<p>Tuesday to Sunday.</p>\n<iframe src="${media}/plan.html" width="400" height="260" title="Plan"></iframe>`,
    ),
  },
  '/news.html': {
    mediaType: html,
    body: page(
      'News',
      '<p>Nothing new. <a href="/news.html?page=2">Older</a></p>',
      '<link rel="alternate" type="application/rss+xml" href="/news.rss">\n',
    ),
  },
  '/news.html?page=2': { mediaType: html, body: page('Older news', '<p>Nothing old either.</p>') },
  '/news.rss': {
    mediaType: 'application/rss+xml',
    body: `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>${museum}/news.html</link></channel></rss>`,
  },
  // An old page in windows-1252, which is declared only in the page itself.
  '/windows.html': {
    mediaType: 'text/html',
    body: Buffer.from(
      `<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><title>Fen\xeatres</title>
<link rel="icon" href="${media}/images/icon.png"></head><body background="/images/house.png"><a href="/">Retour \xe0 l'entr\xe9e</a></body></html>`,
      'latin1',
    ),
  },
  '/guestbook.html': {
    mediaType: html,
    body: page('Guest book', '<form method="post" action="/sign"><input name="words"><button>Sign</button></form>'),
  },
  // Linked only from the sitemap.
  '/restoration.html': { mediaType: html, body: page('Restoration', '<p>Found by the sitemap alone.</p>') },
  '/images/house.png': { mediaType: 'image/png', body: gradient(320, 200, [240, 220, 190], [120, 70, 40]) },
  '/private/portrait.png': { mediaType: 'image/png', body: gradient(80, 100, [60, 60, 60], [200, 200, 200]) },
  '/robots.txt': {
    mediaType: 'text/plain',
    body: `User-agent: *\nDisallow: /private/\n\nSitemap: ${museum}/sitemap.xml\n`,
  },
  '/sitemap.xml': {
    mediaType: 'application/xml',
    body: `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${museum}/</loc></url><url><loc>${museum}/restoration.html</loc></url></urlset>`,
  },
}

const mediaAnswers: Record<string, Answer> = {
  '/robots.txt': { mediaType: 'text/plain', body: 'User-agent: *\nDisallow:\n' },
  '/style/main.css': {
    mediaType: 'text/css',
    encoding: 'gzip',
    body: `@import "fonts.css";
@import url(print.css) print;
body { background: #f4efe6 url("../images/paper.png"); font-family: Museum, serif; margin: 2em }
nav a { padding-right: 1em }
`,
  },
  '/style/fonts.css': {
    mediaType: 'text/css',
    body: `@font-face { font-family: Museum; src: local("no such font"), url(../fonts/museum.woff2) format("woff2") }\n`,
  },
  '/style/print.css': { mediaType: 'text/css', body: 'nav { display: none }\n' },
  // Not a valid font: the browser falls back to its own. Only the request matters.
  '/fonts/museum.woff2': { mediaType: 'font/woff2', body: Buffer.from('wOF2\0\x01\0\0', 'latin1') },
  '/script/menu.js': { mediaType: 'text/javascript', body: "document.documentElement.classList.add('ready')\n" },
  '/plan.html': {
    mediaType: html,
    body: `<!doctype html><title>Plan</title><p><img src="/images/plan.png" width="320" height="200" alt="Plan of the house"></p>`,
  },
  '/credits.html': { mediaType: html, body: '<!doctype html><title>Credits</title><p>Pictures: made in code.</p>' },
  '/images/icon.png': { mediaType: 'image/png', body: gradient(32, 32, [180, 40, 40], [240, 200, 60]) },
  '/images/paper.png': { mediaType: 'image/png', body: gradient(64, 64, [244, 239, 230], [236, 228, 214]) },
  '/images/ribbon.png': { mediaType: 'image/png', body: gradient(320, 40, [200, 60, 60], [90, 20, 60]) },
  '/images/plan.png': { mediaType: 'image/png', body: gradient(320, 200, [255, 255, 255], [160, 170, 200]) },
  ...Object.fromEntries(
    paintings.flatMap(({ name, colours: [from, to] }) =>
      [1, 2].map((scale) => [
        `/images/${name}-${320 * scale}.png`,
        { mediaType: 'image/png', body: gradient(320 * scale, 200 * scale, from, to) },
      ]),
    ),
  ),
}

const notCaptured = new Set([missing.url, `${media}/credits.html`])

/** Every address that a harvest of http://museum.test/ with scope `host` captures, including the robots.txt of both hosts and the
 *  sitemap, sorted. */
export const captured: readonly string[] = [
  ...Object.keys(museumAnswers).map((path) => museum + path),
  ...Object.keys(mediaAnswers).map((path) => media + path),
]
  .filter((url) => !notCaptured.has(url))
  .sort()

/** Starts both hosts, each on its own port. */
export async function startTwoHosts(): Promise<NamedSite> {
  const requests: SiteRequest[] = []
  const http = await listen(
    createHttpServer((request, response) => {
      requests.push(siteRequest('http', request))
      answer(museumAnswers, request, response)
    }),
  )
  const https = await listen(
    createHttpsServer(await selfSigned('media.test'), (request, response) => {
      requests.push(siteRequest('https', request))
      answer(mediaAnswers, request, response)
    }),
  )
  return {
    origin: museum,
    requests,
    resolve: { 'museum.test': http.address, 'media.test': https.address },
    close: async () => void (await Promise.all([http.close(), https.close()])),
  }
}

function answer(answers: Record<string, Answer>, request: IncomingMessage, response: ServerResponse): void {
  const found = answers[request.url ?? ''] ?? { status: 404, mediaType: 'text/plain', body: 'not here\n' }
  const accepted = (request.headers['accept-encoding'] ?? '').split(/\s*,\s*/)
  const encoding = found.encoding && accepted.includes(found.encoding) ? found.encoding : undefined
  const plain = Buffer.from(found.body)
  const body = encoding ? compress[encoding](plain) : plain
  response.writeHead(found.status ?? 200, {
    'Content-Type': found.mediaType,
    ...(encoding ? { 'Content-Encoding': encoding, Vary: 'Accept-Encoding' } : {}),
    ...(found.location ? { Location: found.location } : {}),
    ...(found.chunked ? {} : { 'Content-Length': body.length }),
  })
  if (!found.chunked) return void response.end(body)
  const middle = Math.ceil(body.length / 2)
  response.write(body.subarray(0, middle))
  response.end(body.subarray(middle))
}

/** A self-signed certificate for a host, which browsers reject by default. */
export async function selfSigned(host: string): Promise<{ key: string; cert: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const dayMs = 86_400_000
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${host}`,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 30 * dayMs),
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  })
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
    cert: certificate.toString('pem'),
  }
}
