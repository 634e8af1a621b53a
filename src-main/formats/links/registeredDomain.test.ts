import { expect, test } from 'vitest'
import { registeredDomain } from './registeredDomain.ts'

test.each([
  ['www.example.com', 'example.com'],
  ['example.com', 'example.com'],
  ['example.com.', 'example.com'],
  ['a.b.example.co.uk', 'example.co.uk'],
  ['co.uk', 'co.uk'],
  ['a.alice.github.io', 'alice.github.io'],
  ['github.io', 'github.io'],
  ['www.city.kawasaki.jp', 'city.kawasaki.jp'],
  ['media.museum.test', 'museum.test'],
  ['xn--bcher-kva.example.de', 'example.de'],
  ['localhost', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '[::1]'],
  ['', ''],
])('the registered domain of %s is %s', (host, domain) => {
  expect(registeredDomain(host)).toBe(domain)
})
