import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostOf, pathGroupOf } from './pathGroup.ts'

test.each([
  ['http://a.test/', '/'],
  ['http://a.test/img/2024/one.png?x=1', '/img/2024/*.png'],
  ['http://a.test/img/two', '/img/*'],
  ['http://a.test/img/.hidden', '/img/*'],
  ['http://a.test/a/name.with-a-long-end', '/a/*'],
  ['no address', ''],
])('the group of %s is %s', (url, group) => expect(pathGroupOf(url)).toBe(group))

test('a port is part of the host', () => expect(hostOf('https://a.test:8443/x')).toBe('a.test:8443'))

test('any URL has a group of bounded length, which its query does not change', () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.webQueryParameters(), (url, query) => {
      const group = pathGroupOf(url)
      expect(group.length).toBeLessThan(300)
      expect(pathGroupOf(`${url}?${query}`)).toBe(group)
    }),
  )
})
