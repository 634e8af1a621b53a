import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { createHash, webcrypto } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { isOurCertificate, mayHave, mayNavigate, partitionOf, proxyRules, type Place } from './sessionRules.ts'

test.each<[string, Place, boolean]>([
  ['http://example.com/', 'page', true],
  ['https://example.com/', 'page', true],
  ['file:///etc/passwd', 'page', false],
  ['loupe://interface/', 'page', false],
  ['javascript:alert(1)', 'page', false],
  ['data:text/html,x', 'page', false],
  ['chrome://gpu', 'page', false],
  ['mailto:a@b.example', 'page', false],
  ['not a url', 'page', false],
  ['about:srcdoc', 'frame', true],
  ['blob:http://example.com/1', 'frame', true],
  ['data:text/html,x', 'frame', true],
  ['file:///etc/passwd', 'frame', false],
  ['loupe://interface/', 'frame', false],
])('%s as a %s: %s', (url, place, expected) => {
  expect(mayNavigate(url, place)).toBe(expected)
})

test.each([
  'media',
  'geolocation',
  'notifications',
  'clipboard-read',
  'clipboard-sanitized-write',
  'fullscreen',
  'openExternal',
])('no archived page has %s', (permission) => {
  expect(mayHave(permission, 'archived page')).toBe(false)
  expect(mayHave(permission, 'interface')).toBe(['clipboard-sanitized-write', 'notifications'].includes(permission))
})

test('nothing bypasses the proxy, not even requests to this machine', () => {
  expect(proxyRules({ host: '127.0.0.1', port: 4712 })).toEqual({
    proxyRules: 'http=127.0.0.1:4712;https=127.0.0.1:4712',
    proxyBypassRules: '<-loopback>',
  })
})

test('each archive has a partition with a valid folder name', () => {
  expect(partitionOf('a/+b=')).toMatch(/^archived-[0-9a-f]{16}$/)
  expect(partitionOf('a')).not.toBe(partitionOf('b'))
})

describe('certificates', () => {
  const now = Date.UTC(2026, 10, 20)
  const day = 86_400_000
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  let ours: Issuer
  let theirs: Issuer

  interface Issuer {
    pem: string
    spkiSha256: string
    leaf(host: string, fromMs: number, toMs: number): Promise<string>
  }

  async function issuer(name: string): Promise<Issuer> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const certificateAuthority = await x509.X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      keys,
      notBefore: new Date(now - day),
      notAfter: new Date(now + day),
    })
    return {
      pem: certificateAuthority.toString('pem'),
      spkiSha256: createHash('sha256').update(Buffer.from(certificateAuthority.publicKey.rawData)).digest('base64'),
      async leaf(host, fromMs, toMs) {
        const leafKeys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
        const names = new x509.SubjectAlternativeNameExtension([
          { type: /^[\d.]+$/.test(host) ? 'ip' : 'dns', value: host },
        ])
        const made = await x509.X509CertificateGenerator.create({
          subject: `CN=${host}`,
          issuer: certificateAuthority.subject,
          publicKey: leafKeys.publicKey,
          signingKey: keys.privateKey,
          notBefore: new Date(fromMs),
          notAfter: new Date(toMs),
          extensions: [names],
        })
        return made.toString('pem')
      },
    }
  }

  beforeAll(async () => {
    // The same name: only the key may tell them apart.
    ours = await issuer('Loupe')
    theirs = await issuer('Loupe')
  })

  const fresh = [now - day, now + day] as const
  test.each<[string, () => Promise<{ certificate: string; issuer: string | undefined }>, string, boolean]>([
    [
      'ours',
      async () => ({ certificate: await ours.leaf('example.com', ...fresh), issuer: ours.pem }),
      'example.com',
      true,
    ],
    [
      'ours, for an address',
      async () => ({ certificate: await ours.leaf('192.0.2.1', ...fresh), issuer: ours.pem }),
      '192.0.2.1',
      true,
    ],
    [
      'ours, for another host',
      async () => ({ certificate: await ours.leaf('example.com', ...fresh), issuer: ours.pem }),
      'example.org',
      false,
    ],
    [
      'ours, over',
      async () => ({ certificate: await ours.leaf('example.com', now - 2 * day, now - day), issuer: ours.pem }),
      'example.com',
      false,
    ],
    [
      'ours, not begun',
      async () => ({ certificate: await ours.leaf('example.com', now + day, now + 2 * day), issuer: ours.pem }),
      'example.com',
      false,
    ],
    [
      "another's of the same name",
      async () => ({ certificate: await theirs.leaf('example.com', ...fresh), issuer: theirs.pem }),
      'example.com',
      false,
    ],
    [
      "another's, sent with our authority",
      async () => ({ certificate: await theirs.leaf('example.com', ...fresh), issuer: ours.pem }),
      'example.com',
      false,
    ],
    [
      'without its authority',
      async () => ({ certificate: await ours.leaf('example.com', ...fresh), issuer: undefined }),
      'example.com',
      false,
    ],
  ])('%s', async (_what, chain, hostname, expected) => {
    expect(isOurCertificate({ hostname, ...(await chain()) }, ours.spkiSha256, now)).toBe(expected)
  })
})
