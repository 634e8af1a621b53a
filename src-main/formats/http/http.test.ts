import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  dechunk,
  dechunked,
  fieldOf,
  fieldsOf,
  headEnd,
  locationOf,
  parseRequestHead,
  parseResponseHead,
  payloadOf,
} from './http.ts'
import { responseReader, type ResponseReader } from './responseReader.ts'

interface Summary {
  state: string
  used: number
  skipped: number
  framing: string
  reusable: boolean
  truncated: boolean
  fault: string | undefined
  codes: string[]
}

function summary(reader: ResponseReader, used: number): Summary {
  const { state, skippedBytes, framing, reusable, truncated, fault, findings } = reader
  return {
    state,
    used,
    skipped: skippedBytes,
    framing,
    reusable,
    truncated,
    fault,
    codes: findings.map(({ rule }) => rule),
  }
}

function fed(chunks: Uint8Array[], options: { method?: string; ended?: boolean } = {}): Summary {
  const reader = responseReader({ method: options.method ?? 'GET', headBytesMax: 400 })
  let used = 0
  for (const chunk of chunks) {
    const part = reader.push(chunk)
    used += part
    if (part < chunk.length) break
  }
  if (options.ended) reader.end()
  return summary(reader, used)
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replace(/\n/g, '\r\n'), 'latin1')
}

interface Row {
  name: string
  bytes: Buffer
  method?: string
  ended?: boolean
  expect: Partial<Summary>
}

const ok = 'HTTP/1.1 200 OK\n'
const rows: Row[] = [
  {
    name: 'a length',
    bytes: bytesOf(`${ok}Content-Length: 5\n\nhelloX`),
    expect: { state: 'done', used: 43, framing: 'length', reusable: true },
  },
  {
    name: 'no body',
    bytes: bytesOf(`${ok}Content-Length: 0\n\nX`),
    expect: { state: 'done', used: 38, reusable: true },
  },
  {
    name: 'no framing: the connection ends it',
    bytes: bytesOf(`${ok}\nhello`),
    ended: true,
    expect: { state: 'done', used: 24, framing: 'close', reusable: false, truncated: false },
  },
  {
    name: 'chunks',
    bytes: bytesOf(`${ok}Transfer-Encoding: chunked\n\n5\nhello\n0\n\nX`),
    expect: { state: 'done', used: 62, framing: 'chunked', reusable: true, codes: [] },
  },
  {
    name: 'chunk extensions and trailers',
    bytes: bytesOf(`${ok}Transfer-Encoding: Chunked\n\n 5 ;a="b"\nhello\n000;x\nA: b\nC: d\n\nX`),
    expect: { state: 'done', used: 86, reusable: true, codes: [] },
  },
  {
    name: 'chunks with lone LF',
    bytes: Buffer.from('HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\nX'),
    expect: { state: 'done', used: 55, codes: ['httpLineFeedsBare'] },
  },
  {
    name: 'chunked wins over a length, and the connection is not trusted further',
    bytes: bytesOf(`${ok}Content-Length: 3\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n`),
    expect: { state: 'done', framing: 'chunked', reusable: false, codes: ['httpLengthAndTransferCoding'] },
  },
  {
    name: 'a broken chunk size: until the end',
    bytes: bytesOf(`${ok}Transfer-Encoding: chunked\n\n5\nhello\nzz\nrest`),
    ended: true,
    expect: { state: 'done', framing: 'chunked', reusable: false, truncated: false, codes: ['chunkBroken'] },
  },
  {
    name: 'a chunk longer than its size',
    bytes: bytesOf(`${ok}Transfer-Encoding: chunked\n\n3\nhello\n0\n\n`),
    ended: true,
    expect: { state: 'done', truncated: false, codes: ['chunkBroken'] },
  },
  {
    name: 'chunked by name only',
    bytes: bytesOf(`${ok}Transfer-Encoding: chunked\n\n<html>hello</html>\n`),
    ended: true,
    expect: { state: 'done', truncated: false, codes: ['notChunked'] },
  },
  {
    name: 'chunks torn',
    bytes: bytesOf(`${ok}Transfer-Encoding: chunked\n\n5\nhel`),
    ended: true,
    expect: { state: 'done', truncated: true, codes: ['httpBodyTruncated'] },
  },
  {
    name: 'body torn',
    bytes: bytesOf(`${ok}Content-Length: 10\n\nhel`),
    ended: true,
    expect: { state: 'done', truncated: true, codes: ['httpBodyTruncated'] },
  },
  {
    name: 'HEAD',
    method: 'HEAD',
    bytes: bytesOf(`${ok}Content-Length: 5\n\nX`),
    expect: { state: 'done', used: 38, framing: 'none', reusable: true },
  },
  {
    name: '204',
    bytes: bytesOf('HTTP/1.1 204 No Content\nContent-Length: 5\n\nX'),
    expect: { state: 'done', framing: 'none', used: 46 },
  },
  {
    name: '304',
    bytes: bytesOf('HTTP/1.1 304 Not Modified\nTransfer-Encoding: chunked\n\nX'),
    expect: { state: 'done', framing: 'none', used: 57 },
  },
  {
    name: 'interim responses are skipped',
    bytes: bytesOf(`HTTP/1.1 100 Continue\n\nHTTP/1.1 103 Early Hints\nLink: a\n\n${ok}Content-Length: 0\n\n`),
    expect: { state: 'done', skipped: 62, used: 100, reusable: true },
  },
  {
    name: '101 is final',
    bytes: bytesOf('HTTP/1.1 101 Switching Protocols\n\n\x81'),
    expect: { state: 'done', framing: 'none', reusable: false, used: 36 },
  },
  {
    name: 'the same length twice',
    bytes: bytesOf(`${ok}Content-Length: 5\nContent-Length: 5, 5\n\nhelloX`),
    expect: { state: 'done', framing: 'length', codes: ['httpLengthRepeated'] },
  },
  {
    name: 'two lengths',
    bytes: bytesOf(`${ok}Content-Length: 5\nContent-Length: 6\n\nhello`),
    ended: true,
    expect: { state: 'done', framing: 'close', codes: ['httpLengthsDiffer'] },
  },
  {
    name: 'no number',
    bytes: bytesOf(`${ok}Content-Length: -5\n\nhello`),
    ended: true,
    expect: { framing: 'close', codes: ['httpLengthInvalid'] },
  },
  {
    name: 'a number too large',
    bytes: bytesOf(`${ok}Content-Length: 99999999999999999999\n\nhello`),
    ended: true,
    expect: { framing: 'close', codes: ['httpLengthInvalid'] },
  },
  {
    name: 'Connection: close',
    bytes: bytesOf(`${ok}connection: Close\nContent-Length: 0\n\n`),
    expect: { state: 'done', reusable: false },
  },
  {
    name: 'HTTP/1.0',
    bytes: bytesOf('HTTP/1.0 200 OK\nContent-Length: 0\n\n'),
    expect: { state: 'done', reusable: false },
  },
  {
    name: 'HTTP/1.0 keep-alive',
    bytes: bytesOf('HTTP/1.0 200 OK\nContent-Length: 0\nConnection: keep-alive\n\n'),
    expect: { state: 'done', reusable: true },
  },
  {
    name: 'the obsolete identity',
    bytes: bytesOf(`${ok}Transfer-Encoding: identity\nContent-Length: 2\n\nhi`),
    expect: { state: 'done', framing: 'length' },
  },
  {
    name: 'an unknown transfer coding',
    bytes: bytesOf(`${ok}Transfer-Encoding: gzip\n\nhi`),
    ended: true,
    expect: { state: 'done', framing: 'close', codes: ['httpTransferCodingUnknown'] },
  },
  {
    name: 'ICY',
    bytes: bytesOf('ICY 200 OK\nicy-name: radio\n\nnoise'),
    ended: true,
    expect: { state: 'done', framing: 'close', reusable: false, codes: ['httpVersionOdd'] },
  },
  {
    name: 'no reason',
    bytes: bytesOf('HTTP/1.1 200\nContent-Length: 0\n\n'),
    expect: { state: 'done', codes: ['httpReasonMissing'] },
  },
  {
    name: 'odd fields',
    bytes: bytesOf(`${ok}Content-Length : 0\nno colon\nA: b\n  folded\n: nameless\n\n`),
    expect: {
      state: 'done',
      framing: 'length',
      codes: ['httpFieldNameBlank', 'httpFieldWithoutColon', 'httpFieldFolded', 'httpFieldNameEmpty'],
    },
  },
  {
    name: 'empty lines first',
    bytes: bytesOf(`\n\n${ok}Content-Length: 0\n\n`),
    expect: { state: 'done', skipped: 4, used: 42, codes: ['httpEmptyLinesFirst'] },
  },
  { name: 'no HTTP', bytes: Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'), expect: { state: 'broken', fault: 'notHttp' } },
  {
    name: 'an invalid status line',
    bytes: bytesOf('HTTP/1.1 OK\nA: b\n\n'),
    expect: { state: 'broken', fault: 'notHttp' },
  },
  {
    name: 'a head without end',
    bytes: bytesOf(`${ok}${'A: 0123456789\n'.repeat(40)}`),
    expect: { state: 'broken', fault: 'headTooLarge' },
  },
  {
    name: 'interim responses without end',
    bytes: bytesOf('HTTP/1.1 102 Processing\n\n'.repeat(40)),
    expect: { state: 'broken', fault: 'headTooLarge' },
  },
  { name: 'nothing', bytes: Buffer.alloc(0), ended: true, expect: { state: 'broken', fault: 'emptyAnswer' } },
  {
    name: 'less than a status line',
    bytes: bytesOf('HTTP/1.1 200'),
    ended: true,
    expect: { state: 'broken', fault: 'emptyAnswer' },
  },
  {
    name: 'only an interim response',
    bytes: bytesOf('HTTP/1.1 100 Continue\n\n'),
    ended: true,
    expect: { state: 'broken', fault: 'emptyAnswer' },
  },
  {
    name: 'a torn head',
    bytes: bytesOf(`${ok}Content-Length: 12`),
    ended: true,
    expect: { state: 'done', truncated: true, codes: ['httpHeadTorn'] },
  },
]

test.each(rows)('response: $name', ({ bytes, expect: expected, ...options }) => {
  const whole = fed([bytes], options)
  expect(whole).toMatchObject(expected)
  expect(
    fed(
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
      options,
    ),
  ).toEqual(whole)
})

test('fed in any pieces, a response is read as when it is fed whole; cut anywhere, it ends without throwing', () => {
  const pieces = fc.constantFrom(
    ...rows.map(({ bytes }) => bytes.toString('latin1')),
    '\r\n',
    'HTTP/1.1 ',
    '5\r\n',
    'Content-Length: 3\r\n',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 3 }), fc.array(fc.nat(300)), fc.nat(), (parts, cuts, end) => {
      const bytes = Buffer.from(parts.join(''), 'latin1')
      const kept = bytes.subarray(0, end % (bytes.length + 1))
      const places = [...new Set([0, ...cuts.filter((cut) => cut < kept.length), kept.length])].sort((a, b) => a - b)
      const chunks = places.slice(1).map((place, index) => kept.subarray(places[index], place))
      expect(fed(chunks, { ended: true })).toEqual(fed([kept], { ended: true }))
    }),
    { numRuns: 2000 },
  )
})

test('a caller may reuse its buffer', () => {
  const reader = responseReader({ method: 'GET', headBytesMax: 4096 })
  const buffer = Buffer.alloc(7)
  const bytes = bytesOf(`${ok}Server: x\nContent-Length: 0\n\n`)
  for (let at = 0; at < bytes.length; at += 7) reader.push(buffer.subarray(0, bytes.copy(buffer, 0, at, at + 7)))
  expect(reader.head).toMatchObject({
    status: 200,
    reason: 'OK',
    bytes: bytes.length,
    fields: [
      ['Server', 'x'],
      ['Content-Length', '0'],
    ],
  })
})

test('heads', () => {
  const head = parseResponseHead(bytesOf('HTTP/1.1  404  Not \xe4\nSet-Cookie: a\nset-cookie:b\n\nbody'))?.head
  expect(head).toMatchObject({ version: 'HTTP/1.1', status: 404, reason: 'Not \xe4' })
  expect(head && [fieldOf(head, 'SET-COOKIE'), fieldOf(head, 'x'), fieldsOf(head, 'Set-Cookie')]).toEqual([
    'a',
    undefined,
    ['a', 'b'],
  ])
  expect(parseResponseHead(Buffer.from('<html>'))).toBeUndefined()
  const check = (text: string, ...[method, target, version]: string[]) =>
    expect(parseRequestHead(bytesOf(text))?.head).toMatchObject({ method, target, version })
  check('GET / HTTP/1.1\nHost: a\n\n', 'GET', '/', 'HTTP/1.1')
  check('GET /a b HTTP/1.1\n\n', 'GET', '/a b', 'HTTP/1.1')
  check('GET /\naccept: a\n\n', 'GET', '/', '')
  expect(parseRequestHead(Buffer.from('<p>a b'))).toBeUndefined()
})

test('removes chunk framing from whole bodies and from streams', async () => {
  const check = async (text: string, body: string, ...codes: string[]) => {
    const bytes = bytesOf(text)
    const whole = dechunk(bytes)
    expect(Buffer.from(whole.bytes).toString('latin1')).toBe(body.replace(/\n/g, '\r\n'))
    expect(whole.findings.map(({ rule }) => rule)).toEqual(codes)
    const parts: Uint8Array[] = []
    for await (const part of dechunked(single(bytes))) parts.push(Uint8Array.from(part))
    expect(Buffer.concat(parts).equals(whole.bytes)).toBe(true)
  }
  await check('5\nhello\n1\n!\n0\n\n', 'hello!')
  await check('0\n\n', '')
  await check('5\nhello\n0\n\nrest', 'hello', 'bytesAfterChunks')
  await check('5\nhel', 'hel', 'chunksTorn')
  await check('5\nhello\n', 'hello', 'chunksTorn')
  await check('<p>\n', '<p>\n', 'notChunked')
  await check('{"ok":true}', '{"ok":true}', 'notChunked')
  await check('1f', '', 'chunksTorn')
  await check('5\nhello\nwhat\n', 'hellowhat\n', 'chunkBroken')
  await check('3\nhello\n0\n\n', 'hello\n0\n\n', 'chunkBroken')
})

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) yield Promise.resolve(Uint8Array.of(byte))
}

test('any body in any chunks is restored', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 })), (parts) => {
      const coded = parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
      expect(dechunk(Buffer.concat([...coded, Buffer.from('0\r\n\r\n')]))).toEqual({
        bytes: Buffer.concat(parts),
        findings: [],
      })
    }),
  )
})

test('the payload has no transfer coding, and the entity no coding at all', () => {
  const zipped = gzipSync('<p>hello')
  const chunk = [Buffer.from(`${zipped.length.toString(16)}\r\n`), zipped, Buffer.from('\r\n0\r\n\r\n')]
  const block = Buffer.concat([bytesOf(`${ok}Transfer-Encoding: chunked\nContent-Encoding: gzip\n\n`), ...chunk])
  const { payload, entity, findings } = payloadOf(block, 1e6)
  expect(zipped.equals(payload)).toBe(true)
  expect(Buffer.from(entity).toString()).toBe('<p>hello')
  expect(findings).toEqual([])
  expect(payloadOf(Buffer.from('no head'), 1e6)).toMatchObject({ head: undefined, entity: Buffer.from('no head') })
})

test('an adversarial head takes linear time and gives a bounded number of findings', () => {
  const blanks = ' '.repeat(250_000)
  expect(parseResponseHead(Buffer.from(`HTTP/1.1 200${blanks}\rx\r\n\r\n`))).toBeUndefined()
  expect(parseResponseHead(Buffer.from(`HTTP/1.1 200${blanks}OK\r\n\r\n`))?.head.reason).toBe('OK')
  expect(parseRequestHead(Buffer.from(`GET ${blanks}\rx\r\n\r\n`))).toBeUndefined()
  expect(parseRequestHead(Buffer.from(`GET a${blanks}b\r\n\r\n`))?.head.target).toHaveLength(250_002)
  expect(parseRequestHead(Buffer.from(`GET  a b${blanks}HTTP/1.1\r\n\r\n`))?.head).toMatchObject({
    target: 'a b',
    version: 'HTTP/1.1',
  })
  const folded = parseResponseHead(Buffer.from(`HTTP/1.1 200 OK\r\nX: y\r\n${' z\r\n \r\n'.repeat(100_000)}\r\n`))
  expect([folded?.head.fields[0]?.[1].length, folded?.findings.length]).toEqual([200_001, 100])
})

test.each([
  ['the status line', 'HTTP/1.0 302 \r\r\n', '\r\n', '\r\n'],
  ['a field', 'HTTP/1.0 302 Found\r\n', '\r\r\n', '\r\n'],
  ['the blank line', 'HTTP/1.0 302 Found\r\n', '\r\n', '\r\r\n'],
  ['everything', 'HTTP/1.0 302 Found\r\r\n', '\r\r\n', '\r\r\n'],
])('%s may end with CR CR LF', (_name, status, fieldEnd, blank) => {
  const bytes = Buffer.from(`${status}Location: http://a/${fieldEnd}Content-Length: 2${fieldEnd}${blank}ok`)
  const parsed = parseResponseHead(bytes)
  expect(parsed?.head).toMatchObject({ status: 302, bytes: bytes.length - 2 })
  expect(parsed?.head.fields).toEqual([
    ['Location', 'http://a/'],
    ['Content-Length', '2'],
  ])
  expect(parsed?.findings.map(({ rule }) => rule)).toContain('httpReturnsDoubled')
  expect(headEnd(bytes, 0)).toBe(bytes.length - 2)
  // Wherever it is cut, the end of the head is found when the rest has come.
  for (let cut = 1; cut < bytes.length; cut++) {
    const reader = responseReader({ method: 'GET', headBytesMax: 1000 })
    expect(reader.push(bytes.subarray(0, cut)) + reader.push(bytes.subarray(cut))).toBe(bytes.length)
    expect([reader.state, reader.head?.status]).toEqual(['done', 302])
  }
})

test('redirect targets encode non-ASCII bytes as browsers do', () => {
  const led = (location: string) => locationOf({ fields: [['Location', location]] }, 'http://a.example/b/c')?.href
  expect(led('/\xe9cole?q=\xe9')).toBe('http://a.example/%E9cole?q=%E9')
  expect(led('\xc3\xa9')).toBe('http://a.example/b/%C3%A9')
  expect(led('http://b\xc3\xa9.example/')).toBe('http://xn--b-bga.example/')
  expect(led('http://[')).toBeUndefined()
  expect(locationOf({ fields: [] }, 'http://a.example/')).toBeUndefined()
})
