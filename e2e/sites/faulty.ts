/** A server that shows every known fault of servers, one per path, and the table of what a harvester must make of each. It uses bare
 *  sockets, since node:http would refuse to send most of these answers. */
import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Truncation } from '../../src-main/contract/states/outcomes.ts'
import { closedAddress, listen, type NamedSite, type SiteRequest } from './server.ts'

const origin = 'http://faulty.test'

/** The bounds that the table relies on; a harvest of this site must use them. A busy machine may delay the answers of this server by
 *  seconds, which must not count as silence. */
export const faultyBounds = {
  responseBytesMax: 1_000_000,
  responseMsMax: 7_000,
  silenceMsMax: 5_000,
  attemptsMax: 2,
  retryDelayMs: 50,
}

/** Interval of the bytes of a slow answer: short enough not to count as silence; the answer never ends in time. */
const trickleMs = 100

/** A path, how the server answers it, and the outcome that a harvest must record. */
export interface Fault {
  path: string
  expect: {
    outcome: 'fetched' | 'failed'
    status?: number
    /** A reason code of `contract/states/outcomes.ts`. */
    reason?: string
    truncated?: Truncation
  }
  /** Sends the answer; leaves the connection open only where the answer itself says so. `turn` counts the requests for this path from
   *  1. */
  answer: (socket: Socket, turn: number) => void
}

const htmlHead = 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n'
const body = '<!doctype html><title>Faulty</title><p>Here none the less.</p>'
const fetched: Fault['expect'] = { outcome: 'fetched', status: 200 }

/** Made once in advance, since compressing it would delay all other answers. */
const bomb = gzipSync(Buffer.alloc(64_000_000, 'x'))

/** All faults, one per path. */
export const faults: Fault[] = [
  // Time and size
  fault('/silent', { outcome: 'failed', reason: 'timeout' }, () => {}),
  fault('/slow-head', { outcome: 'failed', reason: 'tooSlow' }, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    trickle(socket, 'X-Slow: yes\r\n')
  }),
  fault('/slow-body', { ...fetched, truncated: 'time' }, (socket) => {
    socket.write(`${htmlHead}Content-Length: 500000\r\n\r\n`)
    trickle(socket, 'x')
  }),
  fault('/falls-silent', { ...fetched, truncated: 'time' }, (socket) => {
    socket.write(`${htmlHead}Content-Length: 500000\r\n\r\n${body}`)
  }),
  fault('/endless', { ...fetched, truncated: 'length' }, (socket) => {
    socket.write(`${htmlHead}\r\n`)
    pour(socket)
  }),
  fault('/oversized', { ...fetched, truncated: 'length' }, (socket) => {
    socket.end(`${htmlHead}Content-Length: 2000000\r\n\r\n${'x'.repeat(2_000_000)}`)
  }),
  fault('/huge-head', { outcome: 'failed', reason: 'headTooLarge' }, (socket) => {
    socket.end(`${htmlHead}${`X-Padding: ${'x'.repeat(1000)}\r\n`.repeat(400)}\r\n${body}`)
  }),

  // Connections that end
  fault('/closed-at-once', { outcome: 'failed', reason: 'emptyAnswer' }, (socket) => void socket.end()),
  fault(
    '/closed-in-status-line',
    { outcome: 'failed', reason: 'emptyAnswer' },
    (socket) => void socket.end('HTTP/1.1 2'),
  ),
  fault('/closed-in-head', { ...fetched, truncated: 'disconnect' }, (socket) => void socket.end(htmlHead)),
  fault('/closed-in-body', { ...fetched, truncated: 'disconnect' }, (socket) => {
    socket.end(`${htmlHead}Content-Length: ${body.length + 100}\r\n\r\n${body}`)
  }),
  fault('/closed-in-chunks', { ...fetched, truncated: 'disconnect' }, (socket) => {
    socket.end(`${htmlHead}Transfer-Encoding: chunked\r\n\r\n${chunk(body)}`)
  }),
  fault('/reset', { outcome: 'failed', reason: 'reset' }, (socket) => void socket.resetAndDestroy()),

  // Not quite HTTP
  fault('/not-http', { outcome: 'failed', reason: 'notHttp' }, (socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n')),
  fault('/only-html', { outcome: 'failed', reason: 'notHttp' }, (socket) => void socket.end(body)),
  fault('/icy', fetched, (socket) => void socket.end(`ICY 200 OK\r\nContent-Type: audio/mpeg\r\n\r\nmusic`)),
  fault('/no-reason', fetched, (socket) => void socket.end(`HTTP/1.1 200\r\nContent-Type: text/html\r\n\r\n${body}`)),
  fault('/bare-line-feeds', fetched, (socket) => {
    socket.end(`HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: ${body.length}\n\n${body}`)
  }),
  fault('/field-without-colon', fetched, (socket) => void socket.end(`${htmlHead}what is this\r\n${withLength(body)}`)),
  fault('/blank-before-colon', fetched, (socket) => {
    socket.end(`HTTP/1.1 200 OK\r\nContent-Type : text/html\r\n${withLength(body)}`)
  }),
  fault('/folded-field', fetched, (socket) => void socket.end(`${htmlHead}X-Long: one\r\n two\r\n${withLength(body)}`)),
  fault('/interim-answers', fetched, (socket) => {
    socket.end(
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x.css>\r\n\r\n${htmlHead}${withLength(body)}`,
    )
  }),

  // Wrong or contradictory lengths
  fault('/bad-chunk-size', { ...fetched, truncated: 'framing' }, (socket) => {
    socket.end(`${htmlHead}Transfer-Encoding: chunked\r\n\r\n${chunk(body)}zz\r\nmore\r\n0\r\n\r\n`)
  }),
  fault('/both-lengths', fetched, (socket) => {
    socket.end(`${htmlHead}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n${chunk(body)}0\r\n\r\n`)
  }),
  fault('/same-length-twice', fetched, (socket) => {
    socket.end(`${htmlHead}Content-Length: ${body.length}\r\n${withLength(body)}`)
  }),
  fault('/two-lengths', fetched, (socket) => void socket.end(`${htmlHead}Content-Length: 7\r\n${withLength(body)}`)),
  fault('/length-too-short', fetched, (socket) => void socket.end(`${htmlHead}Content-Length: 20\r\n\r\n${body}`)),
  fault('/length-not-a-number', fetched, (socket) => void socket.end(`${htmlHead}Content-Length: many\r\n\r\n${body}`)),
  fault('/http-1.0', fetched, (socket) => void socket.end(`HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n${body}`)),

  // Answers that ask for a further request
  fault('/redirect-loop-a', { outcome: 'fetched', status: 302 }, redirect('/redirect-loop-b')),
  fault('/redirect-loop-b', { outcome: 'fetched', status: 302 }, redirect('/redirect-loop-a')),
  fault('/redirect-to-itself', { outcome: 'fetched', status: 302 }, redirect('/redirect-to-itself')),
  fault('/redirect-to-nowhere', { outcome: 'fetched', status: 302 }, redirect('http://[')),
  fault('/redirect-without-location', { outcome: 'fetched', status: 302 }, (socket) => {
    socket.write(`HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n`)
  }),
  fault('/busy-then-fine', fetched, (socket, turn) => {
    const head = turn === 1 ? 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n' : htmlHead
    socket.write(head + withLength(body))
  }),
  fault(
    '/no-content',
    { outcome: 'fetched', status: 204 },
    (socket) => void socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
  ),
  // The request was not conditional.
  fault('/not-modified', { outcome: 'fetched', status: 304 }, (socket) => {
    socket.write('HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n')
  }),

  // Bodies that cannot be decoded
  fault('/gzip-bomb', fetched, (socket) => {
    socket.write(`${htmlHead}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
    socket.write(bomb)
  }),
  fault('/broken-gzip', fetched, (socket) => {
    const broken = gzipSync(body.repeat(50)).fill(0xff, 30, 60)
    socket.write(`${htmlHead}Content-Encoding: gzip\r\nContent-Length: ${broken.length}\r\n\r\n`)
    socket.write(broken)
  }),
  fault(
    '/unknown-coding',
    fetched,
    (socket) => void socket.write(`${htmlHead}Content-Encoding: rot13\r\n${withLength(body)}`),
  ),
]

/** Embedded in the first page. No server listens at the address of its host, so fetching it ends as `refused`. */
export const refused = 'http://closed.test/pixel.png'

const index = faults.map(({ path }) => `<li><a href="${path}">${path}</a></li>`).join('\n')

/** Starts the site. Its front page links to every fault and embeds `refused`. */
export async function startFaulty(): Promise<NamedSite> {
  const requests: SiteRequest[] = []
  const turns = new Map<string, number>()
  const server = await listen(
    createServer((socket) => {
      // A harvester that has reached a bound closes the connection; errors of later writes are expected.
      socket.on('error', () => socket.destroy())
      readRequests(socket, (request, path) => {
        requests.push(request)
        const turn = (turns.get(path) ?? 0) + 1
        turns.set(path, turn)
        const found = faults.find((row) => row.path === path)
        if (found) found.answer(socket, turn)
        else if (path === '/')
          socket.write(
            htmlHead + withLength(`<!doctype html><title>Faults</title><ul>${index}</ul><img src="${refused}" alt="">`),
          )
        else socket.write(`HTTP/1.1 404 Not Found\r\n${withLength('not here')}`)
      })
    }),
  )
  const resolve = { 'faulty.test': server.address, 'closed.test': await closedAddress() }
  return { origin, requests, resolve, close: server.close }
}

function fault(path: string, expect: Fault['expect'], answer: Fault['answer']): Fault {
  return { path, expect, answer }
}

function withLength(text: string): string {
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

function redirect(location: string): Fault['answer'] {
  return (socket) => void socket.write(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\n${withLength('gone')}`)
}

function trickle(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), trickleMs)
  socket.on('close', () => clearInterval(timer))
}

/** Sends bytes as fast as they are read, without end. */
function pour(socket: Socket): void {
  const piece = 'x'.repeat(65_536)
  const write = (): void => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', write)
  write()
}

function readRequests(socket: Socket, asked: (request: SiteRequest, path: string) => void): void {
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const head = text.slice(0, end)
      text = text.slice(end + 4)
      const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(head) ?? []
      const field = (name: string): string | undefined => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim()
      const url = `http://${field('Host') ?? ''}${path}`
      asked({ method, url, referrer: field('Referer'), userAgent: field('User-Agent') }, path)
    }
  })
}
