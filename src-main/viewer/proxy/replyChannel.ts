/** What one reply is written to: a connection of HTTP/1.1, or a stream of HTTP/2. */
import type { ServerResponse } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Writable } from 'node:stream'
import { sentBytes } from '../model/limits.ts'
import type { Field, Reply } from '../model/reply.ts'

export interface ReplyChannel {
  /** Takes the content, as fast as the browser reads. */
  readonly content: Writable
  /** As much as may be given to it at once. */
  readonly bytesMax: number
  /** HEAD: there is no content, whatever the fields say. */
  readonly isHead: boolean
  headSent(): boolean
  /** The browser no longer waits, or nothing more may be said. */
  isOver(): boolean
  sendHead(reply: ReplyHead, follows: Follows): void
  /** So that nothing that was sent can pass for whole. */
  breakOff(): void
}

/** What follows the head: bytes that are all there, or a stream, which may break. */
type Follows = 'nothing' | 'bytes' | 'stream'

type ReplyHead = Pick<Reply, 'status' | 'reason' | 'fields'>

export function connectionChannel(response: ServerResponse): ReplyChannel {
  return {
    content: response,
    bytesMax: Infinity,
    isHead: response.req.method === 'HEAD',
    headSent: () => response.headersSent,
    isOver: () => response.destroyed,
    sendHead({ status, reason, fields }, follows) {
      // The archived Date, or none: this is not a new answer.
      response.sendDate = false
      response.writeHead(status, sayable(reason), fieldLines(fields))
      if (follows === 'nothing') response.end()
    },
    breakOff: () => response.destroy(),
  }
}

export function streamChannel(stream: ServerHttp2Stream, method: string): ReplyChannel {
  return {
    content: stream,
    // A session keeps what is written to its streams until the browser takes it.
    bytesMax: sentBytes,
    isHead: method === 'HEAD',
    headSent: () => stream.headersSent,
    isOver: () => stream.destroyed || stream.closed,
    sendHead({ status, fields }, follows) {
      const known = status >= 200 && status <= 599
      // RFC 9113 8.2.2 knows no fields about connections; those of archived answers are gone by now. RFC 9110 15 takes a
      // status that nobody knows for one of its class, and everything above for 500; HTTP/2's libraries refuse to say it.
      const said: Field[] = known ? [] : [['X-Archive-Orig-Status', String(status)]]
      // `sendDate` is documented, and forgotten in Node's types.
      const options = { endStream: follows === 'nothing', sendDate: false, waitForTrailers: follows === 'stream' }
      // Node ends a stream that is closed for an error before it resets it, and a browser believes the end (24.21). One that
      // waits for trailers is not ended before this.
      stream.on('wantTrailers', () => {
        if (!stream.closed) stream.sendTrailers({})
      })
      stream.respond([':status', String(known ? status : 500), ...fieldLines([...fields, ...said])], options)
    },
    breakOff: () => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
  }
}

function fieldLines(fields: readonly Field[]): string[] {
  return fields.flatMap(([name, value]) => [name, sayable(value).trim()])
}

/** Field values and reason phrases as they may stand in a message (RFC 9110 5.5): archived ones hold anything. */
function sayable(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ')
}
