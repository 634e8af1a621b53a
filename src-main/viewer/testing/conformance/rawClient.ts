/** A client for the conformance rows. Over HTTP/1.1 it uses plain sockets: requests are sent byte for byte, and responses are parsed
 *  strictly by their framing. Over HTTP/2 it uses the client of Node. */
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { host, type Ask, type Way } from './case.ts'

export interface RawReply {
  status: number
  /** Empty over HTTP/2. */
  reason: string
  fields: [name: string, value: string][]
  body: Buffer
  /** The body is complete according to its framing. */
  isWhole: boolean
}

export interface Wire {
  /** Sends one request at a time over the same connection. */
  ask(ask: Ask & { path: string }): Promise<RawReply>
  close(): void
}

export interface Port {
  host: string
  port: number
  /** The certificate of the certificate authority, as PEM. */
  ca: string
}

/** `fields` are the headers of the CONNECT request. Without a tunnel they are ignored: each request sends its own. */
export async function openWire(way: Way, port: Port, fields: Ask['fields'] = []): Promise<Wire> {
  if (way === 'plain') return textWire(await connected(port), `http://${host}`)
  const end = await secured(port, way === 'http2' ? ['h2'] : ['http/1.1'], fields)
  return way === 'http2' ? frameWire(end) : textWire(end, '')
}

async function connected({ host: at, port }: Port): Promise<Socket> {
  const socket = connect({ host: at, port })
  await new Promise((opened, failed) => socket.once('connect', opened).once('error', failed))
  return socket
}

async function secured(port: Port, ALPNProtocols: string[], fields: NonNullable<Ask['fields']>): Promise<TLSSocket> {
  const socket = await connected(port)
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n${lines.join('')}\r\n`)
  await new Promise((established) => socket.once('data', established))
  const end = connectTls({ socket, ca: port.ca, servername: host, ALPNProtocols })
  await new Promise((secure, failed) => end.once('secureConnect', secure).once('error', failed))
  return end
}

/** HTTP/1.1. `origin` precedes each path in a request to a proxy. */
function textWire(socket: Socket, origin: string): Wire {
  let held = Buffer.alloc(0)
  let isOver = false
  let wake: () => void = () => undefined
  socket.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes])
    wake()
  })
  // The viewer may close the connection early. The bytes received until then count.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isOver = true
    wake()
  })
  return {
    async ask({ method = 'GET', path, fields = [], content = '' }) {
      const length = content === '' ? [] : [['Content-Length', String(content.length)]]
      const lines = [['Host', host], ...fields, ...length].map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(Buffer.from(`${method} ${origin}${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`, 'latin1'))
      for (;;) {
        const read = readAnswer(held, method, isOver)
        if (read !== undefined) {
          held = held.subarray(read.bytes)
          return read.got
        }
        await new Promise<void>((more) => (wake = more))
      }
    },
    close: () => socket.destroy(),
  }
}

/** Returns undefined until the response is complete. */
function readAnswer(held: Buffer, method: string, isOver: boolean): { got: RawReply; bytes: number } | undefined {
  const end = held.indexOf('\r\n\r\n')
  if (end < 0) return isOver ? { got: nothing(), bytes: held.length } : undefined
  const [first = '', ...lines] = held.subarray(0, end).toString('latin1').split('\r\n')
  const [, status = '', reason = ''] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(first) ?? []
  if (status === '') throw new Error(`invalid status line: ${first}`)
  const fields = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?(.*)$/.exec(line) ?? []
    if (name === '') throw new Error(`invalid header: ${JSON.stringify(line)}`)
    return [name, value]
  })
  // RFC 9110 15.2: the final response follows an interim one.
  if (status === '100') {
    const later = readAnswer(held.subarray(end + 4), method, isOver)
    return later && { ...later, bytes: later.bytes + end + 4 }
  }
  const body = readBody(held.subarray(end + 4), { status, fields, method })
  if (body === undefined && !isOver) return undefined
  const { content, bytes } = body ?? { content: held.subarray(end + 4), bytes: held.length - end - 4 }
  return {
    got: { status: Number(status), reason, fields, body: content, isWhole: body !== undefined },
    bytes: end + 4 + bytes,
  }
}

/** Returns undefined until the body is complete (RFC 9112 6.3). */
function readBody(
  bytes: Buffer,
  { status, fields, method }: { status: string; fields: RawReply['fields']; method: string },
): { content: Buffer; bytes: number } | undefined {
  if (method === 'HEAD' || status === '204' || status === '304') return { content: Buffer.alloc(0), bytes: 0 }
  const valueOf = (wanted: string) => fields.find(([name]) => name.toLowerCase() === wanted)?.[1]
  if (valueOf('transfer-encoding') === 'chunked') return readChunks(bytes)
  const length = valueOf('content-length')
  if (length === undefined || !/^\d+$/.test(length))
    throw new Error('a response without a length would end with its connection')
  return bytes.length < Number(length)
    ? undefined
    : { content: bytes.subarray(0, Number(length)), bytes: Number(length) }
}

function readChunks(bytes: Buffer): { content: Buffer; bytes: number } | undefined {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return undefined
    const size = parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    const begin = end + 2
    if (bytes.length < begin + size + 2) return undefined
    if (bytes.subarray(begin + size, begin + size + 2).toString() !== '\r\n') throw new Error('a chunk does not end')
    if (size === 0) return { content: Buffer.concat(parts), bytes: begin + 2 }
    parts.push(bytes.subarray(begin, begin + size))
    at = begin + size + 2
  }
}

function nothing(): RawReply {
  return { status: 0, reason: '', fields: [], body: Buffer.alloc(0), isWhole: false }
}

function frameWire(end: TLSSocket): Wire {
  const session: ClientHttp2Session = connectHttp2(`https://${host}`, {
    createConnection: () => end,
    maxHeaderListPairs: 1_000,
  })
  session.on('error', () => undefined)
  return {
    ask({ method = 'GET', path, fields = [], content }) {
      const said = [':method', method, ':scheme', 'https', ':authority', host, ':path', path, ...fields.flat()]
      const stream = session.request(said, { endStream: content === undefined })
      const got = nothing()
      const parts: Buffer[] = []
      stream.on('response', (head, _, raw) => {
        got.status = Number(head[':status'])
        for (let at = 0; at < raw.length; at += 2)
          if (raw[at] !== ':status') got.fields.push([raw[at] ?? '', raw[at + 1] ?? ''])
      })
      stream.on('data', (part: Buffer) => parts.push(part))
      // The close code reports the error.
      stream.on('error', () => undefined)
      if (content !== undefined) stream.end(content)
      return new Promise((answered) =>
        stream.on('close', () => answered({ ...got, body: Buffer.concat(parts), isWhole: stream.rstCode === 0 })),
      )
    },
    close: () => session.destroy(),
  }
}
