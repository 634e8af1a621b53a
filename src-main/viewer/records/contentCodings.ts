/** Content codings (RFC 9110 8.4, 12.5.3): decides whether an archived body can be sent as it is, and decodes it if not. Bodies
 *  that fit into memory elsewhere are decoded by `formats`, which tolerates more. */
import { message } from '../../contract/words/message.ts'
import { pipeline, Readable, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { closeContent, partsOf, peek, streamOf, type ByteStream, type Content } from '../model/content.ts'
import { Unreadable } from '../model/unreadable.ts'
import { decodedBytesMax } from '../model/limits.ts'

// Flush instead of finish at the end: a body that was cut off when it was captured yields everything before the cut.
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }),
}

/** Whether all of these codings can be decoded here. */
export function isDecodable(codings: readonly string[]): boolean {
  return codings.every((coding) => Object.hasOwn(decoders, coding))
}

/** Whether a browser accepts all of these codings. Without an Accept-Encoding field RFC 9110 12.5.3 allows any coding, but
 *  clients that do not send it cannot decode, so they get none. */
export function accepts(field: string | undefined, codings: readonly string[]): boolean {
  const weights = new Map(
    (field ?? '').split(',').map((member) => {
      const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=')[1]
      return [name, weight === undefined ? 1 : Number(weight)]
    }),
  )
  return codings.every(
    (coding) => (weights.get(coding) ?? weights.get(coding.replace(/^x-/, '')) ?? weights.get('*') ?? 0) > 0,
  )
}

/** Decodes content. Closing the stream closes the content. */
export function decodedStream(content: Content, codings: readonly string[]): ByteStream {
  return streamOf(decoded(partsOf(content), codings), () => closeContent(content))
}

/** Decodes a body; `codings` are in field order, so the last one is removed first. Throws `Unreadable` if the body is not coded
 *  that way, or decodes to more than `decodedBytesMax`. */
export async function* decoded(
  body: AsyncIterable<Uint8Array>,
  codings: readonly string[],
): AsyncGenerator<Uint8Array> {
  const plain = codings.toReversed().reduce(undone, body)
  let decodedBytes = 0
  try {
    for await (const bytes of plain) {
      decodedBytes += bytes.length
      if (decodedBytes > decodedBytesMax)
        throw new Unreadable(message('viewer.content.tooLarge', { bytes: decodedBytesMax }))
      yield bytes
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(Z_|ERR_|ZSTD_)/.test(String(error.code))) {
      const problem = message('viewer.content.coding', { codings: codings.join(', '), problem: error.message })
      throw new Unreadable(problem, { cause: error })
    }
    throw error
  }
}

/** Removes one coding. */
async function* undone(body: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  const { first, content } = await peek(streamOf(body, async () => undefined))
  const decoder = coding === 'deflate' && !isZlib(first) ? bareInflate : decoders[coding]
  if (decoder === undefined) throw new Error(`no decoder for ${coding}`)
  const stage = decoder()
  // Any failure destroys the stage as well, so that the loop throws it. Leaving the loop destroys the rest.
  pipeline([Readable.from(partsOf(content), { objectMode: false }), stage], () => undefined)
  yield* stage as AsyncIterable<Uint8Array>
}

/** Whether deflate has the zlib format around it (RFC 1950 2.2). Some servers omit it, and browsers accept that (RFC 9110
 *  8.4.1.2). */
function isZlib(first: Uint8Array): boolean {
  const [method = 0, flags] = first
  return (method & 0x0f) === 8 && (flags === undefined || (method * 256 + flags) % 31 === 0)
}

function bareInflate(): Transform {
  return createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH })
}

/** Whether the content is really coded. Some harvesters keep the field and store decoded content; gzip can be recognised by its
 *  first bytes (RFC 1952 2.3.1). */
export function isReallyCoded(first: Uint8Array, codings: readonly string[]): boolean {
  const outermost = codings.at(-1)
  if (outermost !== 'gzip' && outermost !== 'x-gzip') return true
  return first.length === 0 || (first[0] === 0x1f && (first.length === 1 || first[1] === 0x8b))
}
