/** Reads the content of a browser's request completely or not at all. Unread content is discarded, so that the connection can
 *  carry the next request. */
import type { Readable } from 'node:stream'
import { requestContentBytesMax } from '../model/limits.ts'

/** Returns a function that reads the content on its first call and keeps it. It resolves with undefined if there is more than
 *  `requestContentBytesMax`, and rejects if the browser disconnects. */
export function contentReader(
  stream: Readable,
  contentLength: string | undefined,
): () => Promise<Uint8Array | undefined> {
  let read: Promise<Uint8Array | undefined> | undefined
  return () => (read ??= isTooLong(contentLength) ? Promise.resolve(undefined) : readWhole(stream))
}

/** The HTTP parser has checked that the field is a number. */
function isTooLong(contentLength: string | undefined): boolean {
  return contentLength !== undefined && Number(contentLength) > requestContentBytesMax
}

function readWhole(stream: Readable): Promise<Uint8Array | undefined> {
  return new Promise((read, broken) => {
    const parts: Uint8Array[] = []
    let bytes = 0
    const take = (part: Uint8Array) => {
      bytes += part.length
      if (bytes <= requestContentBytesMax) parts.push(part)
      else leave(() => read(undefined))
    }
    const ended = () => leave(() => read(Buffer.concat(parts)))
    const gone = () => leave(() => broken(new Error('the browser went away before all of its request had come')))
    const leave = (settle: () => void) => {
      // Without this listener the stream keeps flowing, and the rest is discarded.
      stream.off('data', take).off('end', ended).off('close', gone)
      settle()
    }
    // Errors end the stream as well, and the close event reports them.
    stream.on('error', () => undefined)
    stream.on('data', take).on('end', ended).on('close', gone)
    if (stream.readableEnded) ended()
    else if (stream.destroyed) gone()
  })
}
