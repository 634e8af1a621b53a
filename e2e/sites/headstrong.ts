/** Archived pages that are difficult to show in a frame and through a proxy: one that breaks out of frames, one that forbids frames,
 *  hosts that browsers only ask over https, one that depends on its own cookies, and one that uses a service worker and a socket; and
 *  answers that are not pages. */
import { fileOf, tide, type Capture } from './archiveFiles.ts'

const at = '2019-03-09T09:00:00Z'

/** The addresses of the pages. */
export const headstrong = {
  leaving: 'http://leaving.test/',
  unframed: 'http://unframed.test/',
  /** Browsers preload HSTS for all of `.dev` and ask these hosts over https. */
  preloaded: 'http://preloaded.dev/',
  strict: 'https://strict.test/',
  remembering: 'https://remembering.test/',
  lasting: 'https://lasting.test/',
  /** Links to a PDF; its host also has a download and an answer without content. */
  papers: 'http://papers.test/',
} as const

const html = (url: string, title: string, body: string, head?: string): Capture => ({
  ...{ url, at, mediaType: 'text/html' },
  content: `<!doctype html><title>${title}</title><h1>${title}</h1>${body}`,
  ...(head ? { head } : {}),
})

const picture = (url: string): Capture => ({ url: `${url}tide.png`, at, mediaType: 'image/png', content: tide })

const lastingScript = `
  const say = (part, text) => (document.querySelector(part).textContent = text)
  navigator.serviceWorker.register('/worker.js').then(() => say('#worker', 'registered'), ({ name }) => say('#worker', name))
  const socket = new WebSocket('wss://lasting.test/socket')
  socket.onopen = () => say('#socket', 'open')
  socket.onclose = () => say('#socket', 'closed')`

/** The WARC file with the captures of all these pages. */
export const headstrongFile = (): Buffer =>
  fileOf([
    html(
      headstrong.leaving,
      'Leaving',
      '<script>try { if (top !== self) top.location = self.location } catch { document.title = "Held" }</script><p>Still here.</p>',
    ),
    html(
      headstrong.unframed,
      'Unframed',
      '',
      "X-Frame-Options: DENY\r\nContent-Security-Policy: frame-ancestors 'none'\r\n",
    ),
    html(headstrong.preloaded, 'Preloaded', '<img src="tide.png" alt="">'),
    picture(headstrong.preloaded),
    html(headstrong.strict, 'Strict', '', 'Strict-Transport-Security: max-age=31536000; includeSubDomains\r\n'),
    html('http://strict.test/plain', 'Plain', '<img src="http://strict.test/tide.png" alt="">'),
    picture('http://strict.test/'),
    html(
      headstrong.remembering,
      'Remembering',
      `<p></p><script>
        document.cookie = 'script=1; SameSite=Lax'
        document.querySelector('p').textContent = document.cookie.split('; ').sort().join(', ') || 'nothing'
      </script>`,
      'Set-Cookie: server=1; SameSite=Lax\r\n',
    ),
    html(headstrong.papers, 'Papers', '<a href="tides.pdf">Tides</a>'),
    { url: `${headstrong.papers}tides.pdf`, at, mediaType: 'application/pdf', content: '%PDF-1.4\n%%EOF\n' },
    {
      ...{ url: `${headstrong.papers}tides.txt`, at, mediaType: 'text/plain', content: 'High water at six.' },
      head: 'Content-Disposition: attachment; filename="tides.txt"\r\n',
    },
    { url: `${headstrong.papers}counted`, at, status: '204 No Content', mediaType: 'text/html', content: '' },
    html(headstrong.lasting, 'Lasting', `<p id="worker"></p><p id="socket"></p><script>${lastingScript}</script>`),
  ])
