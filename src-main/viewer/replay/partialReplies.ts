/** Replies with parts of a representation (RFC 9110 15.3.7): a single range as it is, several as multipart/byteranges (14.6). */
import { randomBytes } from 'node:crypto'
import { streamOf, type ByteStream, type Content } from '../model/content.ts'
import { slices, type Range } from './range.ts'
import { reasonOf, type Field, type Reply } from '../model/reply.ts'

/** The parts to send. */
export interface Parts {
  ranges: readonly [Range, ...Range[]]
  /** Indexes of `ranges` in the order of the request. */
  asAsked?: readonly number[]
  /** Bytes of the whole representation. Undefined if not known. */
  total: number | undefined
  /** Bytes of the representation that precede the body. */
  skipped?: number
}

/** Makes the 206 reply. Parts should be sent in the order of the request (RFC 9110 15.3.7.2), but a streamed body is read only
 *  once, so its parts are sent in ascending order. */
export function partialReply(
  reply: Omit<Reply, 'body'>,
  body: Content,
  { ranges: inBody, asAsked, total, skipped = 0 }: Parts,
): Reply {
  const ranges = asAsked && body instanceof Uint8Array ? inOrder(inBody, asAsked) : inBody
  const isOne = ranges.length === 1
  const boundary = randomBytes(16).toString('hex')
  const mediaType = reply.fields.find(([name]) => name.toLowerCase() === 'content-type')
  const heads = isOne ? [''] : ranges.map((range) => partHead({ boundary, mediaType, range, total }))
  const end = isOne ? '' : `\r\n--${boundary}--\r\n`
  const bytes = ranges.reduce((sum, { first, last }) => sum + last + 1 - first, 0)
  const fields: Field[] = isOne
    ? [...reply.fields, ['Content-Range', contentRangeOf(ranges[0], total)]]
    : [
        ...reply.fields.filter((field) => field !== mediaType),
        ['Content-Type', `multipart/byteranges; boundary=${boundary}`],
      ]
  const places = ranges.map(({ first, last }) => ({ first: first - skipped, last: last - skipped }))
  return {
    ...reply,
    status: 206,
    reason: reasonOf[206] ?? '',
    fields: [...fields, ['Content-Length', String(bytes + heads.join('').length + end.length)]],
    body: bodyOf(body, { places, heads, end }),
  }
}

/** The head of one part, restricted to ASCII: archived media types may contain anything. */
function partHead(part: { boundary: string; mediaType: Field | undefined; range: Range; total: number | undefined }) {
  const { boundary, mediaType, range, total } = part
  const type = mediaType ? `Content-Type: ${mediaType[1].replace(/[^\x20-\x7e]/g, ' ')}\r\n` : ''
  return `\r\n--${boundary}\r\n${type}Content-Range: ${contentRangeOf(range, total)}\r\n\r\n`
}

/** The value of Content-Range (RFC 9110 14.4). */
function contentRangeOf({ first, last }: Range, total: number | undefined): string {
  return `bytes ${first}-${last}/${total ?? '*'}`
}

/** What the body consists of: ranges of the content, the text before each, and the text after the last. */
interface Layout {
  places: readonly Range[]
  /** Heads of the parts. */
  heads: readonly string[]
  end: string
}

function bodyOf(body: Content, { places, heads, end }: Layout): Content {
  if (!(body instanceof Uint8Array)) return streamOf(multipartBody(body, { places, heads, end }), body.close)
  const parts = places.flatMap(({ first, last }, at) => [Buffer.from(heads[at] ?? ''), body.subarray(first, last + 1)])
  return Buffer.concat([...parts, Buffer.from(end)])
}

/** Yields the parts of a stream with their heads. */
async function* multipartBody(body: ByteStream, { places, heads, end }: Layout): AsyncGenerator<Uint8Array> {
  let begun = -1
  for await (const { range, bytes } of slices(body, places)) {
    if (range !== begun && heads[range] !== '') yield Buffer.from(heads[range] ?? '')
    begun = range
    yield bytes
  }
  if (end !== '') yield Buffer.from(end)
}

function inOrder([first, ...others]: Parts['ranges'], places: readonly number[]): Parts['ranges'] {
  const ranges = [first, ...others]
  const [begin = first, ...rest] = places.flatMap((place) => ranges[place] ?? [])
  return [begin, ...rest]
}
