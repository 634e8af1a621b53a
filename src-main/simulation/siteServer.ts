/** Servers of a generated site: HTTP/1.1 over the seeded network, including faults. They outlive the machine of the harvester and count the
 *  requests per URL. */
import type { SeededWorld } from '../world/testing/seeded.ts'
import type { Clock, Connection } from '../world/world.ts'
import { gateOf, type Gate, type Request } from './members.ts'
import type { Host, Page, Site } from './site.ts'

const security = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', trusted: true, problem: undefined }
/** Longer than any harvester waits for a response. */
const silenceMs = 3_600_000
/** Within the first header field of any response. */
const resetAfterBytes = 20

/** `clock` returns that of the current machine, since only its time passes. */
export function serveSite(site: Site, network: SeededWorld['network'], clock: () => Clock): void {
  for (const host of site.hosts) {
    const server: Server = { host, clock, asked: new Map(), gate: host.members && gateOf(host.members) }
    network.serve(host.name, host.port, (connection) => converse(server, connection), host.tls ? security : undefined)
    if (host.trouble === 'reset') network.trouble(host.name, host.port, { kind: 'reset', afterBytes: resetAfterBytes })
    else if (host.trouble !== 'none') network.trouble(host.name, host.port, { kind: host.trouble })
  }
}

/** A host while it is served. */
interface Server {
  host: Host
  clock: () => Clock
  /** Requests per URL. */
  asked: Map<string, number>
  gate: Gate | undefined
}

/** Answers the requests of one connection until it is closed. */
async function converse(server: Server, connection: Connection): Promise<void> {
  const { host, asked, gate } = server
  let held = ''
  for (let answers = 0; answers < host.answersPerConnection;) {
    const request = requestIn(held)
    if (!request) {
      const bytes = await connection.read()
      if (!bytes) return
      held += Buffer.from(bytes).toString('latin1')
      continue
    }
    held = held.slice(request.characters)
    answers += 1
    const { path } = request
    const refusal = gate?.(request)
    const times = (asked.get(path) ?? 0) + 1
    if (!refusal) asked.set(path, times)
    const goesOn = refusal
      ? await send(connection, host, { ...refusal, mediaType: 'text/html' }, refusal.fields)
      : await answer(server, { page: host.pages.get(path), times }, connection)
    if (!goesOn) return
  }
}

/** Returns undefined while the request is incomplete. */
function requestIn(held: string): (Request & { characters: number }) | undefined {
  const end = held.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = held.slice(0, end).split('\r\n')
  const [method = '', path = '/'] = first.split(' ')
  const fields = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const characters = end + 4 + Number(fields.get('content-length') ?? 0)
  return held.length < characters
    ? undefined
    : { method, path, fields, body: held.slice(end + 4, characters), characters }
}

/** Returns false when the connection is closed. */
async function answer(
  { host, clock }: Server,
  { page, times }: { page: Page | undefined; times: number },
  connection: Connection,
): Promise<boolean> {
  if (!page) return send(connection, host, { status: 404, mediaType: 'text/plain', body: 'absent' })
  const { fault } = page
  if (fault.kind === 'busy' && times <= fault.times)
    return send(connection, host, { status: 503, mediaType: 'text/plain', body: 'busy' }, ['Retry-After: 1'])
  if (fault.kind === 'hangsUp' && times <= fault.times) return false
  if (fault.kind === 'garbage') {
    await connection.write(Buffer.from('this is no HTTP\r\n\r\n'))
    return false
  }
  if (fault.kind === 'slow') await clock().sleep(fault.delayMs)
  if (fault.kind === 'liesOfLength') {
    await connection.write(head(page, [`Content-Length: ${Math.max(0, page.body.length + fault.byBytes)}`]))
    await connection.write(Buffer.from(page.body))
    return false
  }
  if (fault.kind === 'torn' || fault.kind === 'stalls') {
    await connection.write(head(page, [`Content-Length: ${page.body.length}`]))
    await connection.write(Buffer.from(page.body.slice(0, page.body.length >> 1)))
    if (fault.kind === 'stalls') await clock().sleep(silenceMs)
    return false
  }
  return send(connection, host, page, page.location === undefined ? [] : [`Location: ${page.location}`])
}

/** The part of a page that is sent. */
type Answer = Pick<Page, 'status' | 'mediaType' | 'body'>

/** Sends a response in the framing of the host. Returns false when the connection ends with it. */
async function send(connection: Connection, host: Host, page: Answer, fields: string[] = []): Promise<boolean> {
  const body = Buffer.from(page.body)
  if (host.framing === 'chunked') {
    const half = body.length >> 1
    const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
    const parts = chunks.flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ])
    await connection.write(head(page, [...fields, 'Transfer-Encoding: chunked']))
    await connection.write(Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]))
    return true
  }
  const framing = host.framing === 'close' ? 'Connection: close' : `Content-Length: ${body.length}`
  await connection.write(head(page, [...fields, framing]))
  await connection.write(body)
  return host.framing === 'length'
}

function head({ status, mediaType }: Answer, fields: string[]): Buffer {
  return Buffer.from([`HTTP/1.1 ${status} So`, `Content-Type: ${mediaType}`, ...fields, '', ''].join('\r\n'))
}
