/** Files that a browser hands over, piece by piece: `PUT /incoming/NAME` with `Content-Range: bytes first-last/total`, and
 *  `DELETE /incoming/NAME` for what was thought better of. RFC 9110 14.5 leaves a partial PUT to those who agree on it. In
 *  pieces, because a refusal in the middle of a body of many gigabytes would not be heard before its end. Where the bytes
 *  go, and what is refused, is the engine's to say. */
import type { IncomingMessage } from 'node:http'
import { Fault, sentFault } from '../../contract/calls/faults.ts'
import type { Reply } from '../../contract/calls/service.ts'
import { message } from '../../contract/words/message.ts'

/** The engine's end. Both throw `Fault`. */
export interface Incoming {
  take(piece: {
    name: string
    from: number
    bytesTotal: number
    bytes: AsyncIterable<Uint8Array>
  }): Promise<{ path: string | null }>
  drop(name: string): Promise<void>
}

/** The interface sends 16 MiB at a time; a body beyond this is no piece of ours. */
const pieceBytesMax = 64 * 1024 * 1024

interface Asked {
  request: IncomingMessage
  target: string
  onBug(error: unknown, name: string): void
}

/** Never rejects. */
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
    // What is refused is read and forgotten: a connection cut in the middle of a body would not carry the reason back.
    request.resume()
  }
}

function nameIn(target: string): string {
  try {
    return decodeURIComponent(target.slice('/incoming/'.length))
  } catch (cause) {
    throw new Fault('badInput', message('incoming.encoding'), { cause })
  }
}

function rangeIn(field: string | undefined): { from: number; to: number; bytesTotal: number } {
  const [, first, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(field ?? '') ?? []
  const range = { from: Number(first), to: Number(last) + 1, bytesTotal: Number(total) }
  if (total === undefined || range.from >= range.to || range.to > range.bytesTotal)
    throw new Fault('badInput', message('incoming.range'))
  if (range.to - range.from > pieceBytesMax)
    throw new Fault('badInput', message('incoming.partSize', { bytes: pieceBytesMax }))
  return range
}

/** Exactly the bytes that were announced: a body that ends early, or goes on, throws `Fault`. */
async function* body(request: IncomingMessage, bytesWanted: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  // The request is not destroyed when reading stops: its answer is still to be sent.
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
