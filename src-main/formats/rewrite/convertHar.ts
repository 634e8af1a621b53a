/** Converts HAR to WARC 1.1: each entry becomes a response and its request. A HAR is a browser's report of the
 *  traffic rather than the traffic itself, so the warcinfo names the program that wrote it; har/exchange.ts
 *  describes how heads and bodies are rebuilt. Converting the same file again gives the same bytes, as with ARC. */
import type { ByteSource } from '../bytes/fileWindow.ts'
import { exchangeOf, type Exchange } from '../har/exchange.ts'
import { readHar, type HarEntry, type HarLog } from '../har/har.ts'
import type { RecordHeader } from '../records/warcWriter.ts'
import type { Account } from './account.ts'
import { convertedFromField, formatFields, placeText, warcFields, type Origin } from './origin.ts'
import { namedRecordId } from './recordId.ts'
import { writtenRecord } from './writtenRecord.ts'

type Field = [name: string, value: string]

/** What a conversion works with: `account` receives what was changed and left out, `origin` describes the source
 *  in the new records. */
interface Converting {
  account: Account
  origin: Origin
}

/** Converts all entries of a HAR file, and yields the WARC file. */
export async function* convertHar(source: ByteSource, converting: Converting): AsyncGenerator<Uint8Array> {
  const { account } = converting
  let log: HarLog = { version: undefined, creator: undefined, browser: undefined }
  const entries = readHar(source, {
    onLog: (found) => (log = found),
    onFinding(finding) {
      account.found([finding])
      if (finding.severity === 'error')
        account.leave({ from: finding.offset ?? 0, to: null, rule: finding.rule, message: finding.message })
    },
  })
  let begun = false
  for await (const entry of entries) {
    const exchange = taken(entry, account)
    if (!exchange) continue
    if (!begun) yield* warcinfo(converting, log, exchange.startedMs)
    begun = true
    yield* pair(converting, entry, exchange)
  }
}

/** Returns the exchange of an entry. An entry without content to convert (no response, no web URL) is a note rather
 *  than a loss. */
function taken(entry: HarEntry, account: Account): Exchange | undefined {
  const { exchange, findings } = exchangeOf(entry)
  account.position = entry.offset
  account.found(findings)
  const last = findings.at(-1)
  if (!exchange && last?.severity === 'error')
    account.leave({ from: entry.offset, to: entry.offset + entry.length, rule: last.rule, message: last.message })
  return exchange
}

/** Yields the first record of the new file: the source, and the programs that the HAR names as its writers. */
async function* warcinfo({ origin, account }: Converting, log: HarLog, dateMs: number): AsyncGenerator<Uint8Array> {
  const block = warcFields([
    ['software', origin.software],
    ...formatFields,
    ['description', `Converted from the HAR file ${origin.name}`],
    ...(log.creator === undefined ? [] : [['harCreator', log.creator] satisfies Field]),
    ...(log.browser === undefined ? [] : [['harBrowser', log.browser] satisfies Field]),
    ['convertedFrom', origin.name],
    ['convertedFromBytes', String(origin.bytes)],
    ['convertedFromSha256', origin.sha256],
  ])
  const id = warcinfoId(origin)
  yield* writtenRecord(
    { type: 'warcinfo', id, dateMs, fields: [], contentType: 'application/warc-fields' },
    block,
    account,
  )
}

function warcinfoId({ name, sha256 }: Origin): string {
  return namedRecordId(name, sha256, 'warcinfo')
}

/** Yields the response of an exchange, then its request, which refers to it (WARC-Concurrent-To). */
async function* pair({ origin, account }: Converting, entry: HarEntry, exchange: Exchange): AsyncGenerator<Uint8Array> {
  const idOf = (part: string) => namedRecordId(origin.name, origin.sha256, entry.offset, part)
  const { url, address, protocol, startedMs, request, response } = exchange
  const fields: Field[] = [
    ['WARC-Target-URI', url],
    ...(address === undefined ? [] : [['WARC-IP-Address', address] satisfies Field]),
    // IIPC, "WARC-Protocol and WARC-Cipher-Suite": the heads below are HTTP/1.1, whatever the protocol was.
    ...(protocol === undefined ? [] : [['WARC-Protocol', protocol] satisfies Field]),
    ['WARC-Warcinfo-ID', `<urn:uuid:${warcinfoId(origin)}>`],
    [convertedFromField, placeText(origin, entry.offset)],
  ]
  const answer: RecordHeader = {
    type: 'response',
    id: idOf('response'),
    dateMs: startedMs,
    fields,
    contentType: 'application/http; msgtype=response',
    payload: { offset: response.head.length },
  }
  const question: RecordHeader = {
    type: 'request',
    id: idOf('request'),
    dateMs: startedMs,
    fields: [...fields, ['WARC-Concurrent-To', `<urn:uuid:${answer.id}>`]],
    contentType: 'application/http; msgtype=request',
  }
  yield* writtenRecord(answer, Buffer.concat([response.head, response.body]), account)
  yield* writtenRecord(question, Buffer.concat([request.head, request.body]), account)
}
