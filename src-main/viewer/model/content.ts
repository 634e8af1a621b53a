/** The content of replies: byte arrays and byte streams, with helpers to read, count and close them. */

/** A byte array that is complete, or a stream that is still to be read. */
export type Content = Uint8Array | ByteStream

/** A stream over a resource that must be closed. The iteration throws if the content cannot be read completely. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Must be called even if the iteration never began. May be called several times. */
  close(): Promise<void>
}

/** Makes a stream of an iteration and the function that closes what it reads from. */
export function streamOf(bytes: AsyncIterable<Uint8Array>, close: () => Promise<void>): ByteStream {
  return { [Symbol.asyncIterator]: () => bytes[Symbol.asyncIterator](), close }
}

/** Closes content that is not sent or not read to its end. */
export async function closeContent(content: Content): Promise<void> {
  if (!(content instanceof Uint8Array)) await content.close()
}

/** Wraps a stream: `onBreak` is called with the error of an iteration before the reader gets it, and may throw another one
 *  instead. */
export function watched(content: Content, onBreak: (error: unknown) => void): Content {
  if (content instanceof Uint8Array) return content
  async function* parts(stream: ByteStream): AsyncGenerator<Uint8Array> {
    try {
      yield* stream
    } catch (error) {
      onBreak(error)
      throw error
    }
  }
  return streamOf(parts(content), content.close)
}

/** Reads up to `bytesMax` bytes ahead. Shorter content is returned as bytes and closed; longer content as a stream of all of
 *  its bytes. Closes the content if it rejects. */
export async function readAhead(content: Content, bytesMax: number): Promise<Content> {
  if (content instanceof Uint8Array) return content
  try {
    return await readUpTo(content, bytesMax)
  } catch (error) {
    await content.close()
    throw error
  }
}

async function readUpTo(stream: ByteStream, bytesMax: number): Promise<Content> {
  const parts: Uint8Array[] = []
  let bytes = 0
  const rest = stream[Symbol.asyncIterator]()
  while (bytes <= bytesMax) {
    const step = await rest.next()
    if (step.done) {
      await stream.close()
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    }
    parts.push(step.value)
    bytes += step.value.length
  }
  return { [Symbol.asyncIterator]: () => continued(parts, rest), close: stream.close }
}

/** Returns the first bytes and content that still contains them. Closes the content if it rejects. */
export async function peek(content: Content): Promise<{ first: Uint8Array; content: Content }> {
  if (content instanceof Uint8Array) return { first: content, content }
  try {
    const rest = content[Symbol.asyncIterator]()
    const step = await rest.next()
    const first = step.done ? new Uint8Array(0) : step.value
    return { first, content: { [Symbol.asyncIterator]: () => continued([first], rest), close: content.close } }
  } catch (error) {
    await content.close()
    throw error
  }
}

/** Iterates over the content once, whether it is bytes or a stream. */
export async function* partsOf(content: Content): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content
  else yield* content
}

/** Yields parts that were read before, and then the rest. */
async function* continued(parts: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* parts
    for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value
  } finally {
    await rest.return?.()
  }
}

/** Reads content to its end, closes it, and returns its length. Rejects when `signal` aborts. */
export async function countBytes(stream: Content, signal: AbortSignal): Promise<number> {
  if (stream instanceof Uint8Array) return stream.length
  let bytes = 0
  try {
    for await (const part of stream) {
      signal.throwIfAborted()
      bytes += part.length
    }
  } finally {
    await stream.close()
  }
  return bytes
}
