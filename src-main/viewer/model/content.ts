/** What the viewer sends, bytes or streams of them, and small deeds on it. */

/** All there, or yet to be read. */
export type Content = Uint8Array | ByteStream

/** Bytes that come from somewhere that has to be closed. Its iteration throws when it cannot be whole. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Idempotent, and needed whether or not the iteration began. */
  close(): Promise<void>
}

export function streamOf(bytes: AsyncIterable<Uint8Array>, close: () => Promise<void>): ByteStream {
  return { [Symbol.asyncIterator]: () => bytes[Symbol.asyncIterator](), close }
}

export async function closeContent(content: Content): Promise<void> {
  if (!(content instanceof Uint8Array)) await content.close()
}

/** The same. `onBreak` hears why it cannot be whole before whoever reads it does, and may throw that in other words. */
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

/** What is yet to be read, up to `bytesMax`: a body that ends by then comes back whole and closed, a longer one as a stream of all of
 *  it. When it rejects it is closed. */
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

/** Its first bytes without taking them. When it rejects it is closed. */
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

/** Once, whichever it is. */
export async function* partsOf(content: Content): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content
  else yield* content
}

async function* continued(parts: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* parts
    for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value
  } finally {
    await rest.return?.()
  }
}

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
