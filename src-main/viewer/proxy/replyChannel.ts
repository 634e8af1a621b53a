/** Where a reply is written: an HTTP/1.1 connection or an HTTP/2 stream. */
import type { ServerResponse } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Writable } from 'node:stream'
import { sentBytes } from '../model/limits.ts'
import type { Field, Reply } from '../model/reply.ts'

/** A connection or stream for one reply. */
export interface ReplyChannel {
  /** Accepts the content, with backpressure from the browser. */
  readonly content: Writable
  /** Bytes that may be written to it at a time. */
  readonly bytesMax: number
  /** The request is HEAD, so no content is sent even if the fields announce some. */
  readonly isHead: boolean
  headSent(): boolean
  /** The browser is gone, or the reply has ended. */
  isOver(): boolean
  /** Sends the head. With `nothing` the reply ends with it. */
  sendHead(reply: ReplyHead, follows: Follows): void
  /** Ends the reply with an error, so that the browser does not take a part of the content for all of it. */
  breakOff(): void
}

/** What follows the head: nothing, bytes in memory, or a stream that may fail. */
type Follows = 'nothing' | 'bytes' | 'stream'

/** Status line and fields of a reply. */
type ReplyHead = Pick<Reply, 'status' | 'reason' | 'fields'>

/** The channel over an HTTP/1.1 connection. */
export function connectionChannel(response: ServerResponse): ReplyChannel {
  return {
    content: response,
    bytesMax: Infinity,
    isHead: response.req.method === 'HEAD',
    headSent: () => response.headersSent,
    isOver: () => response.destroyed,
    sendHead({ status, reason, fields }, follows) {
      // Only the archived Date is sent, because this is not a new response.
      response.sendDate = false
      response.writeHead(status, printable(reason), fieldLines(fields))
      if (follows === 'nothing') response.end()
    },
    breakOff: () => response.destroy(),
  }
}

/** The channel over a stream of HTTP/2. */
export function streamChannel(stream: ServerHttp2Stream, method: string): ReplyChannel {
  return {
    content: stream,
    // An HTTP/2 session buffers what is written to its streams until the browser takes it.
    bytesMax: sentBytes,
    isHead: method === 'HEAD',
    headSent: () => stream.headersSent,
    isOver: () => stream.destroyed || stream.closed,
    sendHead({ status, fields }, follows) {
      const known = status >= 200 && status <= 599
      // Connection fields (RFC 9113 8.2.2) were removed from archived responses before. RFC 9110 15 treats unknown
      // statuses as x00 of their class and those above 599 as 500, and HTTP/2 libraries refuse to send them.
      const original: Field[] = known ? [] : [['X-Archive-Orig-Status', String(status)]]
      // `sendDate` is documented but missing in Node's types.
      const options = { endStream: follows === 'nothing', sendDate: false, waitForTrailers: follows === 'stream' }
      // Node 24.21 ends a stream before it resets it with an error, and browsers believe the end. A stream that waits for
      // trailers is not ended first.
      stream.on('wantTrailers', () => {
        if (!stream.closed) stream.sendTrailers({})
      })
      stream.respond([':status', String(known ? status : 500), ...fieldLines([...fields, ...original])], options)
    },
    breakOff: () => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
  }
}

/** Returns names and values in turn, as Node takes them, so that repeated fields stay separate. */
function fieldLines(fields: readonly Field[]): string[] {
  return fields.flatMap(([name, value]) => [name, printable(value).trim()])
}

/** Replaces characters that must not occur in field values and reason phrases (RFC 9110 5.5). Archived ones may contain
 *  anything. */
function printable(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ')
}
