import { expect, test } from 'vitest'
import { archivedAddress, browserAddress } from './fileAddresses.ts'

test.each([
  ['file:///home/me/a.html', 'http://files.viewerproxy.invalid/home/me/a.html'],
  ['file:///', 'http://files.viewerproxy.invalid/'],
  ['file:///a%20b/%C3%BC%23%3F%25.txt', 'http://files.viewerproxy.invalid/a%20b/%C3%BC%23%3F%25.txt'],
  ['file:///C:/Users/me/', 'http://files.viewerproxy.invalid/C:/Users/me/'],
  ['file:///a//b', 'http://files.viewerproxy.invalid/a//b'],
  ['file:///a.html#part', 'http://files.viewerproxy.invalid/a.html#part'],
])('%s maps to %s, and back', (archived, asked) => {
  expect(browserAddress(archived)).toBe(asked)
  expect(archivedAddress(asked)).toBe(archived)
})

test.each(['http://a.example/b?c', 'https://a.example/', 'file://server/share', 'no address', ''])(
  '%s stays unchanged',
  (address) => {
    expect(browserAddress(address)).toBe(address)
    expect(archivedAddress(address)).toBe(address)
  },
)

test.each([
  ['http://files.viewerproxy.invalid/a.html?x=1', 'file:///a.html'],
  ['http://files.viewerproxy.invalid.example/a', 'http://files.viewerproxy.invalid.example/a'],
  ['https://files.viewerproxy.invalid/a', 'https://files.viewerproxy.invalid/a'],
])('%s maps back to %s', (asked, archived) => expect(archivedAddress(asked)).toBe(archived))
