import { expect, test } from 'vitest'
import type { Capture } from './capture.ts'
import { cdxLine, type CdxForm } from './cdxColumns.ts'

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

test('reads lines of both column layouts', () => {
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
