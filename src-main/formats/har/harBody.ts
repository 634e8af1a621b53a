/** Converts the body of a HAR message to bytes. HAR 1.2 stores it as Unicode text, or as base64 when it is binary;
 *  tools that deviate are handled here. */
import { decodeContent } from '../http/contentCoding.ts'
import { finding, type Finding } from '../rules/finding.ts'

/** A body, and how its bytes came about. */
export interface Body {
  bytes: Uint8Array
  /** True when the entry has no body at all, as opposed to an empty one. */
  absent: boolean
  /** Charset that Content-Type has to state for these bytes, when it states another one. */
  charset: 'utf-8' | undefined
  /** True when the bytes are those of the entry and not encoded from text: some tools keep a content coding. */
  mayBeCoded: boolean
}

/** A body as a HAR has it. The types are unknown because the file is not checked against a schema. */
interface BodyWanted {
  text: unknown
  encoding: unknown
  /** Value of Content-Type. */
  mediaType: string
  report: (found: Finding) => void
}

/** Returns the body of a message. Damage is passed to `report`. */
export function bodyOf({ text, encoding, mediaType, report }: BodyWanted): Body {
  if (typeof text !== 'string') return { bytes: new Uint8Array(0), absent: true, charset: undefined, mayBeCoded: false }
  if (typeof encoding === 'string' && encoding.toLowerCase() === 'base64')
    return { bytes: Buffer.from(text, 'base64'), absent: false, charset: undefined, mayBeCoded: true }
  if (binaryForm.test(mediaType)) return binaryText(text, mediaType, report)
  const charset = charsetOf(mediaType)
  const isAscii = asciiForm.test(text)
  const mustSay = !isAscii && mediaType !== '' && charset !== 'utf-8' && charset !== 'utf8'
  if (mustSay)
    report(charset === undefined ? finding('harCharsetChanged.unnamed') : finding('harCharsetChanged', { charset }))
  return { bytes: Buffer.from(text), absent: false, charset: mustSay ? 'utf-8' : undefined, mayBeCoded: false }
}

/** Media types that are never text. Others may be: JSON, scripts, XML, and mislabelled content. */
const binaryForm =
  /^\s*(image\/(?!svg)|audio\/|video\/|font\/|application\/(octet-stream|pdf|zip|gzip|wasm|font-|x-font-))/i
// oxlint-disable-next-line no-control-regex
const asciiForm = /^[\x00-\x7f]*$/

/** Restores a binary body that was stored as text. U+FFFD replaces bytes that a decoder could not read, which are
 *  lost. When every character is below 256, the tool wrote one character for each byte. */
function binaryText(text: string, mediaType: string, report: BodyWanted['report']): Body {
  // oxlint-disable-next-line no-control-regex
  const isLetters = /^[\x00-\xff]*$/.test(text)
  if (text.includes('\ufffd')) report(finding('harBodyDamaged', { mediaType: mediaType.slice(0, 60) }))
  else if (isLetters && !asciiForm.test(text))
    report(finding('harBodyAsLetters', { mediaType: mediaType.slice(0, 60) }))
  const bytes = Buffer.from(text, isLetters ? 'latin1' : 'utf8')
  return { bytes, absent: false, charset: undefined, mayBeCoded: true }
}

function charsetOf(mediaType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(mediaType)?.[1]?.toLowerCase()
}

/** Returns true when the bytes really have the codings that the field states. The output is limited: a body that
 *  exceeds the limit is certainly coded. */
export function codingsFit(bytes: Uint8Array, codings: string[]): boolean {
  const named = codings.filter((coding) => coding !== 'identity')
  if (named.length === 0 || bytes.length === 0) return false
  const { findings, truncated } = decodeContent(bytes, named, decodedBytesMax)
  return truncated || findings.length === 0
}

/** Maximum number of decoded bytes: enough to see that decoding works. */
const decodedBytesMax = 8 * 1024 * 1024
