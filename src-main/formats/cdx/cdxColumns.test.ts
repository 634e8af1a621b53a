import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Capture } from './capture.ts'
import { cdxColumnsOf, cdxHeaders, cdxLine, parseCdxLine, type CdxForm } from './cdxColumns.ts'

const capture: Capture = {
  key: 'com,example)/',
  timestampMs: Date.UTC(2017, 2, 6, 4, 2, 6),
  url: 'http://example.com/',
  mediaType: 'text/html',
  status: 200,
  payloadDigest: 'sha1:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK',
  offset: 784,
  length: 1242,
  filename: 'example.warc.gz',
  recordType: 'response',
}

test('lines of both forms', () => {
  const check = (form: CdxForm, more: Partial<Capture>, line: string) =>
    expect(cdxLine({ ...capture, ...more }, form)).toBe(line)
  const first = 'com,example)/ 20170306040206 http://example.com/'
  const digest = 'G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK'
  check('cdx11', {}, `${first} text/html 200 ${digest} - - 1242 784 example.warc.gz`)
  check('cdx9', {}, `${first} text/html 200 ${digest} - 784 example.warc.gz`)
  check('cdx9', { mediaType: '', status: undefined, payloadDigest: '' }, `${first} - - - - 784 example.warc.gz`)
  check('cdx9', { filename: 'a b.warc' }, `${first} text/html 200 ${digest} - 784 a%20b.warc`)
  check(
    'cdx11',
    { url: 'http://example.com/ä\u00a0\n' },
    `com,example)/ 20170306040206 http://example.com/ä%C2%A0%0A text/html 200 ${digest} - - 1242 784 example.warc.gz`,
  )
})

test('a line is read as it was written', () => {
  const anyCapture = fc.record<Capture>({
    key: fc.stringMatching(/^[!-~]{2,}$/),
    timestampMs: fc.integer({ min: 0, max: 253_402_300_799 }).map((seconds) => seconds * 1000),
    url: fc.stringMatching(/^[!-~ä]{2,}$/),
    mediaType: fc.constantFrom('', 'text/html'),
    status: fc.integer({ min: 100, max: 999 }),
    payloadDigest: fc.constantFrom('', 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'),
    offset: fc.nat(),
    length: fc.nat(),
    filename: fc.stringMatching(/^[!-~]{2,}$/),
    recordType: fc.constant('response'),
  })
  fc.assert(
    fc.property(anyCapture, (made) => {
      for (const columns of [undefined, cdxColumnsOf(cdxHeaders.cdx11)])
        expect(parseCdxLine(`${cdxLine(made, 'cdx11')}\r\n`, columns)).toEqual(made)
      for (const columns of [undefined, cdxColumnsOf(cdxHeaders.cdx9)])
        expect(parseCdxLine(cdxLine(made, 'cdx9'), columns)).toEqual({ ...made, length: 0 })
    }),
  )
})

test('headers', () => {
  const check = (line: string, expected: ReturnType<typeof cdxColumnsOf>) =>
    expect(cdxColumnsOf(line)).toEqual(expected)
  check(' CDX N b a\n', { delimiter: ' ', letters: ['N', 'b', 'a'] })
  check('\tCDX\tN\tb', { delimiter: '\t', letters: ['N', 'b'] })
  check('CDX N b a', undefined)
  check(' CDX', undefined)
  check('com,example)/ 2017', undefined)
  check('', undefined)
})

test('any order of columns, and lines that are none', () => {
  const check = (header: string | undefined, line: string, expected: Partial<Capture> | undefined) => {
    const read = parseCdxLine(line, header === undefined ? undefined : cdxColumnsOf(header))
    if (expected) expect(read, line).toMatchObject(expected)
    else expect(read, line).toBeUndefined()
  }
  const { key, timestampMs, url, filename } = capture
  const common = { key, timestampMs, url, filename, offset: 784 }
  check(
    ' CDX A b e a m s c V n g',
    'com,example)/ 20170306040206 192.0.2.1 http://example.com/ text/html 200 G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK 784 99 example.warc.gz',
    { ...common, status: 200, payloadDigest: capture.payloadDigest, length: 0, recordType: 'response' },
  )
  check('\tCDX\tg\tv\ta\tb\tN', 'example.warc.gz\t784\thttp://example.com/\t20170306040206\tcom,example)/', {
    ...common,
    recordType: 'resource',
  })
  // OutbackCDX, 14 columns.
  check(undefined, `${cdxLine(capture, 'cdx11')} 5 6 before.warc.gz`, capture)
  check(undefined, `${cdxLine(capture, 'cdx11')} 5 6`, undefined)
  check(undefined, cdxLine({ ...capture, mediaType: 'warc/revisit' }, 'cdx11'), { recordType: 'revisit' })
  check(undefined, cdxLine({ ...capture, mediaType: 'warc-info' }, 'cdx11'), { recordType: 'warcinfo' })
  check(undefined, cdxLine({ ...capture, mediaType: 'warc/request' }, 'cdx11'), { recordType: 'request' })
  check(undefined, cdxHeaders.cdx11, undefined)
  check(undefined, cdxHeaders.cdx9, undefined)
  check(undefined, '', undefined)
  check(' CDX N b a', 'k 2017 http://a/', undefined)
  check(' CDX N b a V g', 'k never http://a/ 1 f', undefined)
  check(' CDX N b a V g', 'k 2017 http://a/ -5 f', undefined)
  check(' CDX N b a V g', 'k 2017', undefined)
})
