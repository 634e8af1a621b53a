/** Reads the WARC files that Loupe wrote with an independent reader, the npm package `warcio`. It delivers the bytes of a record; the
 *  digests are computed here from those bytes, without any code of Loupe. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { WARCParser } from 'warcio'

/** A record as warcio reads it. */
export interface Witnessed {
  file: string
  type: string
  url: string
  /** First line of the block; for a response its status line. */
  firstLine: string
  /** Value of WARC-Truncated; '' when it is absent. */
  truncated: string
  /** Text of the block, for metadata records and the reports of a job; '' for others. */
  text: string
  /** The claimed digest and the digest of the bytes that warcio delivered; equal when the record is intact. */
  block: { claimed: string; found: string }
  /** The same for the payload without its transfer coding; undefined for records that claim no payload digest or have no payload. */
  payload: { claimed: string; found: string } | undefined
}

/** Reads every record of every WARC file in a folder, in the order of the file names. Rejects when warcio cannot read one. */
export async function witnessFolder(folder: string): Promise<Witnessed[]> {
  const names = (await readdir(folder)).filter((name) => /\.warc(\.gz)?$/.test(name)).sort()
  const all = []
  for (const name of names) all.push(...(await witnessFile(join(folder, name))))
  return all
}

/** Reads every record of one WARC file. Rejects when warcio cannot read it. */
export async function witnessFile(path: string): Promise<Witnessed[]> {
  const witnessed: Witnessed[] = []
  for await (const record of new WARCParser(createReadStream(path), { parseHttp: false })) {
    const block = await record.readFully(false)
    const payload = payloadIn(block)
    const claimedPayload = record.warcHeader('WARC-Payload-Digest')
    const type = record.warcType ?? ''
    witnessed.push({
      file: path,
      type,
      url: record.warcTargetURI ?? '',
      firstLine: /^[^\r\n]*/.exec(Buffer.from(block.subarray(0, 1000)).toString('latin1'))?.[0] ?? '',
      truncated: record.warcHeader('WARC-Truncated') ?? '',
      text: isText(record) ? Buffer.from(block).toString('utf8') : '',
      block: { claimed: record.warcHeader('WARC-Block-Digest') ?? '', found: sha1(block) },
      payload: claimedPayload && payload ? { claimed: claimedPayload, found: sha1(payload) } : undefined,
    })
  }
  return witnessed
}

function isText({
  warcType,
  warcTargetURI,
}: {
  warcType?: string | null | undefined
  warcTargetURI?: string | null | undefined
}): boolean {
  return warcType === 'metadata' || (warcTargetURI ?? '').startsWith('metadata:')
}

/** The body after the first blank line, without chunked coding when the header names it. Undefined when the chunks are malformed:
 *  then readers would not agree on a payload. */
function payloadIn(block: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(block)
  const blank = /\r?\n\r?\n/.exec(bytes.toString('latin1'))
  // A header that is cut off is not followed by a payload.
  if (!blank) return Buffer.alloc(0)
  const body = bytes.subarray(blank.index + blank[0].length)
  const isChunked = /^transfer-encoding\s*:.*chunked/im.test(bytes.subarray(0, blank.index).toString('latin1'))
  return isChunked ? joined(body) : body
}

/** Joins the chunks of a body, strictly by RFC 9112 section 7.1: the witness must not be tolerant. */
function joined(body: Buffer): Uint8Array | undefined {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, end).toString('latin1'), 16)
    if (Number.isNaN(size)) return undefined
    if (size === 0) break
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(parts)
}

function sha1(bytes: Uint8Array): string {
  return `sha1:${base32(createHash('sha1').update(bytes).digest())}`
}

/** Base32 (RFC 4648 section 6). A SHA-1 needs no padding. */
function base32(bytes: Buffer): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}
