/** The content that comes with a browser's request, whole or not at all. What is not read here flows away unseen, so that
 *  the connection can carry the next request. */
import type { Readable } from 'node:stream'
import { requestContentBytesMax } from '../model/limits.ts'

/** Reads when first called, and keeps what it read. Undefined: there is more than `requestContentBytesMax`. Rejects when the
 *  browser goes away in the middle. */
export function contentReader(
  stream: Readable,
  contentLength: string | undefined,
): () => Promise<Uint8Array | undefined> {
  let read: Promise<Uint8Array | undefined> | undefined
  return () => (read ??= isTooLong(contentLength) ? Promise.resolve(undefined) : readWhole(stream))
}

/** HTTP's parser has seen to it that the field is a number. */
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
      // Without its listener the stream still flows: the rest is thrown away.
      stream.off('data', take).off('end', ended).off('close', gone)
      settle()
    }
    // What breaks it ends it too, and is told by its closing.
    stream.on('error', () => undefined)
    stream.on('data', take).on('end', ended).on('close', gone)
    if (stream.readableEnded) ended()
    else if (stream.destroyed) gone()
  })
}
