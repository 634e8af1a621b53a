import { expect, test } from 'vitest'
import { isPrivate } from './privateAddress.ts'

test.each([
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['0.0.0.0', true],
  ['10.1.2.3', true],
  ['172.16.0.1', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['8.8.8.8', false],
  ['::1', true],
  ['::', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:8.8.8.8', false],
  ['fe80::1%eth0', true],
  ['fd00::1', true],
  ['2001:db8::1', false],
  ['localhost', false],
])('%s', (address, expected) => {
  expect(isPrivate(address)).toBe(expected)
})
