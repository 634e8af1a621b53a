/** The body of a HAR message as bytes. HAR 1.2 has it as Unicode text, or as base64 when it is binary; not every tool keeps to
 *  that, and this is where it shows. */
import { decodeContent } from '../http/contentCoding.ts'
import type { RuleName } from '../rules/rules.ts'

export interface Body {
  bytes: Uint8Array
  /** The entry has no body at all, which is not the same as an empty one. */
  absent: boolean
  /** What Content-Type must say for the bytes to be read as the text was, when it says otherwise. */
  charset: 'utf-8' | undefined
  /** The bytes are those of the entry and no text: some tools leave a content coding on. */
  mayBeCoded: boolean
}

interface BodyWanted {
  text: unknown
  encoding: unknown
  /** Of Content-Type. */
  mediaType: string
  report: (rule: RuleName, text: string) => void
}

export function bodyOf({ text, encoding, mediaType, report }: BodyWanted): Body {
  if (typeof text !== 'string') return { bytes: new Uint8Array(0), absent: true, charset: undefined, mayBeCoded: false }
  if (typeof encoding === 'string' && encoding.toLowerCase() === 'base64')
    return { bytes: Buffer.from(text, 'base64'), absent: false, charset: undefined, mayBeCoded: true }
  if (binaryForm.test(mediaType)) return binaryText(text, mediaType, report)
  const charset = charsetOf(mediaType)
  const isAscii = asciiForm.test(text)
  const mustSay = !isAscii && mediaType !== '' && charset !== 'utf-8' && charset !== 'utf8'
  if (mustSay)
    report(
      'harCharsetChanged',
      `The text was ${charset ?? 'of a charset that the head did not name'}; it is UTF-8 now.`,
    )
  return { bytes: Buffer.from(text), absent: false, charset: mustSay ? 'utf-8' : undefined, mayBeCoded: false }
}

/** Media types that are never text. Others may be: JSON, scripts, XML, and much that is mislabelled. */
const binaryForm =
  /^\s*(image\/(?!svg)|audio\/|video\/|font\/|application\/(octet-stream|pdf|zip|gzip|wasm|font-|x-font-))/i
// oxlint-disable-next-line no-control-regex
const asciiForm = /^[\x00-\x7f]*$/

/** U+FFFD stands where a decoder met bytes that are no text: what they were is gone. Where every letter is below 256, the
 *  tool wrote a letter a byte. */
function binaryText(text: string, mediaType: string, report: BodyWanted['report']): Body {
  // oxlint-disable-next-line no-control-regex
  const isLetters = /^[\x00-\xff]*$/.test(text)
  if (text.includes('\ufffd')) report('harBodyDamaged', `A body of ${mediaType.slice(0, 60)} was decoded as text.`)
  else if (isLetters && !asciiForm.test(text))
    report('harBodyAsLetters', `A body of ${mediaType.slice(0, 60)} is not base64.`)
  const bytes = Buffer.from(text, isLetters ? 'latin1' : 'utf8')
  return { bytes, absent: false, charset: undefined, mayBeCoded: true }
}

function charsetOf(mediaType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(mediaType)?.[1]?.toLowerCase()
}

/** Whether the bytes are really coded as the field says. Bounded: a body that unpacks to more is surely coded. */
export function codingsFit(bytes: Uint8Array, codings: string[]): boolean {
  const named = codings.filter((coding) => coding !== 'identity')
  if (named.length === 0 || bytes.length === 0) return false
  const { findings, truncated } = decodeContent(bytes, named, decodedBytesMax)
  return truncated || findings.length === 0
}

/** Enough to see that unpacking goes well. */
const decodedBytesMax = 8 * 1024 * 1024
