import { expect, test } from 'vitest'
import { archivedAddress, browserAddress } from './viewerAddresses.ts'

test.each([
  ['file:///home/me/a.html', 'http://files.viewerproxy.invalid/home/me/a.html'],
  ['file:///', 'http://files.viewerproxy.invalid/'],
  ['file:///a%20b/%C3%BC%23%3F%25.txt', 'http://files.viewerproxy.invalid/a%20b/%C3%BC%23%3F%25.txt'],
  ['file:///C:/Users/me/', 'http://files.viewerproxy.invalid/C:/Users/me/'],
  ['file:///a//b', 'http://files.viewerproxy.invalid/a//b'],
  ['cms:page/1', 'http://cms.schemes.viewerproxy.invalid/page/1'],
  ['cms:all?list=1#part', 'http://cms.schemes.viewerproxy.invalid/all?list=1#part'],
  ['cms://museum.example/a//b', 'http://cms.schemes.viewerproxy.invalid///museum.example/a//b'],
  ['ftp://a.example/b.txt', 'http://ftp.schemes.viewerproxy.invalid///a.example/b.txt'],
  ['file:///a.html#part', 'http://files.viewerproxy.invalid/a.html#part'],
])('%s maps to %s, and back', (archived, asked) => {
  expect(browserAddress(archived)).toBe(asked)
  expect(archivedAddress(asked)).toBe(archived)
})

test.each([
  'http://a.example/b?c',
  'javascript:alert(1)',
  'data:text/html,x',
  'a.b:c',
  'a+b:c',
  'https://a.example/',
  'file://server/share',
  'no address',
  '',
])('%s stays unchanged', (address) => {
  expect(browserAddress(address)).toBe(address)
  expect(archivedAddress(address)).toBe(address)
})

test.each([
  ['http://files.viewerproxy.invalid/a.html?x=1', 'file:///a.html'],
  ['http://files.viewerproxy.invalid.example/a', 'http://files.viewerproxy.invalid.example/a'],
  ['https://files.viewerproxy.invalid/a', 'https://files.viewerproxy.invalid/a'],
  ['http://javascript.schemes.viewerproxy.invalid/alert(1)', 'http://javascript.schemes.viewerproxy.invalid/alert(1)'],
  ['http://cms.schemes.viewerproxy.invalid:8080/a', 'http://cms.schemes.viewerproxy.invalid:8080/a'],
  ['https://cms.schemes.viewerproxy.invalid/a', 'https://cms.schemes.viewerproxy.invalid/a'],
  ['http://a.b.schemes.viewerproxy.invalid/a', 'http://a.b.schemes.viewerproxy.invalid/a'],
])('%s maps back to %s', (asked, archived) => expect(archivedAddress(asked)).toBe(archived))
