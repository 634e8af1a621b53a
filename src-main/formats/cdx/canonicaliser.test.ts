import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  canonicaliserOf,
  canonicaliserVersion,
  canonicaliserVersionOfUrls,
  cdxjHeader,
  isCdxjHeader,
} from './canonicaliser.ts'
import { parseCdxjLine } from './cdxj.ts'
import { foldRequest } from './postKey.ts'
import { surt } from './surt.ts'

test('a file states the rules by which its keys were made', () => {
  for (const rules of [canonicaliserVersion, canonicaliserVersionOfUrls]) {
    const line = cdxjHeader(rules)
    expect(canonicaliserOf(line)).toBe(rules)
    expect(isCdxjHeader(line)).toBe(true)
    // Sorted by bytes it stays in front of every key.
    expect(line < '-').toBe(true)
    expect(line < 'com,example)/').toBe(true)
    expect(parseCdxjLine(line)).toBeUndefined()
  }
  expect(canonicaliserVersion).not.toBe(canonicaliserVersionOfUrls)
})

test('files of other programs state no rules', () => {
  const check = (line: string, header: boolean) => {
    expect(canonicaliserOf(line), line).toBeUndefined()
    expect(isCdxjHeader(line), line).toBe(header)
  }
  check('!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}', true)
  check('!context ["http://oduwsdl.github.io/contexts/cdxj"]', true)
  check('!meta {"created_at": "2017-05-31T13:46:51", "generator": "InterPlanetary Wayback"}', true)
  check('com,example)/ 2017 {"canonicaliser": "surt-1"}', false)
  check('', false)
})

/** One of each kind of rule. */
const urls = [
  'http://www.example.com:80/a/../B//c/?b=2&A=1#x',
  'https://user@www12.Example.com:8443/',
  'http://example.com/something/;jsessionid=3E544261B39C3B399E1C6BB38D6888E6',
  'http://example.com/(dhj3bi55ekqndn3mjb5myu45)/a.aspx;jsessionid=3E544261B39C3B399E1C6BB38D6888E6',
  'http://example.com/?sid=0123456789abcdefghijklemopqrstuv&cfid=1&cftoken=2&aspsessionidabcdefgh=abcdefghijklmnopqrstuvwx',
  'http://bücher.example/%2541?q=%C3%BC&q=ü',
  'http://2130706433/',
  'http://[2001:DB8::1]/',
  'dns:www.example.com',
  'urn:pageinfo:https://www.example.com/',
  'file:///a b',
  'no url at all',
]
const bodies: [contentType: string, body: string][] = [
  ['application/x-www-form-urlencoded', 'b=%C3%BC+x&a=1'],
  ['application/json', '{"a": [1, {"a": null}], "b": 2.0, "c": true}'],
  ['text/plain', 'not json'],
  ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1 2\r\n--x--'],
]

/** When this fails the rules have changed: raise the number of the rule in canonicaliser.ts, and note the new sum. */
test('equal version numbers mean equal keys', () => {
  const sumOf = (keys: string[]) => createHash('sha256').update(keys.join('\n')).digest('hex').slice(0, 16)
  const folded = bodies.map(([contentType, body]) => {
    const bytes = Buffer.from(body)
    const asked = { url: 'http://example.com/?z', method: 'POST', contentType, lengthField: String(bytes.length) }
    return surt(foldRequest({ ...asked, body: bytes }).url)
  })
  expect({ [canonicaliserVersionOfUrls]: sumOf(urls.map(surt)), [canonicaliserVersion]: sumOf(folded) }).toEqual({
    'surt-1': '1d8604687db9d2d4',
    'surt-1+request-1': '0aa90f250365011b',
  })
})
