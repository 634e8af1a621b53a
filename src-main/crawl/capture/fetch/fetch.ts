/** One request and its answer over HTTP/1.1, with every byte kept as sent and received. The answer is parsed by
 *  `formats/http`, because the usual clients refuse, or silently repair, what some servers send. `settle/attempt.ts` decides
 *  what an outcome means for the document. */
import {
  NetworkFault,
  type Connection,
  type NetworkFaultCode,
  type Security,
  type Target,
  type World,
} from '../../../world/world.ts'
import type { Reason, Truncation } from '../../../contract/states/outcomes.ts'
import type { Finding } from '../../../formats/rules/finding.ts'
import { responseReader, type ResponseReader } from '../../../formats/http/responseReader.ts'
import type { HttpHead } from '../../../formats/http/http.ts'
import { stopwatch } from '../../../world/stopwatch.ts'
import type { Connections } from './connections.ts'
import type { Outlink } from '../../model/outlink.ts'
import { headBytesMax, type CrawlSettings } from '../../model/limits.ts'
import type { EarlierCapture } from './earlierCapture.ts'
import type { CapturePlace } from '../../model/document.ts'
import type { Spool } from './spool.ts'
import type { Watch, Watched } from './watch.ts'
import { textOf } from '../../../contract/words/render.ts'

/** A server answered, with a complete header at least. */
export interface Answered {
  kind: 'answered'
  head: HttpHead
  request: Uint8Array
  /** The fields whose values were redacted in request and answer before recording. */
  redacted?: readonly string[]
  /** The answer from the first byte of its status line, transfer coding included. */
  response: Spool
  /** Why the answer is incomplete; undefined if it is whole. */
  truncated: Truncation | undefined
  /** The earlier capture of a document that the server reports as unchanged. */
  earlier?: EarlierCapture
  remoteAddress: string
  security: Security | undefined
  startedMs: number
  durationMs: number
  findings: Finding[]
}

/** A resource that came from no server: a file as it was on the disk, or the list of a folder. */
export interface LocalResource {
  kind: 'local'
  mediaType: string
  response: Spool
  /** Time of the last change; null if unknown. */
  modifiedMs: number | null
  /** Identifies the state of the resource, to detect changes; null if there is no such identifier. */
  version: string | null
  outlinks: Outlink[]
  /** Which parts could not be read, in words; null if none. */
  detail: string | null
  startedMs: number
  durationMs: number
}

/** An outcome that can be archived. */
export type Captured = Answered | LocalResource

/** No answer that could be archived; `detail` is for the user. */
export interface Failed {
  kind: 'failed'
  reason: Reason
  detail: string
  startedMs: number
  durationMs: number
}

/** Outcome of one HTTP request. */
export type HttpOutcome = Answered | Failed
/** Outcome of fetching a document from any source. */
export type FetchOutcome = Captured | Failed

/** One field of a request header. */
export type RequestField = readonly [name: string, value: string]

/** Settings and resources shared by the requests of a job. */
export interface Fetching {
  world: World
  connections: Connections
  watch: Watch
  settings: CrawlSettings
  newSpool: () => Spool
  /** Reads an earlier capture; undefined if no copy yields it. */
  earlierCapture(place: CapturePlace): Promise<EarlierCapture | undefined>
  /** Host name → IP address or address:port, used before the resolver. */
  resolve: Readonly<Record<string, string>>
  /** Host names that a user entered, as seeds or with their addresses: these may be on this machine or in a private network. Any
   *  other name must resolve to a public address, since a page can contain any URL. */
  ownHosts: ReadonlySet<string>
  userAgent: string
  signal: AbortSignal
  /** Resolves when more of this document may be read; at once if there is no bandwidth limit for its host. */
  pace?: (url: string, bytes: number) => Promise<void> | undefined
}

/** Options of a request. */
export interface Asking {
  method?: 'GET' | 'POST'
  fields?: readonly RequestField[]
  body?: Uint8Array
  /** Whether the request holds a secret; over TLS it is then sent only to a server with a trusted certificate. */
  isSecret?: boolean
}

/** Sends one request and receives the answer. Faults of the server or the network are returned as `Failed`; rejects with
 *  `DiskFault` if the body cannot be written. */
export async function fetchDocument(
  url: string,
  referrer: string | undefined,
  fetching: Fetching,
  asking: Asking = {},
): Promise<HttpOutcome> {
  const { world } = fetching
  const { method = 'GET' } = asking
  const startedMs = world.clock.now()
  const durationMs = stopwatch(world.clock)
  const failed = (reason: Reason, detail: string): Failed => ({
    kind: 'failed',
    reason,
    detail,
    startedMs,
    durationMs: durationMs(),
  })
  const target = targetOf(url, fetching)
  if (!target) return failed('badAddress', 'only http and https addresses with a host can be fetched')
  const request = requestFor(new URL(url), { referrer, userAgent: fetching.userAgent, asking })
  // RFC 9110 section 9.2.2: a POST must not be repeated automatically, so it gets no connection that may be closed already.
  for (let fresh = method !== 'GET'; ; fresh = true) {
    let lease
    try {
      lease = await fetching.connections.lease(target, fresh, fetching.signal)
    } catch (error) {
      if (!(error instanceof NetworkFault)) throw error
      return failed(reasonOf[error.code], error.message)
    }
    const { security } = lease.connection
    if (asking.isSecret && security?.trusted === false) {
      lease.connection.close()
      return failed(
        'tlsFailed',
        `the certificate is not trusted (${security.problem}), so nothing secret is sent there unless the login says "untrusted"`,
      )
    }
    const exchanged = await exchange({ url, method, bytes: request }, target, lease.connection, fetching)
    // A server may close an idle connection at the moment we use it (RFC 9112 section 9.3.1): retry once on a new connection.
    if (exchanged.kind === 'nothing' && exchanged.unheard && lease.reused) continue
    if (exchanged.kind === 'nothing') return failed(exchanged.reason, exchanged.detail)
    return { ...exchanged, kind: 'answered', request, startedMs, durationMs: durationMs() }
  }
}

type Exchanged =
  | ({ kind: 'answer' } & Pick<Answered, 'head' | 'response' | 'truncated' | 'remoteAddress' | 'security' | 'findings'>)
  | { kind: 'nothing'; reason: Reason; detail: string; unheard: boolean }

async function exchange(
  request: { url: string; method: string; bytes: Uint8Array },
  target: Target,
  connection: Connection,
  fetching: Fetching,
): Promise<Exchanged> {
  const { settings } = fetching
  const watched = fetching.watch.over(connection, settings)
  const reader = responseReader({ method: request.method, headBytesMax })
  const response = fetching.newSpool()
  const received = await receive(request.bytes, connection, reader, response, watched, {
    responseBytesMax: settings.responseBytesMax,
    pace: (bytes) => fetching.pace?.(request.url, bytes),
  })
  watched.release()
  const whole = received.end === 'done'
  if (whole && reader.reusable && !received.surplus) fetching.connections.giveBack(target, connection)
  else connection.close()
  // An answer that a stop of the job cut short is not a capture; it is requested again when the job resumes.
  if (!reader.head || !received.headWhole || watched.ended === 'stopped') {
    await response.discard()
    // No byte arrived, and we did not close: the server may never have seen the request.
    const unheard = !received.heard && watched.ended === undefined
    return { kind: 'nothing', unheard, ...whyNothing(reader, watched, received) }
  }
  return {
    kind: 'answer',
    head: reader.head,
    response,
    truncated: received.end === 'length' ? 'length' : truncationOf(watched, reader, received),
    remoteAddress: connection.remoteAddress,
    security: connection.security,
    findings: reader.findings,
  }
}

interface Received {
  /** Whether at least one byte arrived. */
  heard: boolean
  /** Whether the header was read to its end, or the server closed the connection within it, so that nothing more would come. */
  headWhole: boolean
  end: 'done' | 'closed' | 'length' | 'broken' | 'fault'
  /** Bytes arrived after the end of the answer, so the connection cannot be reused. */
  surplus: boolean
  fault?: NetworkFault
}

async function receive(
  request: Uint8Array,
  connection: Connection,
  reader: ResponseReader,
  response: Spool,
  watched: Watched,
  { responseBytesMax, pace }: { responseBytesMax: number; pace: (bytes: number) => Promise<void> | undefined },
): Promise<Received> {
  /** Bytes received before the header was complete: until then the end of the interim answers (1xx) to skip is unknown. */
  let held: Uint8Array[] = []
  let heard = false
  const ended = (end: Received['end'], surplus: boolean, fault?: NetworkFault): Received => {
    const headWhole = reader.state !== 'head' || watched.ended === undefined
    if (end === 'closed' || end === 'fault') reader.end()
    return {
      heard,
      headWhole,
      end: end === 'closed' && reader.state === 'done' ? 'done' : end,
      surplus,
      ...(fault && { fault }),
    }
  }
  const keep = async (chunk: Uint8Array): Promise<void> => {
    const room = responseBytesMax - response.bytes
    if (chunk.length > 0 && room > 0) await response.append(chunk.length > room ? chunk.subarray(0, room) : chunk)
  }
  const release = async (): Promise<void> => {
    const whole = held.length === 1 && held[0] ? held[0] : Buffer.concat(held)
    held = []
    await keep(whole.subarray(reader.skippedBytes))
  }
  try {
    await connection.write(request)
    for (;;) {
      const chunk = await connection.read()
      if (chunk === undefined) {
        const received = ended('closed', false)
        await release()
        return received
      }
      heard = true
      await pace?.(chunk.length)
      // After the pause, because the wait was ours and not the server's.
      watched.touch()
      const inHead = reader.state === 'head'
      const taken = reader.push(chunk)
      const own = taken < chunk.length ? chunk.subarray(0, taken) : chunk
      if (inHead) held.push(own)
      else await keep(own)
      if (inHead && reader.state !== 'head') await release()
      // Writing may have taken long; silence counts only while waiting for the server.
      watched.touch()
      if (reader.state === 'broken') return ended('broken', true)
      if (reader.state === 'done') return ended('done', taken < chunk.length)
      if (response.bytes >= responseBytesMax) return ended('length', true)
    }
  } catch (error) {
    if (!(error instanceof NetworkFault)) throw error
    const received = ended('fault', true, error)
    await release()
    return received
  }
}

function truncationOf(watched: Watched, reader: ResponseReader, received: Received): Truncation | undefined {
  if (watched.ended === 'silence' || watched.ended === 'time') return 'time'
  if (reader.findings.some(({ rule }) => rule === 'chunkBroken')) return 'framing'
  return reader.truncated || received.end === 'fault' ? 'disconnect' : undefined
}

function whyNothing(reader: ResponseReader, watched: Watched, { fault }: Received): { reason: Reason; detail: string } {
  if (watched.ended === 'stopped') return { reason: 'jobStopped', detail: 'stopped while waiting for the answer' }
  if (watched.ended === 'silence')
    return { reason: 'timeout', detail: 'the server stopped sending before the header was complete' }
  if (watched.ended === 'time')
    return { reason: 'tooSlow', detail: 'no complete header within the time limit for one response' }
  if (fault) return { reason: reasonOf[fault.code], detail: fault.message }
  if (reader.fault) {
    const found = reader.findings.at(-1)
    return { reason: reader.fault, detail: found ? textOf(found.message) : 'the answer could not be read' }
  }
  return { reason: 'emptyAnswer', detail: 'the connection closed before the header was complete' }
}

const reasonOf: Record<NetworkFaultCode, Reason> = {
  unknownHost: 'unknownHost',
  private: 'privateAddress',
  refused: 'refused',
  unreachable: 'unreachable',
  reset: 'reset',
  timeout: 'timeout',
  tlsFailed: 'tlsFailed',
  aborted: 'jobStopped',
  failed: 'connectionFailed',
}

function targetOf(text: string, { settings, resolve, ownHosts }: Fetching): Target | undefined {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return undefined
  const tls = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port)
  const privateAllowed = ownHosts.has(url.hostname) || ownHosts.has(url.host)
  const base = { host, port, tls, connectMsMax: settings.connectMsMax, privateAllowed }
  const resolved = resolve[url.host] ?? resolve[host]
  return resolved === undefined ? base : { ...base, ...addressOf(resolved) }
}

/** Parses `192.0.2.7`, `192.0.2.7:8080` or `[2001:db8::7]:8080`. */
function addressOf(resolved: string): { address: string; port?: number } {
  const parts = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(resolved)
  if (!parts) return { address: resolved }
  const address = parts[1] ?? parts[2] ?? resolved
  return parts[3] === undefined ? { address } : { address, port: Number(parts[3]) }
}

/** Bytes of the request. It accepts every content coding that can be decoded later, since browsers receive these codings and
 *  replay has to serve them. */
function requestFor(
  url: URL,
  { referrer, userAgent, asking }: { referrer: string | undefined; userAgent: string; asking: Asking },
): Uint8Array {
  const { method = 'GET', fields = [], body } = asking
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    `User-Agent: ${userAgent}`,
    'Accept: text/html,application/xhtml+xml,*/*;q=0.8',
    'Accept-Encoding: gzip, br, zstd',
    ...(referrer !== undefined && mayName(referrer, url) ? [`Referer: ${referrer}`] : []),
    ...fields.map(([name, value]) => `${name}: ${value}`),
    ...(body ? [`Content-Length: ${body.length}`] : []),
    'Connection: keep-alive',
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return body ? Buffer.concat([head, body]) : head
}

/** Whether a Referer may be sent (RFC 9110 section 10.1.3): not from a secure page to an insecure URL, and never with user
 *  information. */
function mayName(referrer: string, url: URL): boolean {
  return !(referrer.startsWith('https:') && url.protocol === 'http:') && !/^https?:\/\/[^/]*@/.test(referrer)
}
