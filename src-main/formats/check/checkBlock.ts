/** Checks the block of one record in one pass: its digests (blockDigests.ts), the HTTP message in it with its
 *  framing and content coding, and whether it is of the kind that the header states. The first megabyte of a coded
 *  payload is decoded, which reveals a wrong coding name and most damage; the end of a longer payload is not
 *  decoded. */
import { finding, findingWith, type Finding } from '../rules/finding.ts'
import { decodeContent } from '../http/contentCoding.ts'
import { lengthOf } from '../http/responseReader.ts'
import { listOf, type HttpHead } from '../http/http.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'
import type { RuleName } from '../rules/rules.ts'
import { BlockDigests, isHttpRecord, type DigestsRead } from '../records/blockDigests.ts'
import { shown } from './fieldValues.ts'
import { message } from '../../contract/words/message.ts'

/** Bytes of a coded payload that are held and decoded. Most coded pages fit. */
const codedBytesMax = 1024 * 1024
/** Maximum decoded bytes: enough to see that the content has the stated coding. */
const decodedBytesMax = 8 * 1024 * 1024
/** Bytes of the block that are kept: enough for a misplaced request line. */
const beginningBytes = 1024

/** Result of checking a block. */
export interface BlockCheck {
  digests: DigestsRead
  /** Status of the HTTP response in the block. */
  status: number | undefined
  /** First bytes of the block. */
  beginning: Uint8Array
  findings: Finding[]
}

/** Reads the block of a record completely and checks it. */
export async function checkBlock(record: ArchiveRecord): Promise<BlockCheck> {
  const payload = new PayloadBeginning()
  const block = new BlockDigests(record, (bytes) => payload.take(bytes, block.head))
  let beginning: Uint8Array = new Uint8Array(0)
  let blockBytes = 0
  for await (const bytes of record.block()) {
    blockBytes += bytes.length
    if (beginning.length === 0) beginning = Uint8Array.from(bytes.subarray(0, beginningBytes))
    else if (beginning.length < beginningBytes)
      beginning = Buffer.concat([beginning, bytes.subarray(0, beginningBytes - beginning.length)])
    block.update(bytes)
  }
  const digests = block.end()
  const findings = [...digests.findings]
  // The missing end of a torn record is reported once, by the reader.
  const torn = blockBytes < record.blockBytes
  if (isHttpRecord(record)) {
    findings.push(...contradictions(record, block, beginning))
    findings.push(...block.messageFindings.map(placed).filter(({ rule }) => !torn || !tornRules.has(rule)))
    if (block.head && !torn) findings.push(...checkPayload(record, block.head, payload))
  } else if (record.format === 'arc') findings.push(...checkArcBlock(record))
  const status = block.head && 'status' in block.head ? block.head.status : undefined
  return { digests, status, beginning, findings }
}

/** Rules that a torn record always breaks. */
const tornRules: ReadonlySet<RuleName> = new Set<RuleName>(['httpHeadTorn', 'chunksTorn'])

/** Moves the offset into the text: an offset within the block cannot be used in a compressed file. */
function placed({ offset, ...found }: Finding): Finding {
  return offset === undefined || offset === 0
    ? found
    : { ...found, message: message('found.inBlock', { finding: found.message, offset }) }
}

/** Reports a block that does not begin with the message that the type of its record requires. */
function contradictions(record: ArchiveRecord, { head }: BlockDigests, beginning: Uint8Array): Finding[] {
  const text = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.length).toString('latin1')
  const [firstLine = ''] = text.split(/\r?\n/, 1)
  const found = (rule: RuleName) => [
    findingWith(
      rule,
      beginning.length === 0 ? message('found.blockEmpty') : message('found.blockBegins', { line: shown(firstLine) }),
    ),
  ]
  // A record without Content-Type does not claim to be an HTTP message.
  if ((record.contentType ?? '') === '') return []
  if (record.type === 'response' && head && 'method' in head) return found('responseHoldsRequest')
  if (record.type === 'response' && !head) return found('responseWithoutHttp')
  if (record.type !== 'request') return []
  if (head && 'status' in head) return found('requestHoldsResponse')
  return methodFirst.test(firstLine) ? [] : found('requestWithoutHttp')
}

/** Matches a request line. ArchiveWeb.page omits the version. */
const methodFirst = /^[A-Za-z-]+[ \t]+\S/

/** Counts the bytes of the payload and, when it is coded, holds its beginning. */
class PayloadBeginning {
  bytes = 0
  #parts: Uint8Array[] = []
  #held = 0

  take(part: Uint8Array, head: BlockDigests['head']): void {
    const isCoded = this.bytes === 0 ? head !== undefined && codingsOf(head).length > 0 : this.#held > 0
    this.bytes += part.length
    if (!isCoded || this.#held === codedBytesMax) return
    // A copy, because the caller may reuse its buffer.
    const wanted = Uint8Array.from(part.subarray(0, codedBytesMax - this.#held))
    this.#parts.push(wanted)
    this.#held += wanted.length
  }

  get isWhole(): boolean {
    return this.bytes === this.#held
  }

  held(): Uint8Array {
    return this.#parts.length === 1 && this.#parts[0] ? this.#parts[0] : Buffer.concat(this.#parts)
  }
}

/** Checks coding and length of a response's payload, where the record should hold all of it. */
function checkPayload(record: ArchiveRecord, head: BlockDigests['head'], payload: PayloadBeginning): Finding[] {
  // Revisits omit the payload, segments have only part of it, and requests are not displayed.
  if (!head || !('status' in head) || record.type !== 'response') return []
  if (recordField(record, 'warc-segment-number') !== undefined) return []
  const isTruncated = (recordField(record, 'warc-truncated') ?? '') !== ''
  const coding = checkCoding(head, payload, isTruncated)
  // A program that decoded the body left the head unchanged, with the length of the coded body.
  const unpacked = coding.some(({ rule }) => rule === 'notCoded')
  return unpacked ? coding : [...coding, ...checkLength(head, payload.bytes, isTruncated)]
}

/** Content codings in the order in which they were applied (RFC 9110, 8.4). */
function codingsOf(head: NonNullable<BlockDigests['head']>): string[] {
  return listOf(head, 'content-encoding')
}

function checkCoding(head: HttpHead, payload: PayloadBeginning, isTruncated: boolean): Finding[] {
  const codings = codingsOf(head)
  if (codings.length === 0 || payload.bytes === 0) return []
  const { findings } = decodeContent(payload.held(), codings, decodedBytesMax)
  // A missing end is expected when only the beginning is held, and when the record was truncated.
  const cut = isTruncated || !payload.isWhole
  return findings.filter(({ rule }) => rule !== 'contentTooLarge' && !(cut && rule === 'contentTorn'))
}

/** Compares a body without transfer coding with the Content-Length of its head (RFC 9112, 6.3). */
export function checkLength(head: HttpHead, bodyBytes: number, isTruncated: boolean): Finding[] {
  const { status } = head
  if (listOf(head, 'transfer-encoding').length > 0 || status === 204 || status === 304 || status < 200) return []
  const found: Finding[] = []
  const stated = lengthOf(listOf(head, 'content-length'), found)
  if (stated === undefined || stated === bodyBytes) return found
  if (bodyBytes > stated) return [...found, finding('httpBodyTooLong', { stated, bytes: bodyBytes })]
  if (isTruncated) return found
  return [
    ...found,
    bodyBytes === 0
      ? finding('httpBodyMissing', { stated })
      : finding('httpBodyTruncated', { stated, bytes: bodyBytes }),
  ]
}

/** Reports an ARC record with an http URL whose block, by the reader's finding, does not begin with an HTTP head. */
function checkArcBlock(record: ArchiveRecord): Finding[] {
  if (record.type === 'filedesc' || record.blockBytes === 0 || !/^https?:/i.test(record.url ?? '')) return []
  return [finding('arcHttpMissing', { url: shown(record.url ?? '') })]
}
