import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { duplexPair } from 'node:stream'
import { connect, TLSSocket } from 'node:tls'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { realWorld } from '../../world/real.ts'
import { openCertificateAuthority, type CertificateAuthority } from './certificateAuthority.ts'

let folder: string
const world = realWorld()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-ca-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('is created once, with the fingerprint of its key', async () => {
  const first = await openCertificateAuthority({ folder, world })
  const again = await openCertificateAuthority({ folder, world })
  expect(again.pem).toBe(first.pem)
  expect(again.spkiSha256).toBe(first.spkiSha256)
  const certificate = new X509Certificate(await readFile(first.path))
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' })
  expect(createHash('sha256').update(spki).digest('base64')).toBe(first.spkiSha256)
  expect(certificate.ca).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
})

it.skipIf(process.platform === 'win32')('keeps its key from other users', async () => {
  await openCertificateAuthority({ folder, world })
  const withKeys = []
  for (const name of await readdir(folder)) {
    if ((await readFile(join(folder, name), 'latin1')).includes('PRIVATE KEY')) withKeys.push(name)
  }
  expect(withKeys).toEqual(['loupe-authority.private.pem'])
  expect((await stat(join(folder, 'loupe-authority.private.pem'))).mode & 0o777).toBe(0o600)
})

it('writes its certificate again when it is missing or changed', async () => {
  const { path, pem } = await openCertificateAuthority({ folder, world })
  await writeFile(path, 'something else')
  await openCertificateAuthority({ folder, world })
  expect(await readFile(path, 'latin1')).toBe(pem)
})

it('is renewed with the same key before it expires, so that trust in the key continues', async () => {
  const young = await openCertificateAuthority({ folder, world })
  const later = { ...world, clock: { ...world.clock, now: () => Date.now() + 9 * 365 * 86_400_000 } }
  const old = await openCertificateAuthority({ folder, world: later })
  expect(old.pem).not.toBe(young.pem)
  expect(old.spkiSha256).toBe(young.spkiSha256)
})

const checkLeaf = (host: string, alternativeName: string, subject: string | undefined) =>
  it(`the certificate for ${host} has ${alternativeName}`, async () => {
    const certificateAuthority = await openCertificateAuthority({ folder, world })
    const leaf = await leafOf(certificateAuthority, host)
    expect(leaf.subjectAltName).toBe(alternativeName)
    expect(leaf.subject).toBe(subject)
    expect(leaf.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
    expect(leaf.ca).toBe(false)
    const signer = new X509Certificate(certificateAuthority.pem)
    expect([leaf.checkIssued(signer), leaf.verify(signer.publicKey)]).toEqual([true, true])
    expect(leaf.validToDate.getTime() - leaf.validFromDate.getTime()).toBeLessThanOrEqual(398 * 86_400_000)
  })
const longName = `${'a-label-of-a-long-name.'.repeat(4)}example`
checkLeaf('www.example.com', 'DNS:www.example.com', 'CN=www.example.com')
checkLeaf('WWW.Example.COM', 'DNS:www.example.com', 'CN=www.example.com')
checkLeaf('www.example.com.', 'DNS:www.example.com', 'CN=www.example.com')
checkLeaf('under_score.example', 'DNS:under_score.example', 'CN=under_score.example')
checkLeaf('xn--bcher-kva.example', 'DNS:xn--bcher-kva.example', 'CN=xn--bcher-kva.example')
checkLeaf('localhost', 'DNS:localhost', 'CN=localhost')
checkLeaf(longName, `DNS:${longName}`, undefined)
checkLeaf(`${'l'.repeat(70)}.example`, `DNS:${'l'.repeat(70)}.example`, undefined)
checkLeaf('192.0.2.7', 'IP Address:192.0.2.7', 'CN=192.0.2.7')
checkLeaf('2001:db8::7', 'IP Address:2001:DB8:0:0:0:0:0:7', 'CN=2001:db8::7')
checkLeaf('::ffff:192.0.2.7', 'IP Address:0:0:0:0:0:FFFF:C000:207', 'CN=::ffff:c000:207')

it('creates one certificate for each host', async () => {
  const certificateAuthority = await openCertificateAuthority({ folder, world })
  const first = certificateAuthority.contextFor('site.example')
  expect(certificateAuthority.contextFor('SITE.example.')).toBe(first)
  expect(certificateAuthority.contextFor('other.example')).not.toBe(first)
  expect(certificateAuthority.contextFor('2001:DB8:0::7')).toBe(certificateAuthority.contextFor('2001:db8::7'))
})

/** Returns the certificate that a browser receives. */
async function leafOf(certificateAuthority: CertificateAuthority, host: string): Promise<X509Certificate> {
  const [here, there] = duplexPair()
  new TLSSocket(there, { isServer: true, secureContext: await certificateAuthority.contextFor(host) })
  const end = connect({ socket: here, ca: certificateAuthority.pem, checkServerIdentity: () => undefined })
  await new Promise((secure) => end.once('secureConnect', secure))
  expect(end.authorized).toBe(true)
  const leaf = end.getPeerX509Certificate()
  end.destroy()
  if (leaf === undefined) throw new Error('no certificate was shown')
  return leaf
}

const damage = (what: string, change: (pem: string) => string) =>
  it(`is refused as damaged: ${what}`, async () => {
    await openCertificateAuthority({ folder, world })
    const path = join(folder, 'loupe-authority.private.pem')
    await writeFile(path, change(await readFile(path, 'latin1')))
    const sentence = new RegExp(
      `^The certificate authority in ${path.replaceAll(/[\\.]/g, '\\$&')} is damaged. Move this file away`,
    )
    await expect(openCertificateAuthority({ folder, world })).rejects.toMatchObject({ code: 'damaged' })
    await expect(openCertificateAuthority({ folder, world })).rejects.toThrow(sentence)
  })

damage('empty', () => '')
damage('not PEM', () => 'hello')
damage('cut in the key', (pem) => pem.slice(0, 100))
damage('without its certificate', (pem) => pem.slice(0, pem.indexOf('-----BEGIN CERTIFICATE')))
damage('a certificate of another key', (pem) => pem.replace(/-----BEGIN PRIVATE KEY[^]*END PRIVATE KEY-----/, otherKey))

const otherKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2
OF/2NxApJCzGCEDdfSp6VQO30hyhRANCAAQRWz+jn65BtOMvdyHKcvjBeBSDZH2r
1RTwjmYSi9R/zpBnuQ4EiMnCqfMPWiZqB4QdbAd0E7oH50VpuZ1P087G
-----END PRIVATE KEY-----`
