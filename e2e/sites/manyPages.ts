/** A site of any number of pages, the same every time: page n links to its children 2n+1 and 2n+2, to its neighbours and to a distant
 *  page, shows a shared picture and one of its own, and loads the shared style sheets. */
import { createServer } from 'node:http'
import { gradient } from './picture.ts'
import { listen, siteRequest, type NamedSite, type SiteRequest } from './server.ts'

const origin = 'http://many.test'
const picturesCount = 40

/** Made once, so that the many requests load the harvester and not this server. */
const pictures = Array.from({ length: picturesCount }, (_, number) =>
  gradient(64, 40, [(number * 37) % 256, (number * 91) % 256, 120], [250, (number * 53) % 256, 60]),
)

const styles: Record<string, string> = {
  '/main.css': '@import "colours.css";\nbody { background: url(/picture/0.png) }\n',
  '/colours.css': 'a { color: #235 }\n',
}

export interface ManyPages extends NamedSite {
  /** Every address of the site including robots.txt (a 404), sorted: a complete harvest has captured each of them once. */
  urls: string[]
}

/** Starts a site of this many pages. */
export async function startManyPages(pagesCount: number): Promise<ManyPages> {
  const requests: SiteRequest[] = []
  const server = await listen(
    createServer((request, response) => {
      requests.push(siteRequest('http', request))
      const { status, mediaType, body } = answer(request.url ?? '/', pagesCount)
      response.writeHead(status, { 'Content-Type': mediaType, 'Content-Length': body.length })
      response.end(body)
    }),
  )
  return {
    origin,
    requests,
    urls: addresses(pagesCount),
    resolve: { 'many.test': server.address },
    close: server.close,
  }
}

function addresses(pagesCount: number): string[] {
  const pages = Array.from({ length: pagesCount }, (_, number) => pagePath(number))
  const own = Array.from({ length: pagesCount }, (_, number) => `/own/${number}.svg`)
  // Picture 0 is also loaded by the style sheet, the others only by pages.
  const shared = Array.from({ length: Math.min(pagesCount, picturesCount) }, (_, number) => `/picture/${number}.png`)
  return [...pages, ...own, ...shared, ...Object.keys(styles), '/robots.txt'].map((path) => origin + path).sort()
}

function answer(path: string, pagesCount: number): { status: number; mediaType: string; body: Buffer } {
  const [, kind, text] = /^\/(page|own|picture)\/(\d+)\.\w+$/.exec(path === '/' ? '/page/0.html' : path) ?? []
  const number = Number(text)
  const style = styles[path]
  if (style !== undefined) return { status: 200, mediaType: 'text/css', body: Buffer.from(style) }
  if (kind === 'page' && number < pagesCount) {
    return { status: 200, mediaType: 'text/html; charset=utf-8', body: Buffer.from(page(number, pagesCount)) }
  }
  if (kind === 'own' && number < pagesCount)
    return { status: 200, mediaType: 'image/svg+xml', body: Buffer.from(sign(number)) }
  const picture = kind === 'picture' ? pictures[number] : undefined
  if (picture) return { status: 200, mediaType: 'image/png', body: picture }
  return { status: 404, mediaType: 'text/plain', body: Buffer.from('not here\n') }
}

function pagePath(number: number): string {
  return number === 0 ? '/' : `/page/${number}.html`
}

function page(number: number, pagesCount: number): string {
  const numbers = [number * 2 + 1, number * 2 + 2, number - 1, number + 1, (number * 7919 + 13) % pagesCount]
  const links = numbers
    .filter((other) => other >= 0 && other < pagesCount)
    .map((other) => `<li><a href="${pagePath(other)}">Page ${other}</a></li>`)
  return `<!doctype html><html><head><title>Page ${number}</title><link rel="stylesheet" href="/main.css"></head>
<body><h1>Page ${number}</h1><img src="/picture/${number % picturesCount}.png" alt=""><img src="/own/${number}.svg" alt="">
<ul>${links.join('')}</ul><p>${`Words of page ${number}. `.repeat(20)}</p></body></html>
`
}

function sign(number: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text y="15">${number}</text></svg>\n`
}
