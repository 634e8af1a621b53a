/** Makes and verifies signatures of a WACZ (WACZ Signing and Verification 0.1.0): the anonymous form of
 *  ArchiveWeb.page, which contains the public key, and the form of authsign, with the certificate of a domain and a
 *  time stamp. Trust in keys and root certificates is left to the user, and the network is not used. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { finding, type Finding } from '../rules/finding.ts'
import { readTimeStamp } from './timeStamp.ts'
import { quoted } from './zipNames.ts'

/** A key pair in the form in which it is stored: PKCS #8 in PEM, which contains both keys. */
export interface WaczSigningKey {
  privateKey: string
}

/** Creates a key pair on the curve P-384, as ArchiveWeb.page does. */
export function newSigningKey(): WaczSigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  return { privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/** Returns the public key for comparison by users, as in packages: base64 of its SubjectPublicKeyInfo. */
export function publicKeyOf({ privateKey }: WaczSigningKey): string {
  return createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' }).toString('base64')
}

/** The value of `signedData` in datapackage-digest.json (WACZ Signing 0.1.0, Signature Data Format). `created` is
 *  a time in RFC 3339, `signature` and `publicKey` are base64. */
export interface AnonymousSignature {
  hash: string
  created: string
  software: string
  version: string
  signature: string
  publicKey: string
}

/** Value of `version`: that of the specification. */
const signingVersion = '0.1.0'

/** Signs the text of the hash, including `sha256:`, with SHA-256, as ArchiveWeb.page does. The signature is the pair
 *  of numbers (IEEE P1363) that browsers use. Each call returns another signature, because ECDSA uses a random
 *  number. */
export function signHash(
  hash: string,
  by: { key: WaczSigningKey; created: string; software: string },
): AnonymousSignature {
  const key = createPrivateKey(by.key.privateKey)
  const signature = sign('sha256', Buffer.from(hash), { key, dsaEncoding: 'ieee-p1363' }).toString('base64')
  const { created, software } = by
  return { hash, created, software, version: signingVersion, signature, publicKey: publicKeyOf(by.key) }
}

/** The result of verifying a signature. */
export interface ProvenSignature {
  /** `wrong`: the signature is invalid or incomplete; `unproven`: the signature is right, but a certificate or the
   *  time stamp is not. */
  result: 'right' | 'unproven' | 'wrong'
  /** Public key, or name of the domain. */
  by: string | undefined
  findings: Finding[]
}

type Fields = Readonly<Record<string, unknown>>

/** Verifies a signature. `signedData` is that of datapackage-digest.json, and `hash` is the actual hash of the
 *  manifest. */
export function proveSignature(signedData: Fields, hash: string): ProvenSignature {
  const text = (name: string): string | undefined => {
    const value = signedData[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const signedHash = text('hash')
  const signature = text('signature')
  const publicKey = text('publicKey')
  const domainCert = text('domainCert')
  if (signedHash === undefined || signature === undefined || (publicKey ?? domainCert) === undefined)
    return wrong(finding('waczSignatureInvalid.fields'))
  if (signedHash !== hash) return wrong(finding('waczSignatureWrong.hash', { signed: quoted(signedHash), hash }))
  const created = text('created')
  if (publicKey !== undefined) return proveAnonymous({ signedHash, signature, publicKey })
  const chain = certificatesIn(domainCert ?? '')
  const leaf = chain?.[0]
  if (!chain || !leaf) return wrong(finding('waczSignatureInvalid.certificate'))
  if (!isSignedBy(leaf.publicKey, signedHash, signature)) return wrong(finding('waczSignatureWrong.certificate'))
  const domain = text('domain')
  const findings = [
    ...domainFindings(chain, { domain, created }),
    ...crossFindings(text('crossSignedCert'), { signedHash, signature }),
    ...timeFindings({
      signature,
      created,
      timeSignature: text('timeSignature'),
      timestampCert: text('timestampCert'),
    }),
  ]
  if (findings.length > 0) return { result: 'unproven', by: domain, findings }
  const said = { created: created ?? '-', domain: quoted(domain ?? ''), root: quoted(rootOf(chain)) }
  return { result: 'right', by: domain, findings: [finding('waczSignedByDomain', said)] }
}

function wrong(found: Finding): ProvenSignature {
  return { result: 'wrong', by: undefined, findings: [found] }
}

/** Verifies a signature with its own public key: it proves that the package is unchanged, and who signed it only
 *  to those who know the key. */
function proveAnonymous(signed: { signedHash: string; signature: string; publicKey: string }): ProvenSignature {
  const key = publicKeyIn(signed.publicKey)
  if (!key) return wrong(finding('waczSignatureInvalid.key'))
  if (!isSignedBy(key, signed.signedHash, signed.signature)) return wrong(finding('waczSignatureWrong.key'))
  const by = signed.publicKey
  return { result: 'right', by, findings: [finding('waczSignedByKey', { key: by })] }
}

function publicKeyIn(base64: string): KeyObject | undefined {
  return tried(() => createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' }))
}

/** Returns undefined when `read` fails. OpenSSL reports invalid bytes by many errors, all of them plain; a TypeError
 *  or RangeError is a bug and is thrown again. */
function tried<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) throw error
    return undefined
  }
}

/** Verifies a signature in either form: browsers write the pair of numbers (IEEE P1363), authsign writes DER, and
 *  the form is not stated. */
function isSignedBy(key: KeyObject, hash: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64')
  if (key.asymmetricKeyType !== 'ec') return tried(() => verify('sha256', Buffer.from(hash), key, bytes)) === true
  return (['ieee-p1363', 'der'] as const).some(
    (dsaEncoding) => tried(() => verify('sha256', Buffer.from(hash), { key, dsaEncoding }, bytes)) === true,
  )
}

/** Maximum number of certificates in a chain; those of the Web have three or four. */
const certificatesMax = 16

/** Parses a chain, the leaf first; undefined when a certificate is unreadable. Further ones than the maximum are
 *  ignored. */
function certificatesIn(pem: string): X509Certificate[] | undefined {
  const parts = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  const certificates = parts.slice(0, certificatesMax).map((part) => tried(() => new X509Certificate(part)))
  return certificates.every((certificate) => certificate !== undefined) ? certificates : undefined
}

/** Name of the authority that the chain ends at, on one line. */
function rootOf(chain: X509Certificate[]): string {
  return chain.at(-1)?.issuer.replaceAll('\n', ', ') ?? ''
}

/** Steps 5 and 8 of the verification, as far as possible without a list of roots. */
function domainFindings(
  chain: X509Certificate[],
  { domain, created }: { domain: string | undefined; created: string | undefined },
): Finding[] {
  const findings: Finding[] = []
  const [leaf] = chain
  if (domain === undefined || leaf?.checkHost(domain) === undefined)
    findings.push(finding('waczSignatureUnproven.domain', { domain: quoted(domain ?? '') }))
  const createdMs = Date.parse(created ?? '')
  // authsign obtains a new certificate every few days; its validity at the time can be checked without trust.
  if (!(leaf && createdMs >= Date.parse(leaf.validFrom) && createdMs <= Date.parse(leaf.validTo)))
    findings.push(finding('waczSignatureUnproven.validity', { created: quoted(created ?? '') }))
  return [...findings, ...chainFindings(chain, 'domainCert')]
}

/** Reports the first certificate that was not issued by the next one in its chain. */
function chainFindings(chain: X509Certificate[], name: string): Finding[] {
  const broken = chain.findIndex((certificate, index) => {
    const issuer = chain[index + 1]
    return issuer !== undefined && !(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey))
  })
  return broken < 0 ? [] : [finding('waczSignatureUnproven.chain', { number: broken + 1, field: name })]
}

/** Step 10 of the verification. */
function crossFindings(pem: string | undefined, signed: { signedHash: string; signature: string }): Finding[] {
  if (pem === undefined) return []
  const chain = certificatesIn(pem)
  const leaf = chain?.[0]
  if (!chain || !leaf) return [finding('waczSignatureUnproven.unreadable', { field: 'crossSignedCert' })]
  const findings = chainFindings(chain, 'crossSignedCert')
  if (isSignedBy(leaf.publicKey, signed.signedHash, signed.signature)) return findings
  return [...findings, finding('waczSignatureUnproven.crossKey')]
}

/** Step 7: maximum difference between the time stamp and the stated time. */
const stampLateMsMax = 10 * 60 * 1000

/** Steps 6, 7 and 9 of the verification. */
function timeFindings(stated: {
  signature: string
  created: string | undefined
  timeSignature: string | undefined
  timestampCert: string | undefined
}): Finding[] {
  const { signature, created, timeSignature, timestampCert } = stated
  if (timeSignature === undefined || timestampCert === undefined) return [finding('waczSignatureUnproven.time')]
  const chain = certificatesIn(timestampCert)
  const leaf = chain?.[0]
  if (!chain || !leaf) return [finding('waczSignatureUnproven.unreadable', { field: 'timestampCert' })]
  const stamp = tried(() => readTimeStamp(Buffer.from(timeSignature, 'base64'), signature, leaf))
  if (!stamp) return [finding('waczSignatureUnproven.stamp')]
  const findings = chainFindings(chain, 'timestampCert')
  if (!stamp.signed) findings.push(finding('waczSignatureUnproven.stampSigner'))
  if (!stamp.ofText) findings.push(finding('waczSignatureUnproven.stampOf'))
  if (!(Math.abs(stamp.timeMs - Date.parse(created ?? '')) <= stampLateMsMax)) {
    const time = new Date(stamp.timeMs).toISOString()
    findings.push(finding('waczSignatureUnproven.stampTime', { time, created: quoted(created ?? '') }))
  }
  return findings
}
