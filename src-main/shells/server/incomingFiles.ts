/**
 * Files that a browser uploads piece by piece: `PUT /incoming/NAME` with `Content-Range: bytes first-last/total`, and `DELETE
 * /incoming/NAME` for a cancelled file. RFC 9110 14.5 leaves a partial PUT to private agreement. Pieces are used because a refusal in the
 * middle of a body of many gigabytes would not be seen before its end. The engine decides where the bytes go and what is refused.
 */
import type { IncomingMessage } from 'node:http'
import { Fault, sentFault } from '../../contract/calls/faults.ts'
import type { Reply } from '../../contract/calls/service.ts'
import { message } from '../../contract/words/message.ts'

/** The engine's side. Both functions throw `Fault`. */
export interface Incoming {
  take(piece: {
    name: string
    from: number
    bytesTotal: number
    bytes: AsyncIterable<Uint8Array>
  }): Promise<{ path: string | null }>
  drop(name: string): Promise<void>
}

/** Maximum size of a piece. The interface sends 16 MiB at a time; a larger body is not one of its pieces. */
const pieceBytesMax = 64 * 1024 * 1024

/** A request for `/incoming/`. */
interface Asked {
  request: IncomingMessage
  target: string
  onBug(error: unknown, name: string): void
}

/** Answers a request. Never rejects. */
export async function answerIncoming(incoming: Incoming, { request, target, onBug }: Asked): Promise<Reply> {
  try {
    const name = nameIn(target)
    if (request.method === 'DELETE') return { value: await incoming.drop(name).then(() => ({})) }
    if (request.method !== 'PUT')
      throw new Fault(
        'unknownCall',
        message('server.noTarget', { method: request.method ?? '', target: target.slice(0, 200) }),
      )
    const { from, to, bytesTotal } = rangeIn(request.headers['content-range'])
    return { value: await incoming.take({ name, from, bytesTotal, bytes: body(request, to - from) }) }
  } catch (error) {
    if (error instanceof Fault) return { fault: sentFault(error) }
    onBug(error, target)
    return { fault: sentFault(new Fault('internal', message('incoming.bug', { problem: String(error) }))) }
  } finally {
    // The body of a refused request is read and discarded: cutting the connection in the middle of a body would lose the reason.
    request.resume()
  }
}

/** Decodes the name in a target. Throws `Fault` badInput for invalid percent-encoding. */
function nameIn(target: string): string {
  try {
    return decodeURIComponent(target.slice('/incoming/'.length))
  } catch (cause) {
    throw new Fault('badInput', message('incoming.encoding'), { cause })
  }
}

/** Parses Content-Range (RFC 9110, 14.4) into offsets with an exclusive end. Throws `Fault` badInput. */
function rangeIn(field: string | undefined): { from: number; to: number; bytesTotal: number } {
  const [, first, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(field ?? '') ?? []
  const range = { from: Number(first), to: Number(last) + 1, bytesTotal: Number(total) }
  if (total === undefined || range.from >= range.to || range.to > range.bytesTotal)
    throw new Fault('badInput', message('incoming.range'))
  if (range.to - range.from > pieceBytesMax)
    throw new Fault('badInput', message('incoming.partSize', { bytes: pieceBytesMax }))
  return range
}

/** Yields exactly the announced bytes: a body that ends early, or continues, throws `Fault`. */
async function* body(request: IncomingMessage, bytesWanted: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  // The request is not destroyed when reading stops: its answer must still be sent.
  const chunks = request.iterator({ destroyOnReturn: false })
  try {
    for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > bytesWanted) throw new Fault('badInput', message('incoming.bodyLong'))
      yield chunk
    }
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('stopped', message('incoming.cut'), { cause: error })
  }
  if (bytes < bytesWanted) throw new Fault('badInput', message('incoming.bodyShort'))
}
