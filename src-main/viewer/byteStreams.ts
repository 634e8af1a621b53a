/** Small deeds on streams of bytes. */
import type { ByteStream } from './resolvers.ts'

export function streamOf(bytes: AsyncIterable<Uint8Array>, close: () => Promise<void>): ByteStream {
  return { [Symbol.asyncIterator]: () => bytes[Symbol.asyncIterator](), close }
}

/** Reads up to `bytesMax`: a body that ends by then comes back whole and closed, a longer one as a stream of all of it. */
export async function readAhead(stream: ByteStream, bytesMax: number): Promise<Uint8Array | ByteStream> {
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

/** Its first bytes without taking them. */
export async function peek(stream: ByteStream): Promise<{ first: Uint8Array; stream: ByteStream }> {
  const rest = stream[Symbol.asyncIterator]()
  const step = await rest.next()
  const first = step.done ? new Uint8Array(0) : step.value
  return { first, stream: { [Symbol.asyncIterator]: () => continued([first], rest), close: stream.close } }
}

async function* continued(parts: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* parts
    for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value
  } finally {
    await rest.return?.()
  }
}

export async function countBytes(stream: ByteStream, signal: AbortSignal): Promise<number> {
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
