import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldRequest, requestBodyBytesMax, type FoldableRequest } from './postKey.ts'
import { surt } from './surt.ts'
import { corpora } from '../testing/corpora.ts'

const request = (more: Partial<FoldableRequest> & { text?: string }): FoldableRequest => {
  const body = more.body ?? Buffer.from(more.text ?? '')
  return {
    url: 'http://example.com/',
    method: 'POST',
    contentType: undefined,
    lengthField: String(body.length),
    ...more,
    body,
  }
}

test('encodes requests of every kind', () => {
  const check = (made: Parameters<typeof request>[0], query: string) =>
    expect(foldRequest(request(made)).url).toBe(`http://example.com/?__wb_method=${made.method ?? 'POST'}${query}`)
  check({ method: 'OPTIONS' }, '')
  check({ method: 'PATCH', contentType: 'application/json', text: '{"a":1}' }, '&a=1')
  check({ contentType: undefined, text: 'x' }, '&__wb_post_data=eA==')
  check({ contentType: 'application/x-www-form-urlencoded; charset=utf-8', text: 'a=%C3%A4+b&c=%zz' }, '&a=ä b&c=%zz')
  check({ contentType: 'text/plain;charset=UTF-8', text: '[{"a":[1,{"b":"x y"}]},{"a":2}]' }, '&a=1&b=x+y&a.2_=2')
  check({ contentType: 'text/plain', text: '5' }, '')
  check({ contentType: 'application/json', text: '{"a":1}\n{"a":2}' }, '&a=1&a.2_=2')
  check({ contentType: 'application/json', text: '{"a":1}\n' }, '&a=1')
  check({ contentType: 'application/json', text: '{"a":1}\n\n{"a":2}' }, '')
  // The body that a browser sends again is not unpacked.
  check({ contentType: 'application/x-amf', body: Buffer.from([0, 1]) }, '&__wb_post_data=AAE=')
  // A request without a length, as one with an invalid length.
  check({ lengthField: undefined, text: 'x' }, '&__wb_post_data=eA==')
  check({ lengthField: '-1', text: 'x' }, '')
  check({ lengthField: '1e3', text: 'x' }, '')
})

test('prints JSON values as Python does', () => {
  const check = (value: string, spelled: string) =>
    expect(foldRequest(request({ contentType: 'application/json', text: `{"v": ${value}}` })).requestBody).toBe(
      `v=${spelled}`,
    )
  check('true', 'True')
  check('false', 'False')
  check('null', 'None')
  check('NaN', 'nan')
  check('-Infinity', '-inf')
  check('12345678901234567890123', '12345678901234567890123')
  check('-0', '0')
  check('-0.0', '-0.0')
  check('2.0', '2.0')
  check('2.50', '2.5')
  check('1e3', '1000.0')
  check('1.5e300', '1.5e%2B300')
  check('1e16', '1e%2B16')
  check('1e15', '1000000000000000.0')
  check('0.0001', '0.0001')
  check('0.00001', '1e-05')
  check('1.25e-7', '1.25e-07')
  check('1e400', 'inf')
  check('"a/b é~\\u0041\\n"', 'a%2Fb+%C3%A9~A%0A')
})

test('keeps the order of members, and the last of equal names wins', () => {
  const check = (json: string, query: string) =>
    expect(foldRequest(request({ contentType: 'application/json', text: json })).requestBody, json).toBe(query)
  check('{"b": 1, "2": 2, "1": 3}', 'b=1&2=2&1=3')
  check('{"a": 1, "b": 2, "a": 3}', 'a=3&b=2')
  check('{"__proto__": {"a": 1}, "a": 2}', 'a=1&a.2_=2')
  check('{"a": {}, "b": [], "": 5}', '')
  check('"alone"', '')
  for (const broken of [
    '{"a": 1',
    '{"a": 01}',
    '{a: 1}',
    '{"a": 1,}',
    '{"a": "\\ud800"}',
    '{"a": "\t"}',
    '\ufeff{"a": 1}',
    '',
  ])
    check(broken, '')
  check(`${'['.repeat(5000)}${']'.repeat(5000)}`, '')
})

test('encodes the parts of a multipart body', () => {
  const type = 'multipart/form-data; boundary=XX'
  const body = (...parts: string[]) => `${parts.map((part) => `--XX\r\n${part}\r\n`).join('')}--XX--\r\n`
  const check = (contentType: string, text: string, query: string) =>
    expect(foldRequest(request({ contentType, text })).requestBody).toBe(query)
  const first = 'Content-Disposition: form-data; name="a b"\r\n\r\none --XX two'
  const file = 'content-disposition: form-data; name=f; filename="x.bin"\r\nContent-Type: image/png\r\n\r\n\0\u00e9'
  check(type, body(first), 'a+b=one+--XX+two')
  check('multipart/form-data; charset=utf-8; boundary="XX"', body(first, file), 'a+b=one+--XX+two&f=%00%C3%A9')
  check(type, body(first, 'Content-Disposition: form-data\r\n\r\nnameless'), 'a+b=one+--XX+two')
  check(type, body(first).slice(0, 60), 'a+b=one+--XX')
  check('multipart/form-data', 'x', '__wb_post_data=eA==')
  check('multipart/form-data; boundary=YY', body(first).slice(0, 3), '__wb_post_data=LS1Y')
})

test('keeps a fragment in place and appends to an existing query', () => {
  const check = (url: string, folded: string) => expect(foldRequest(request({ url })).url).toBe(folded)
  check('http://a/?b#c', 'http://a/?b&__wb_method=POST#c')
  check('http://a/#c?', 'http://a/?__wb_method=POST#c?')
  check('http://a/?b&', 'http://a/?b&&__wb_method=POST')
})

test('limits the query to 4096 characters for bodies of any size', () => {
  for (const contentType of [
    undefined,
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=b',
  ]) {
    const body = Buffer.alloc(requestBodyBytesMax + 5, 'ab')
    body.write('--b\r\ncontent-disposition: a; name=a\r\n\r\n')
    const { requestBody } = foldRequest(request({ contentType, body }))
    expect([...requestBody]).toHaveLength(4096)
  }
  const emoji = foldRequest(request({ contentType: 'application/x-www-form-urlencoded', text: '😀'.repeat(5000) }))
  expect([...emoji.requestBody]).toHaveLength(4096)
  expect(emoji.requestBody.isWellFormed()).toBe(true)
})

test('accepts any body and returns a key without spaces', () => {
  const types = ['application/x-www-form-urlencoded', 'application/json', 'text/plain', 'multipart/x; boundary=a', '']
  const bodies = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => Buffer.from(text)),
  )
  fc.assert(
    fc.property(fc.constantFrom(...types), bodies, fc.option(fc.string()), (contentType, body, lengthField) => {
      const { url } = foldRequest(request({ contentType, body, ...(lengthField !== null && { lengthField }) }))
      expect(surt(url)).toMatch(/^[!-~]+$/)
    }),
  )
})

interface Row {
  method?: string
  content_type: string
  declared_length?: number | string
  body_b64?: string
  body?: string
  url?: string
  expected_url?: string
  expected_query?: string
}

const tables = new URL('tables/', corpora)
const rows = (name: string): Row[] =>
  (JSON.parse(readFileSync(new URL(name, tables), 'utf8')) as { cases: Row[] }).cases

test.skipIf(!existsSync(tables))(
  'requests are folded as cdxj-indexer does (skipped without the tables of expected results)',
  () => {
    const table = rows('post_append.json')
    expect(table).toHaveLength(16)
    for (const row of table) {
      const folded = foldRequest({
        url: row.url ?? '',
        method: row.method ?? '',
        contentType: row.content_type,
        lengthField: String(row.declared_length),
        body: Buffer.from(row.body_b64 ?? '', 'base64'),
      })
      expect(folded.url, JSON.stringify(row)).toBe(row.expected_url)
    }
  },
)

/** Cases in which jwarc builds a different query, and whether the resulting key differs too. */
const jwarcDiffers: Record<string, 'sameKey' | 'otherKey'> = {
  // jwarc escapes non-ASCII characters in the query; we escape them in the key.
  'application/x-www-form-urlencoded snowman=☃': 'sameKey',
  // jwarc rejects two media types; pywb and cdxj-indexer look at the beginning of the value.
  'application/x-www-form-urlencoded, text/plain x=%2': 'otherKey',
}

test.skipIf(!existsSync(tables))(
  'keys of requests equal those of jwarc except for the listed cases (skipped without the tables of expected results)',
  () => {
    const table = rows('post_encode_jwarc.json')
    expect(table).toHaveLength(9)
    const different: typeof jwarcDiffers = {}
    for (const { content_type: contentType, body = '', expected_query: query = '' } of table) {
      const { url } = foldRequest(request({ contentType, text: body }))
      const expected = `http://example.com/?${query}`
      if (url !== expected) different[`${contentType} ${body}`] = surt(url) === surt(expected) ? 'sameKey' : 'otherKey'
    }
    expect(different).toEqual(jwarcDiffers)
  },
)
