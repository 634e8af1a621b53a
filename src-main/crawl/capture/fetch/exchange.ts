/** One request and its answer over a connection. The answer is parsed while it arrives, and every byte is kept as it was received,
 *  transfer coding included. */
import { message } from '../../../contract/words/message.ts'
import type { Detail } from '../../model/detail.ts'
import type { Reason, Truncation } from '../../../contract/states/outcomes.ts'
import { responseReader, type ResponseReader } from '../../../formats/http/responseReader.ts'
import { networkMessage } from './networkMessage.ts'
import { NetworkFault, type Connection, type NetworkFaultCode, type Target } from '../../../world/world.ts'
import { headBytesMax } from '../../model/limits.ts'
import type { Requesting } from './fetching.ts'
import type { Answered } from './outcome.ts'
import type { Spool } from './spool.ts'
import type { Watched } from './watch.ts'

/** Result of one exchange: an answer that can be archived, or `nothing`. `isUnseen`: the server may never have seen the
 *  request, since no byte arrived and the connection was not closed here. */
export type Exchanged =
  | ({ kind: 'answer' } & Pick<Answered, 'head' | 'response' | 'truncated' | 'remoteAddress' | 'security' | 'findings'>)
  | { kind: 'nothing'; reason: Reason; detail: Detail; isUnseen: boolean }

/** Sends the request over the connection, which it closes or gives back, and receives the answer into a spool. Rejects with
 *  `DiskFault` if the body cannot be written. */
export async function exchange(
  request: { url: string; method: string; bytes: Uint8Array },
  target: Target,
  connection: Connection,
  fetching: Requesting,
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
    const isUnseen = !received.hasBytes && watched.ended === undefined
    return { kind: 'nothing', isUnseen, ...whyNothing(reader, watched, received) }
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
  hasBytes: boolean
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
  let hasBytes = false
  const ended = (end: Received['end'], surplus: boolean, fault?: NetworkFault): Received => {
    const headWhole = reader.state !== 'head' || watched.ended === undefined
    if (end === 'closed' || end === 'fault') reader.end()
    return {
      hasBytes,
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
      hasBytes = true
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

function whyNothing(reader: ResponseReader, watched: Watched, { fault }: Received): { reason: Reason; detail: Detail } {
  if (watched.ended === 'stopped') return { reason: 'jobStopped', detail: message('capture.stopped') }
  if (watched.ended === 'silence') return { reason: 'timeout', detail: message('capture.silent') }
  if (watched.ended === 'time') return { reason: 'tooSlow', detail: message('capture.tooSlow') }
  if (fault) return { reason: reasonOf[fault.code], detail: networkMessage(fault) }
  if (reader.fault) {
    const found = reader.findings.at(-1)
    return { reason: reader.fault, detail: found?.message ?? message('capture.unreadable') }
  }
  return { reason: 'emptyAnswer', detail: message('capture.closed') }
}

/** The reason with which a document fails after a fault of the network. */
export const reasonOf: Record<NetworkFaultCode, Reason> = {
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
