import { expect, test } from 'vitest'
import { defaultCrawlSettings } from '../../model/limits.ts'
import { targetOf } from './target.ts'

const setting = {
  settings: defaultCrawlSettings,
  resolve: { 'a.test': '192.0.2.7', 'a.test:8443': '[2001:db8::7]:9443', 'b.test': '192.0.2.8:8080' },
  ownHosts: new Set(['a.test', 'local.test:8080']),
}

test.each([
  ['https', 'https://c.test/x', { host: 'c.test', port: 443, tls: true, privateAllowed: false }],
  ['http with a port', 'http://c.test:81/', { host: 'c.test', port: 81, tls: false }],
  ['an IPv6 address', 'http://[2001:db8::1]:81/', { host: '2001:db8::1', port: 81 }],
  ['a host with a fixed address', 'http://a.test/', { address: '192.0.2.7', port: 80, privateAllowed: true }],
  ['a host and port with an address', 'https://a.test:8443/', { address: '2001:db8::7', port: 9443 }],
  ['an address with a port', 'https://b.test/', { host: 'b.test', address: '192.0.2.8', port: 8080, tls: true }],
  ['a host that the user named with its port', 'http://local.test:8080/', { privateAllowed: true }],
  ['the same host at another port', 'http://local.test:8081/', { privateAllowed: false }],
])('%s', (_, url, target) => expect(targetOf(url, setting)).toMatchObject(target))

test.each(['ftp://a.test/', 'mailto:a@example.org', 'no URL', 'http://'])('"%s" has no target', (url) => {
  expect(targetOf(url, setting)).toBeUndefined()
})
