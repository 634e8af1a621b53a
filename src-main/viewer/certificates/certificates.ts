/** Makes X.509 certificates: the one of the certificate authority, and one per host name. Imported lazily, because loading the
 *  package takes longer than most commands run. */
import 'reflect-metadata'
import { randomBytes, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'
import { certificateAuthorityDays, curve, leafDays, type KeyPair } from './keyPair.ts'

x509.cryptoProvider.set(crypto)

const algorithm = { name: 'ECDSA', namedCurve: curve, hash: 'SHA-256' }
const dayMs = 86_400_000

/** Keys and certificate of the certificate authority. */
export interface Signer {
  keys: KeyPair
  pem: string
}

/** Makes the certificate of a certificate authority: it may sign certificates of hosts, but not those of other ones.
 *  Returns PEM. */
export async function selfSigned(pair: KeyPair, nowMs: number): Promise<string> {
  const keys = { privateKey: await signing(pair.privateKey), publicKey: await verifying(pair.publicKey) }
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    // The number distinguishes the certificate authorities of two archives in a browser's list.
    name: `CN=Loupe archive ${randomBytes(4).toString('hex')}, O=Loupe`,
    serialNumber: serialNumber(),
    ...validity(nowMs, certificateAuthorityDays),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return `${certificate.toString('pem')}\n`
}

/** Makes the certificate of a host name or IP address, signed by the certificate authority. Returns PEM. */
export async function leafFor(made: {
  host: string
  certificateAuthority: Signer
  publicKey: KeyObject
  nowMs: number
}): Promise<string> {
  const { host, certificateAuthority, publicKey, nowMs } = made
  // RFC 5280 A.1: a common name has at most 64 characters. Browsers read only the alternative name.
  const isNamed = host.length <= 64
  const certificate = await x509.X509CertificateGenerator.create({
    subject: isNamed ? [{ CN: [host] }] : [],
    issuer: new x509.X509Certificate(certificateAuthority.pem).subjectName,
    serialNumber: serialNumber(),
    ...validity(nowMs, leafDays),
    signingAlgorithm: algorithm,
    publicKey: await verifying(publicKey),
    signingKey: await signing(certificateAuthority.keys.privateKey),
    extensions: [
      // RFC 5280 4.2.1.6: critical where there is no other name.
      new x509.SubjectAlternativeNameExtension([{ type: isIP(host) ? 'ip' : 'dns', value: host }], !isNamed),
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(await verifying(certificateAuthority.keys.publicKey)),
    ],
  })
  return certificate.toString('pem')
}

/** Converts a key for Web Crypto, which the package needs. */
function signing(key: KeyObject) {
  return crypto.subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), algorithm, false, ['sign'])
}

function verifying(key: KeyObject) {
  return crypto.subtle.importKey('spki', key.export({ type: 'spki', format: 'der' }), algorithm, true, ['verify'])
}

/** Starts a day early, because a computer's clock may be set back between making and using a certificate. */
function validity(nowMs: number, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(nowMs - dayMs), notAfter: new Date(nowMs + (days - 1) * dayMs) }
}

/** RFC 5280 4.1.2.2: positive, at most 20 octets, hard to guess. */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}
