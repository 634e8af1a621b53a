/** The WARC records of one capture: response, request, metadata (WARC 1.1 sections 6.3, 6.4 and 6.6), concurrent to each
 *  other. The response block is what crossed the wire, header bytes verbatim and transfer coding left on. */
import { levelFor } from '../formats/packing/gzip.ts'
import { fieldOf } from '../formats/http/http.ts'
import { newRecord, warcMember, warcMemberStreamed, type WarcRecord } from '../formats/records/warcWriter.ts'
import type { Answered, Fetching } from './fetch.ts'
import type { DocumentToFetch } from './frontier.sql.ts'

export interface CaptureRecords {
  /** The members in file order, the response first. */
  response: Uint8Array[] | AsyncIterable<Uint8Array>
  others: Uint8Array[]
  payloadDigest: string
  count: number
}

export async function recordsOf(
  { world, settings }: Pick<Fetching, 'world' | 'settings'>,
  document: DocumentToFetch,
  answered: Answered,
): Promise<CaptureRecords> {
  const { head, response, startedMs } = answered
  const responseId = world.chance.uuid()
  const address: [string, string][] = answered.remoteAddress === '' ? [] : [['WARC-IP-Address', answered.remoteAddress]]
  const concurrent: [string, string][] = [['WARC-Concurrent-To', `<urn:uuid:${responseId}>`]]
  const target: [string, string][] = [['WARC-Target-URI', document.url]]
  const level = levelFor(fieldOf(head, 'content-type') ?? '', fieldOf(head, 'content-encoding') ?? '')
  const base = { version: settings.warcVersion, dateMs: startedMs }

  const responseRecord = {
    ...base,
    type: 'response',
    id: responseId,
    fields: [
      ...target,
      ...address,
      ...(answered.truncated ? [['WARC-Truncated', answered.truncated] as [string, string]] : []),
    ],
    contentType: 'application/http;msgtype=response',
    payload: { offset: head.bytes },
  } as const
  const [main, request, metadata] = await Promise.all([
    response.memory
      ? warcMember(newRecord({ ...responseRecord, block: response.memory }), level)
      : warcMemberStreamed({ ...responseRecord, blockBytes: response.bytes, block: () => response.read() }, level),
    member({
      ...base,
      type: 'request',
      id: world.chance.uuid(),
      fields: [...target, ...address, ...concurrent],
      contentType: 'application/http;msgtype=request',
      block: [answered.request],
    }),
    member({
      ...base,
      type: 'metadata',
      id: world.chance.uuid(),
      fields: [...target, ...concurrent],
      contentType: 'application/warc-fields',
      block: [metadataBlock(document, answered)],
    }),
  ])
  if (main.payloadDigest === undefined) throw new Error('a response record has a payload digest')
  return {
    response: 'bytes' in main ? [main.bytes] : main.chunks,
    others: [request.bytes, metadata.bytes],
    payloadDigest: main.payloadDigest,
    count: 3,
  }
}

function member(record: Parameters<typeof newRecord>[0]): Promise<{ bytes: Uint8Array }> {
  const made: WarcRecord = newRecord(record)
  return warcMember(made, 6)
}

/** Names as in WARC 1.1 section 6.6 (`via`, `hopsFromSeed`, `fetchTimeMs`); the rest is what a curator asks later. */
function metadataBlock(document: DocumentToFetch, answered: Answered): Uint8Array {
  const { security } = answered
  const lines = [
    ...(document.viaUrl === null ? [] : [`via: ${document.viaUrl}`]),
    `hopsFromSeed: ${document.hopPath}`,
    `fetchTimeMs: ${answered.durationMs}`,
    ...(security === undefined
      ? []
      : [
          `tls: ${security.protocol} ${security.cipher}`,
          `tlsTrusted: ${security.trusted ? 'yes' : `no, ${security.problem ?? 'unknown reason'}`}`,
        ]),
    ...answered.complaints.map(({ text }) => `oddity: ${text.replace(/\s+/g, ' ')}`),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'utf8')
}
