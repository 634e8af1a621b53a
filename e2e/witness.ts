/** An independent reader of what Loupe wrote: the npm package `warcio`. It gives out the bytes of a record; whether they have
 *  the digests that the record claims is computed here from those bytes, not by any code of Loupe's. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { WARCParser } from 'warcio'

export interface Witnessed {
  file: string
  type: string
  url: string
  /** Of the block: of a response its status line. */
  firstLine: string
  /** WARC-Truncated; '' where it is absent. */
  truncated: string
  /** Of a metadata record, and of a report of a job: what it says. */
  text: string
  /** Claimed digest and the digest of the bytes that warcio gave out; equal when all is well. */
  block: { claimed: string; found: string }
  /** For records that claim a payload digest and have a payload: the bytes without their transfer coding. */
  payload: { claimed: string; found: string } | undefined
}

/** Every record of every WARC file in a folder, in the order of the files. Rejects when warcio cannot read one. */
export async function witnessFolder(folder: string): Promise<Witnessed[]> {
  const names = (await readdir(folder)).filter((name) => /\.warc(\.gz)?$/.test(name)).sort()
  const all = []
  for (const name of names) all.push(...(await witnessFile(join(folder, name))))
  return all
}

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

/** The body behind the first blank line, its chunks joined when the header says that it is chunked. Undefined when the chunks
 *  are none: then there is no payload that two readers would agree on. */
function payloadIn(block: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(block)
  const blank = /\r?\n\r?\n/.exec(bytes.toString('latin1'))
  // A header that broke off has no payload behind it.
  if (!blank) return Buffer.alloc(0)
  const body = bytes.subarray(blank.index + blank[0].length)
  const isChunked = /^transfer-encoding\s*:.*chunked/im.test(bytes.subarray(0, blank.index).toString('latin1'))
  return isChunked ? joined(body) : body
}

/** RFC 9112 section 7.1, strictly: this is the witness, not a tolerant reader. */
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

/** RFC 4648 section 6; a SHA-1 needs no padding. */
function base32(bytes: Buffer): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}
