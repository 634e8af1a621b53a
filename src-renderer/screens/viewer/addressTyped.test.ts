import { expect, test } from 'vitest'
import { addressTyped, type AddressTyped } from './addressTyped.ts'

const own = 'http://127.0.0.1:4000'

test.each<[string, AddressTyped]>([
  [' http://Example.com/a b ', { url: 'http://example.com/a%20b' }],
  ['https://example.com', { url: 'https://example.com/' }],
  ['example.com/page', { url: 'http://example.com/page' }],
  ['localhost:8080/x', { url: 'http://localhost:8080/x' }],
  ['127.0.0.1:4001', { url: 'http://127.0.0.1:4001/' }],
  ['', { problem: 'empty' }],
  ['http://', { problem: 'notAddress' }],
  ['two words', { problem: 'notAddress' }],
  ['javascript:alert(1)', { problem: 'notWeb' }],
  ['data:text/html,x', { problem: 'notWeb' }],
  ['file:///home/me/a b.txt', { url: 'file:///home/me/a%20b.txt' }],
  ['file://server/share', { problem: 'notWeb' }],
  ['ftp://example.com/', { url: 'ftp://example.com/' }],
  ['cms:page/1', { url: 'cms:page/1' }],
  ['view-source:http://a.example/', { problem: 'notWeb' }],
  ['http://127.0.0.1:4000/#/jobs', { problem: 'ownAddress' }],
  ['127.0.0.1:4000', { problem: 'ownAddress' }],
])('%s', (typed, expected) => expect(addressTyped(typed, own)).toEqual(expected))
