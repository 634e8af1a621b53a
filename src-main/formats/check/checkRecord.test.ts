import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { RuleName } from '../rules/rules.ts'
import { readRecords } from '../records/readRecords.ts'
import { checkRecord } from './checkRecord.ts'
import {
  answer,
  arcBegin,
  arcRecord,
  body,
  goodRecords,
  idOf,
  nowMs,
  question,
  sha1Hex,
  warcRecord,
  type Made,
} from './testing/recordFixtures.ts'
import { textOf } from '../../contract/words/render.ts'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { recordTypes } from './warcFields.ts'

async function found(text: string): Promise<RuleName[][]> {
  const records: RuleName[][] = []
  for await (const record of readRecords(sourceOf(Buffer.from(text, 'latin1')))) {
    const { findings, offset, number } = await checkRecord(record, { nowMs })
    for (const finding of findings) {
      expect(finding.record).toBe(number)
      expect(finding.offset).toBeGreaterThanOrEqual(offset)
      expect(textOf(finding.message), 'is a sentence on one line').toMatch(/^[^\r\n]+[^\r\n ]$/)
    }
    records.push(findings.map(({ rule }) => rule))
  }
  return records
}

/** Expects these findings in one record of this type. */
async function check(type: string, made: Made, ...expected: RuleName[]): Promise<void> {
  const records = await found(warcRecord(type, made))
  expect(records, JSON.stringify(made)).toHaveLength(1)
  expect(records[0]?.toSorted(), JSON.stringify(made)).toEqual(expected.toSorted())
}

test.each(recordTypes)('finds nothing in a valid %s', async (type) => {
  expect(Object.keys(goodRecords)).toContain(type)
  await check(type, {})
  if (type !== 'revisit') await check(type, { version: '1.0' })
})

test('required fields that are missing or empty', async () => {
  const both = async (type: string, name: string, ...expected: RuleName[]) => {
    await check(type, { fields: { [name]: undefined } }, ...expected)
    await check(type, { fields: { [name]: '' } }, ...expected)
  }
  await both('response', 'WARC-Type', 'typeMissing')
  await both('response', 'WARC-Record-ID', 'recordIdMissing')
  await both('response', 'WARC-Date', 'dateMissing')
  await both('response', 'WARC-Target-URI', 'targetMissing')
  await both('resource', 'WARC-Target-URI', 'targetMissing')
  await both('continuation', 'WARC-Target-URI', 'targetMissing')
  await both('continuation', 'WARC-Segment-Number', 'segmentNumberMissing')
  await both('continuation', 'WARC-Segment-Origin-ID', 'segmentOriginMissing')
  await both('revisit', 'WARC-Profile', 'profileMissing')
  await both('resource', 'Content-Type', 'contentTypeMissing')
  await both('request', 'WARC-IP-Address', 'fieldRecommended')
  await both('conversion', 'WARC-Refers-To', 'fieldRecommended')
  await check('resource', { fields: { 'Content-Type': undefined }, block: '' })
  await check('metadata', { fields: { 'WARC-Target-URI': undefined } })
})

test('an invalid length is reported by the reader, once', async () => {
  await check('resource', { fields: { 'Content-Length': '' }, block: '' }, 'lengthInvalid')
  await check('resource', { fields: { 'Content-Length': '-1' }, block: '' }, 'lengthInvalid')
})

test('fields that are not allowed', async () => {
  const forbidden = (type: string, name: string, value: string, ...expected: RuleName[]) =>
    check(type, { fields: { [name]: value } }, ...expected)
  const id = idOf(2)
  await forbidden('warcinfo', 'WARC-Target-URI', 'http://a/', 'fieldForbidden')
  await forbidden('warcinfo', 'WARC-Warcinfo-ID', id, 'fieldForbidden')
  await forbidden('warcinfo', 'WARC-Concurrent-To', id, 'fieldForbidden')
  await forbidden('conversion', 'WARC-IP-Address', '192.0.2.1', 'fieldForbidden')
  await forbidden('response', 'WARC-Refers-To', id, 'fieldForbidden')
  await forbidden('response', 'WARC-Filename', 'a.warc', 'fieldForbidden')
  await forbidden('response', 'WARC-Segment-Origin-ID', id, 'fieldForbidden')
  await forbidden('response', 'WARC-Segment-Total-Length', '1', 'fieldForbidden')
  await forbidden('metadata', 'WARC-Identified-Payload-Type', 'text/plain', 'fieldForbidden')
  await forbidden('metadata', 'WARC-Payload-Digest', sha1Hex('via: b\r\n'), 'payloadDigestNeedless')
  await forbidden('response', 'WARC-Refers-To-Target-URI', 'http://a/', 'refersToOutsideRevisit')
  await forbidden('continuation', 'Content-Type', 'text/plain', 'fieldDiscouraged')
})

test('repeated and unknown fields', async () => {
  const id = idOf(1)
  await check('response', { fields: { 'WARC-Record-ID': [id, id] } }, 'fieldRepeated')
  await check('response', { fields: { 'WARC-Record-ID': [id, idOf(2)] } }, 'fieldContradicts')
  await check('response', { fields: { 'WARC-Concurrent-To': [idOf(2), idOf(3)] } })
  await check('response', { fields: { 'WARC-Concurrent-To': idOf(1) } }, 'concurrentToItself')
  await check('response', { fields: { 'WARC-Truncated': '' } }, 'fieldEmpty')
  await check('response', { fields: { 'WARC-Favourite-Colour': 'blue' } }, 'fieldUnknown')
  await check('response', { fields: { 'WARC-Protocol': 'h2', 'X-Whatever': '1' } })
  await check('response', { fields: { 'warc-ip-address': '192.0.2.1' } }, 'fieldRepeated')
  await check('frobnication', {}, 'typeUnknown')
})

test('a header with very many errors gives a bounded number of findings', async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`WARC-X${index}`, '1']))
  const [rules = []] = await found(warcRecord('response', { fields: many }))
  expect(rules).toHaveLength(100)
})

test('an ambiguous value takes linear time', async () => {
  await check('resource', { fields: { 'Content-Type': `text/plain${';  '.repeat(100)}!` } }, 'mediaTypeInvalid')
  await check('resource', { fields: { 'Content-Type': `text/plain ; ; a=b ;  ; c="d e" ;` } })
})

test('dates', async () => {
  const at = (date: string, ...expected: RuleName[]) =>
    check('resource', { fields: { 'WARC-Date': date } }, ...expected)
  await at('2016-01-11T23:24:25.412030123Z')
  await at('2016-01-11T23:24Z')
  await at('2016-01')
  // RFC 2234 has literals without case, and so has JWAT.
  await at('2016-01-11t23:24:25z')
  await at('blue monday', 'dateInvalid')
  await at('2016-02-30T00:00:00Z', 'dateInvalid')
  // ClueWeb09 writes the day of the year after the month.
  await at('2008-10-294T05:21:46-0700', 'dateOdd')
  await at('2008-09-294T05:21:46-0700', 'dateInvalid')
  await at('2016-01-11T23:24:25+02:00', 'dateOdd')
  await at('2016-01-11T23:24:25', 'dateOdd')
  await at('2016-01-11 23:24:25Z', 'dateOdd')
  await at('2016-01-11T23:24:25.4120301234Z', 'dateOdd')
  await at('20160111232425', 'dateOdd')
  await at('2026-11-20T23:00:00Z')
  await at('2026-11-22T00:00:00Z', 'dateInFuture')
  await at('1970-01-01T00:00:00Z', 'dateBeforeWeb')
  const early = (version: string, ...expected: RuleName[]) =>
    check('resource', { version, fields: { 'WARC-Date': '2016-01-11T23:24:25.5Z' } }, ...expected)
  await early('1.1')
  await early('1.0', 'datePreciseTooEarly')
  await early('0.18', 'datePreciseTooEarly')
})

test('identifiers, addresses and media types', async () => {
  const value = (name: string, text: string, ...expected: RuleName[]) =>
    check('response', { fields: { [name]: text } }, ...expected)
  await value('WARC-Record-ID', '<http://example.com/id/1>')
  await value('WARC-Record-ID', 'urn:uuid:35f02b38-eb19-4f0d-86e4-000000000001', 'idMalformed')
  await value('WARC-Record-ID', '<zaphod>', 'idMalformed')
  await value('WARC-Record-ID', '<urn:uuid: 35f02b38-eb19-4f0d-86e4-000000000001>', 'idMalformed')
  await value('WARC-Record-ID', '<urn:uuid:35f02b38-eb19-4f0d-86e4-000000000001-1>', 'uuidOdd')
  await value('WARC-Warcinfo-ID', 'c95d1e81-dc53-4509-81b4-87f9e8faab63', 'idMalformed')
  await value('WARC-Target-URI', 'http://example.com/%7Euser/?q=a[0]&b=%20#x')
  await value('WARC-Target-URI', '<http://example.com/>', 'targetBracketed')
  await value('WARC-Target-URI', 'bad_uri', 'targetNotUri')
  await value('WARC-Target-URI', 'http://example.com/a b', 'targetWithBlanks')
  await value('WARC-Target-URI', 'http://example.com/a|b', 'targetNotEscaped')
  await value('WARC-Target-URI', 'http://example.com/50%', 'targetNotEscaped')
  for (const good of ['0.0.0.0', '255.255.255.255', '::', '::1', '2001:db8::1', '1:2:3:4:5:6:7:8', '::ffff:192.0.2.1'])
    await value('WARC-IP-Address', good)
  for (const bad of [
    'a.b.c.d',
    '1.2.3',
    '1.2.3.4.',
    '1.2.3.256',
    '1:2:3',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '[::1]',
    'g::1',
  ])
    await value('WARC-IP-Address', bad, 'ipAddressInvalid')
  await value('WARC-Identified-Payload-Type', 'text/html; charset="utf 8" ; a=b;')
  await value('WARC-Identified-Payload-Type', 'gif\\image', 'mediaTypeInvalid')
  await value('WARC-Identified-Payload-Type', 'text', 'mediaTypeInvalid')
  await value('WARC-Truncated', 'Length', 'recordTruncated')
  await value('WARC-Truncated', 'boredom', 'recordTruncated', 'truncationUnknown')
})

test('the declared content type of the block', async () => {
  const typed = (type: string, contentType: string, ...expected: RuleName[]) =>
    check(type, { fields: { 'Content-Type': contentType } }, ...expected)
  await typed('warcinfo', 'application/octet-stream', 'descriptionTypeOdd')
  await typed('metadata', 'application/json')
  await typed('response', 'application/http')
  await typed('response', 'application/http;msgtype="response"')
  await typed('response', 'application/http; msgtype=request', 'messageTypeContradicts')
  await typed('response', 'text/html', 'contentTypeOdd')
  await check('response', {
    fields: { 'WARC-Target-URI': 'dns:example.com', 'Content-Type': 'text/dns' },
    block: 'example.com. 1 IN A 192.0.2.1',
  })
})

test('a block that differs from its declaration', async () => {
  await check('response', { block: question }, 'responseHoldsRequest')
  await check('response', { block: 'hello' }, 'responseWithoutHttp')
  await check('response', { block: '' }, 'responseWithoutHttp')
  await check('request', { block: answer }, 'requestHoldsResponse')
  await check('request', { block: '\x00\x01' }, 'requestWithoutHttp')
  // ArchiveWeb.page leaves the version out.
  await check('request', { block: 'GET /a\r\n\r\n' }, 'httpVersionMissing')
  // Nothing states that it is HTTP.
  await check('response', { fields: { 'Content-Type': undefined }, block: 'hello' }, 'contentTypeMissing')
})

test('digests', async () => {
  const digested = (fields: Made['fields'], ...expected: RuleName[]) =>
    check('response', { fields: fields ?? {} }, ...expected)
  const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
  await digested({ 'WARC-Block-Digest': sha1Hex(answer), 'WARC-Payload-Digest': `sha-256:${sha256(body)}` })
  await digested({ 'WARC-Block-Digest': sha1Hex(body) }, 'blockDigestWrong')
  await digested({ 'WARC-Payload-Digest': sha1Hex(answer) }, 'payloadDigestOfBlock')
  await digested({ 'WARC-Payload-Digest': sha1Hex('') }, 'payloadDigestWrong')
  await digested({ 'WARC-Payload-Digest': 'xxh3:0011223344556677' }, 'digestUnknown')
  await digested({ 'WARC-Payload-Digest': '' }, 'fieldEmpty')
  const chunks = `c\r\n${body}\r\n0\r\n\r\n`
  const block = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`
  await check('response', { block, fields: { 'WARC-Payload-Digest': sha1Hex(body) } })
  await check('response', { block, fields: { 'WARC-Payload-Digest': sha1Hex(chunks) } }, 'payloadDigestWithChunks')
  // Without a Content-Type, the block of an http URL is still HTTP.
  const guessed = { 'Content-Type': undefined, 'WARC-Payload-Digest': sha1Hex(body) }
  await digested(guessed, 'contentTypeMissing')
})

function message(head: string, payload: string | Uint8Array): string {
  const text = typeof payload === 'string' ? payload : Buffer.from(payload).toString('latin1')
  return `HTTP/1.1 200 OK\r\n${head}\r\n\r\n${text}`
}

test('the message in the block: length, chunks and head', async () => {
  const block = (text: string, ...expected: RuleName[]) => check('response', { block: text }, ...expected)
  await block(message('Content-Length: 5', 'hello'))
  await block(message('Content-Length: 9', 'hello'), 'httpBodyTruncated')
  await block(message('Content-Length: 9', ''), 'httpBodyMissing')
  await block(message('Content-Length: 4', 'hello'), 'httpBodyTooLong')
  await block(message('Content-Length: four', 'hello'), 'httpLengthInvalid')
  await block(message('Content-Length: 5\r\nContent-Length: 6', 'hello'), 'httpLengthsDiffer')
  await block('HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n')
  await block(message('Transfer-Encoding: chunked\r\nContent-Length: 99', '5\r\nhello\r\n0\r\n\r\n'))
  await block(message('Transfer-Encoding: chunked', 'hello'), 'notChunked')
  await block(message('Transfer-Encoding: chunked', '5\r\nhello\r\n'), 'chunksTorn')
  await block(message('Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\nmore'), 'bytesAfterChunks')
  await block(message('Transfer-Encoding: chunked', '5\r\nhellooooo'), 'chunkBroken')
  await block('HTTP/1.1 200 OK\nContent-Length: 1\n\na', 'httpLineFeedsBare')
  await check(
    'response',
    { block: message('Content-Length: 9', 'hello'), fields: { 'WARC-Truncated': 'time' } },
    'recordTruncated',
  )
})

test('content codings, as far as the content is present', async () => {
  const coded = (coding: string, payload: Uint8Array, ...expected: RuleName[]) =>
    check('response', { block: message(`Content-Encoding: ${coding}`, payload) }, ...expected)
  const long = Buffer.from(body.repeat(500))
  const gzip = gzipSync(long)
  await coded('gzip', gzip)
  await coded('br', brotliCompressSync(long))
  await coded('gzip', gzip.subarray(0, -9), 'contentTorn')
  await coded('gzip', long, 'notCoded')
  await coded('frobnicate', long, 'codingUnknown')
  await coded('gzip, gzip, gzip, gzip, gzip', long, 'codingsTooMany')
  await coded('gzip', new Uint8Array(0))
  // Longer than the buffer: only the beginning is checked, and the rest is not a finding.
  const noise = Buffer.alloc(1_200_000)
  for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE((at * 2654435761) >>> 0, at)
  const large = gzipSync(noise, { level: 0 })
  await coded('gzip', large)
  await coded('gzip', large.subarray(0, -9))
  // A decompression bomb counts as a large page.
  await coded('gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024)))
})

test('revisits', async () => {
  const revisit = (fields: Made['fields'], ...expected: RuleName[]) =>
    check('revisit', { fields: fields ?? {} }, ...expected)
  const bare = { 'WARC-Refers-To': undefined, 'WARC-Payload-Digest': undefined }
  const profile = (name: string) => ({ 'WARC-Profile': `http://netpreserve.org/warc/${name}` })
  await revisit(profile('1.0/revisit/identical-payload-digest'))
  // The profile of pywb.
  await revisit(profile('1.0/revisit/uri-agnostic-identical-payload-digest'))
  await revisit({ ...profile('1.1/revisit/server-not-modified'), 'WARC-Payload-Digest': undefined })
  await revisit({ ...profile('1.1/revisit/server-not-modified'), ...bare }, 'revisitOriginUnnamed')
  await revisit({ 'WARC-Profile': 'http://example.com/mine' }, 'profileUnknown')
  await revisit({ 'WARC-Profile': 'mine' }, 'uriInvalid')
  await revisit({ 'WARC-Payload-Digest': undefined }, 'revisitDigestMissing')
  await revisit({ 'WARC-Refers-To': undefined }, 'revisitOriginUnnamed')
  await revisit(bare, 'revisitUnresolvable')
  await revisit({ 'WARC-Truncated': undefined }, 'revisitNotTruncated')
  const found = { 'WARC-Refers-To': undefined, 'WARC-Refers-To-Target-URI': 'http://example.com/a' }
  await revisit({ ...found, 'WARC-Refers-To-Date': '2019-01-01T00:00:00Z' })
  await revisit({ ...found, 'WARC-Refers-To-Date': 'then' }, 'dateOdd')
  await revisit({ ...found, 'WARC-Refers-To-Target-URI': 'there' }, 'uriInvalid')
  await check('revisit', { version: '1.0', fields: found }, 'fieldLater')
})

test('segments of one record', async () => {
  const segment = (type: string, number: string, ...expected: RuleName[]) =>
    check(type, { fields: { 'WARC-Segment-Number': number } }, ...expected)
  await segment('resource', '1')
  await segment('continuation', '17')
  await segment('resource', '2', 'segmentNumberInvalid')
  await segment('continuation', '1', 'segmentNumberInvalid')
  await segment('continuation', '0', 'segmentNumberInvalid')
  await segment('continuation', 'one', 'segmentNumberInvalid')
  await segment('metadata', '1', 'segmentTypeOdd')
  await check('continuation', { fields: { 'WARC-Segment-Total-Length': 'long' } }, 'segmentTotalInvalid')
  // A payload that is only partly present cannot be shorter than stated.
  const part = { 'WARC-Segment-Number': '1', 'WARC-Payload-Digest': sha1Hex('all of it') }
  await check('response', { block: message('Content-Length: 999', 'hello'), fields: part })
})

test('a truncated record is reported once', async () => {
  const whole = warcRecord('response', {
    fields: { 'WARC-Block-Digest': sha1Hex(answer), 'WARC-Payload-Digest': sha1Hex(body) },
  })
  expect(await found(whole.slice(0, -9))).toEqual([['recordTorn']])
  const chunked = warcRecord('response', { block: message('Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n') })
  expect(await found(chunked.slice(0, -12))).toEqual([['recordTorn']])
})

test('ARC: the version block', async () => {
  const first = async (begin: string, ...expected: RuleName[]) =>
    expect((await found(begin))[0], begin).toEqual(expected)
  const names = 'URL IP-address Archive-date Content-type Archive-length\n'
  await first(arcBegin())
  await first(arcBegin(`1 1 InternetArchive\n${names}<arcmetadata/>\n`))
  await first(arcBegin(`3 7 Me\n${names}`), 'arcVersionUnknown')
  await first(arcBegin('1 0 Me\nwhat\n'), 'arcVersionBlockOdd')
  await first(arcBegin('hello\n'), 'arcVersionBlockOdd')
})

const http = 'HTTP/1.1 200 OK\r\n\r\n<p>'

test('ARC: the fields of a line', async () => {
  const line = async (text: string, ...expected: RuleName[]) => {
    const [, rules] = await found(arcBegin() + arcRecord(`${text} ${http.length}`, http))
    expect(rules, text).toEqual(expected)
  }
  await line('http://a/ 192.0.2.1 20200102030405 text/html')
  await line('http://a/ 192.0.2.1 20200102030405 no-type')
  await line('http://a/ 192.0.2.1 2020010203040500 text/html', 'arcDateOdd')
  await line('http://a/ 192.0.2.1 - text/html', 'arcDateInvalid')
  await line('http://a/ - 20200102030405 text/html', 'arcIpInvalid')
  await line('http://a/ 192.0.2.1 20200102030405 what', 'arcMediaTypeOdd')
  await line('http://a/ b 192.0.2.1 20200102030405 text/html', 'arcUrlBlank')
})

test('ARC: records and files', async () => {
  const good = 'http://a/ 192.0.2.1 20200102030405 text/html'
  expect(await found(arcRecord(`${good} ${http.length}`, http))).toEqual([['arcVersionBlockMissing']])
  expect((await found(arcBegin() + arcRecord(`${good} 5`, 'hello')))[1]).toEqual(['arcHttpMissing'])
  const dns = 'dns:a 192.0.2.1 20200102030405 text/dns'
  expect((await found(arcBegin() + arcRecord(`${dns} 5`, 'hello')))[1]).toEqual([])
  const two = arcBegin(
    '2 0 Me\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n',
  )
  const wide = (code: string) => `http://a/ 192.0.2.1 20200102030405 text/html ${code} - - 0 a.arc ${http.length}`
  expect((await found(two + arcRecord(wide('200'), http)))[1]).toEqual([])
  expect((await found(two + arcRecord(wide('404'), http)))[1]).toEqual(['arcResultCodeWrong'])
  expect((await found(two + arcRecord(`${good} ${http.length}`, http)))[1]).toEqual(['arcFieldCount'])
})
