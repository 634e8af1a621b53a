import { expect, test } from 'vitest'
import { requestFor, type RequestOptions } from './request.ts'

const lines = (url: string, referrer?: string, options: RequestOptions = {}) =>
  Buffer.from(requestFor(new URL(url), { referrer, userAgent: 'loupe', options }))
    .toString('latin1')
    .split('\r\n')

test('a GET has the target, the host with its port, and the additional fields', () => {
  const sent = lines('http://a.test:81/x?y#z', undefined, { fields: [['If-None-Match', '"1"']] })
  expect(sent.slice(0, 3)).toEqual(['GET /x?y HTTP/1.1', 'Host: a.test:81', 'User-Agent: loupe'])
  expect(sent).toContain('If-None-Match: "1"')
  expect(sent.slice(-2)).toEqual(['', ''])
})

test('a POST ends with its body, and states its length', () => {
  const sent = lines('http://a.test/', undefined, { method: 'POST', body: Buffer.from('a=1') })
  expect(sent[0]).toBe('POST / HTTP/1.1')
  expect(sent).toContain('Content-Length: 3')
  expect(sent.slice(-2)).toEqual(['', 'a=1'])
})

test.each([
  ['from http to https', 'http://b.test/', 'https://a.test/', true],
  ['within https', 'https://b.test/', 'https://a.test/', true],
  ['from https to http', 'https://b.test/', 'http://a.test/', false],
  ['with a password in it', 'http://me:secret@b.test/', 'http://a.test/', false],
])('a Referer %s', (_, referrer, url, isSent) => {
  expect(lines(url, referrer).includes(`Referer: ${referrer}`)).toBe(isSent)
})
