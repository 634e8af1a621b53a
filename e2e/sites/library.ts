/** A small library of texts: in English, Arabic, Hebrew and Japanese, one with markup as its text, one page under two URLs, and one page that answers
 *  only when it is let go, so that a job runs as long as a test needs. The page about fossils has a picture. */
import { createServer } from 'node:http'
import { gradient } from './picture.ts'
import { listen, siteRequest, type NamedSite, type SiteRequest } from './server.ts'

const host = 'library.test'
const origin = `http://${host}`

/** The page that waits. */
export const slow = `${origin}/slow.html`

const page = (title: string, text: string, language = 'en') =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${text}</main></body></html>`

const links = ['fossils', 'same', 'rivers', 'markup', 'arabic', 'hebrew', 'japanese', 'slow']
  .map((name, at) => `<li><a href="/${name}.html">Text ${at + 1}</a></li>`)
  .join('')

const fossils = page(
  'Fossils of the coast',
  '<img src="/ammonite.png" alt="An ammonite"><p>Ammonites are fossils of sea animals. The museum on the coast shows fossils from the chalk, and its ammonites are the largest that were found here.</p>',
)

/** A picture of the page about fossils. */
const ammonite = gradient(240, 160, [220, 200, 160], [90, 70, 50])

const pages: Record<string, string | Buffer> = {
  '/ammonite.png': ammonite,
  '/': page('Library', `<p>Texts about the coast.</p><ul>${links}</ul>`),
  '/fossils.html': fossils,
  '/same.html': fossils,
  '/rivers.html': page('Rivers', '<p>Rivers bring sand to the coast. In the sand are fossils, too, but few.</p>'),
  '/markup.html': page(
    '&lt;img src=x onerror="document.title=\'hurt\'"&gt; Markup',
    '<p>An example of markup: &lt;script&gt;document.title = "hurt"&lt;/script&gt; and &lt;b&gt;bold fossils&lt;/b&gt;.</p>',
  ),
  '/arabic.html': page('المتحف على الساحل', '<p>يعرض المتحف أحافير من البحر، وهي أكبر ما وجد هنا.</p>', 'ar'),
  '/hebrew.html': page('המוזיאון', '<p>המוזיאון מציג מאובנים מן הים.</p>', 'he'),
  '/japanese.html': page('海岸の博物館', '<p>海岸の博物館には大きなアンモナイトの化石があります。</p>', 'ja'),
  '/slow.html': page('The last page', '<p>It came late, and speaks of amber.</p>'),
}

/** The site, and what lets the slow page answer. */
export interface Library extends NamedSite {
  letGo(): void
}

export async function startLibrary(): Promise<Library> {
  const requests: SiteRequest[] = []
  let letGo = () => {}
  const released = new Promise<void>((resolve) => (letGo = resolve))
  const http = await listen(
    createServer((request, response) => {
      requests.push(siteRequest('http', request))
      const path = request.url ?? ''
      const body = pages[path]
      const answer = () => {
        const mediaType = Buffer.isBuffer(body)
          ? 'image/png'
          : body === undefined
            ? 'text/plain'
            : 'text/html; charset=utf-8'
        response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': mediaType })
        response.end(body ?? 'not here\n')
      }
      if (path === '/slow.html') void released.then(answer)
      else answer()
    }),
  )
  return { origin, requests, resolve: { [host]: http.address }, close: http.close, letGo }
}
