/** Archive files for the tests of this room, written by hand so that every fault can be put into them. Ships in no build:
 *  only tests import it. */
import { createHash } from 'node:crypto'

export const nowMs = Date.UTC(2026, 10, 20)

export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Made {
  version?: string
  /** Instead of those of a good record; undefined leaves one out. */
  fields?: Fields
  block?: string
  /** After the block. */
  end?: string
}

export const body = '<p>hello</p>'
export const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`
export const question = 'GET /a HTTP/1.1\r\nHost: example.com\r\n\r\n'

export function sha1Hex(text: string): string {
  return `sha1:${createHash('sha1').update(text, 'latin1').digest('hex')}`
}

export function idOf(number: number): string {
  return `<urn:uuid:35f02b38-eb19-4f0d-86e4-${String(number).padStart(12, '0')}>`
}

const captured: Fields = {
  'WARC-Target-URI': 'http://example.com/a',
  'WARC-IP-Address': '192.0.2.1',
}
const otherRecord = idOf(999)

/** Valid records without findings, one of each type. */
export const goodRecords: Readonly<Record<string, { fields: Fields; block: string }>> = {
  warcinfo: { fields: { 'Content-Type': 'application/warc-fields' }, block: 'software: hand\r\n' },
  response: { fields: { ...captured, 'Content-Type': 'application/http; msgtype=response' }, block: answer },
  request: { fields: { ...captured, 'Content-Type': 'application/http; msgtype=request' }, block: question },
  resource: { fields: { 'WARC-Target-URI': 'file:///a.txt', 'Content-Type': 'text/plain' }, block: 'text' },
  metadata: {
    fields: { 'WARC-Refers-To': otherRecord, 'Content-Type': 'application/warc-fields' },
    block: 'via: b\r\n',
  },
  revisit: {
    fields: {
      ...captured,
      'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
      'WARC-Payload-Digest': sha1Hex(body),
      'WARC-Refers-To': otherRecord,
      'WARC-Truncated': 'length',
      'Content-Type': 'application/http; msgtype=response',
    },
    block: answer.slice(0, -body.length),
  },
  conversion: {
    fields: { 'WARC-Target-URI': 'http://example.com/a', 'WARC-Refers-To': otherRecord, 'Content-Type': 'text/plain' },
    block: 'text',
  },
  continuation: {
    fields: {
      'WARC-Target-URI': 'http://example.com/a',
      'WARC-Segment-Number': '2',
      'WARC-Segment-Origin-ID': otherRecord,
    },
    block: 'the rest',
  },
}

export function warcRecord(type: string, made: Made = {}): string {
  const good = goodRecords[type] ?? { fields: {}, block: '' }
  const block = made.block ?? good.block
  const fields: Fields = {
    'WARC-Type': type,
    'WARC-Record-ID': idOf(1),
    'WARC-Date': '2020-01-02T03:04:05Z',
    ...good.fields,
    'Content-Length': String(block.length),
    ...made.fields,
  }
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return []
    return typeof value === 'string' ? [`${name}: ${value}`] : value.map((one) => `${name}: ${one}`)
  })
  return [`WARC/${made.version ?? '1.1'}`, ...lines, '', block].join('\r\n') + (made.end ?? '\r\n\r\n')
}

export function arcRecord(line: string, block: string, end = '\n'): string {
  return `${line}\n${block}${end}`
}

/** The first record of an ARC file. */
export function arcBegin(block = '1 0 Hand\nURL IP-address Archive-date Content-type Archive-length\n'): string {
  return arcRecord(`filedesc://a.arc 0.0.0.0 20200102030405 text/plain ${block.length}`, block)
}
