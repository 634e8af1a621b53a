import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldOf, headEnd, listOf, parseResponseHead } from '../http/http.ts'
import { responseSummary } from './headSummary.ts'

const statusLine = fc.constantFrom(
  'HTTP/1.1 200 OK',
  'HTTP/1.0 404',
  'HTTP/1.1 200',
  'http/1.1 200 ok',
  'HTTP/1.1  301 x',
  'HTTP/2 200',
  'ICY 200 OK',
  'HTTP/1.1 20',
  'GET / HTTP/1.1',
  '',
)
const fieldLine = fc.oneof(
  fc.constantFrom(
    'Content-Type: text/html; charset=utf-8',
    'CONTENT-TYPE:a/b',
    'content-type : odd',
    'Content-Type',
    ' Content-Type: folded',
    '\tmore',
    'Transfer-Encoding: chunked',
    'transfer-encoding:gzip, chunked',
    'Transfer-Encoding: chunked, gzip',
    'TE: chunked',
    'Connection: close',
    'no field',
    ':',
    'Title: ü',
  ),
  fc.string({ unit: 'binary-ascii' }).filter((text) => !/[\r\n]/.test(text)),
)
const lineEnd = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r\r\n')
const line = (content: fc.Arbitrary<string>) => fc.tuple(content, lineEnd).map((parts) => parts.join(''))
const message = fc
  .tuple(line(statusLine), fc.array(line(fieldLine)), fc.constantFrom('\r\n', '\n', ''), fc.string())
  .map(([first, lines, blank, body]) => Buffer.from(`${first}${lines.join('')}${blank}${body}`, 'latin1'))

test('finds the same values as the full head parser', () => {
  fc.assert(
    fc.property(message, (bytes) => {
      const head = parseResponseHead(bytes)?.head
      const seen = head && {
        status: head.status,
        contentType: fieldOf(head, 'content-type'),
        chunked: listOf(head, 'transfer-encoding').at(-1) === 'chunked',
        bytes: head.bytes,
      }
      expect(responseSummary(bytes, false)).toEqual(seen)
      const summary = responseSummary(bytes, true)
      if (summary === 'more') expect(headEnd(bytes, 0)).toBe(-1)
      else expect(summary).toEqual(seen)
    }),
    { numRuns: 2000 },
  )
})

test('skips interim responses', () => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nContent-Type: a/b\r\n\r\n'
  const final = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'
  const check = (text: string, mayGoOn: boolean, expected: ReturnType<typeof responseSummary>) =>
    expect(responseSummary(Buffer.from(text), mayGoOn)).toEqual(expected)
  const seen = { status: 200, contentType: 'text/html', chunked: false }
  check(`${interim}${interim}${final}body`, true, { ...seen, bytes: 2 * interim.length + final.length })
  check(`${interim}${final.slice(0, 30)}`, true, 'more')
  check(interim, true, 'more')
  check(interim, false, { status: 103, contentType: 'a/b', chunked: false, bytes: interim.length })
  check('HTTP/1.1 101 Switching Protocols\r\n\r\n', true, {
    status: 101,
    contentType: undefined,
    chunked: false,
    bytes: 36,
  })
})
