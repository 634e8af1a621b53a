/** The block of one record, read once: its digests (digests.ts), the HTTP message in it with its framing and content
 *  coding, and whether it is of the kind that the header says. Of a coded payload the first megabyte is unpacked, which
 *  shows a wrong name and most damage; the end of a longer one is not looked at. */
import { finding, type Finding } from '../rules/finding.ts'
import { decodeContent } from '../http/contentCoding.ts'
import { lengthOf, listOf, type HttpHead } from '../http/http.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'
import type { RuleName } from '../rules/rules.ts'
import { BlockDigests, isHttpRecord, type DigestsRead } from '../records/blockDigests.ts'
import { shown } from './fieldValues.ts'

/** Of the coded payload held to be unpacked. Most coded pages are whole within it. */
const codedBytesMax = 1024 * 1024
/** Unpacked to at most so much: enough to see that it is what its name says. */
const decodedBytesMax = 8 * 1024 * 1024
/** Enough for a request line that should not be there. */
const beginningBytes = 1024

export interface BlockCheck {
  digests: DigestsRead
  /** Of the HTTP answer in it. */
  status: number | undefined
  /** The first bytes of the block. */
  beginning: Uint8Array
  findings: Finding[]
}

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
  // What is missing at the end of a torn record is said once, by the reader.
  const torn = blockBytes < record.blockBytes
  if (isHttpRecord(record)) {
    findings.push(...contradictions(record, block, beginning))
    findings.push(...block.messageFindings.map(placed).filter(({ rule }) => !torn || !tornRules.has(rule)))
    if (block.head && !torn) findings.push(...checkPayload(record, block.head, payload))
  } else if (record.format === 'arc') findings.push(...checkArcBlock(record))
  const status = block.head && 'status' in block.head ? block.head.status : undefined
  return { digests, status, beginning, findings }
}

/** What a torn record has by being torn. */
const tornRules: ReadonlySet<RuleName> = new Set<RuleName>(['httpHeadTorn', 'chunksTorn'])

/** Offsets within a block mean nothing in a packed file, so they are said in words. */
function placed({ offset, ...found }: Finding): Finding {
  return offset === undefined || offset === 0
    ? found
    : { ...found, text: `${found.text} (Byte ${offset} of the block.)` }
}

/** The block does not begin as the message that the type of its record asks for. */
function contradictions(record: ArchiveRecord, { head }: BlockDigests, beginning: Uint8Array): Finding[] {
  const text = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.length).toString('latin1')
  const [firstLine = ''] = text.split(/\r?\n/, 1)
  const begins = beginning.length === 0 ? 'The block is empty.' : `The block begins with "${shown(firstLine)}".`
  // Without a Content-Type the record does not claim to be one.
  if ((record.contentType ?? '') === '') return []
  if (record.type === 'response' && head && 'method' in head) return [finding('responseHoldsRequest', begins)]
  if (record.type === 'response' && !head) return [finding('responseWithoutHttp', begins)]
  if (record.type !== 'request') return []
  if (head && 'status' in head) return [finding('requestHoldsResponse', begins)]
  return methodFirst.test(firstLine) ? [] : [finding('requestWithoutHttp', begins)]
}

/** ArchiveWeb.page leaves the version out. */
const methodFirst = /^[A-Za-z-]+[ \t]+\S/

/** How long the payload is, and where it is coded its beginning. */
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

function checkPayload(record: ArchiveRecord, head: BlockDigests['head'], payload: PayloadBeginning): Finding[] {
  // Revisits leave it off, segments have a part of it, and requests are not shown.
  if (!head || !('status' in head) || record.type !== 'response') return []
  if (recordField(record, 'warc-segment-number') !== undefined) return []
  const isTruncated = (recordField(record, 'warc-truncated') ?? '') !== ''
  const coding = checkCoding(head, payload, isTruncated)
  // Who unpacked the body left the head as it was, and with it the length of the packed one.
  const unpacked = coding.some(({ rule }) => rule === 'notCoded')
  return unpacked ? coding : [...coding, ...checkLength(head, payload.bytes, isTruncated)]
}

function codingsOf(head: NonNullable<BlockDigests['head']>): string[] {
  return listOf(head, 'content-encoding')
}

function checkCoding(head: HttpHead, payload: PayloadBeginning, isTruncated: boolean): Finding[] {
  const codings = codingsOf(head)
  if (codings.length === 0 || payload.bytes === 0) return []
  const { findings } = decodeContent(payload.held(), codings, decodedBytesMax)
  // That it goes on is known where only its beginning is held, and that it does not where it was cut.
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
  const text = `Content-Length is ${stated}; the body has ${bodyBytes} bytes.`
  if (bodyBytes > stated) return [...found, finding('httpBodyTooLong', text)]
  if (isTruncated) return found
  return [...found, finding(bodyBytes === 0 ? 'httpBodyMissing' : 'httpBodyTruncated', text)]
}

/** ARC says of http addresses only that they are; whether an answer was found in them the reader has seen. */
function checkArcBlock(record: ArchiveRecord): Finding[] {
  if (record.type === 'filedesc' || record.blockBytes === 0 || !/^https?:/i.test(record.url ?? '')) return []
  return [finding('arcHttpMissing', `The record of ${shown(record.url ?? '')} does not begin with an HTTP header.`)]
}
