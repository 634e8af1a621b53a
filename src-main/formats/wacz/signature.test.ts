import 'reflect-metadata'
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  webcrypto,
  X509Certificate,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { X509CertificateGenerator, SubjectAlternativeNameExtension, cryptoProvider } from '@peculiar/x509'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { derField, derTags, derValues, objectIdOf } from './derReader.ts'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { newSigningKey, proveSignature, publicKeyOf, signHash } from './signature.ts'
import { readTimeStamp } from './timeStamp.ts'
import { openWacz, manifestDigestPath } from './wacz.ts'
import { entryWhole, zipEntry } from './zip.ts'
import { corpora, hasCorpora } from '../testing/corpora.ts'

const hash = `sha256:${'ab'.repeat(32)}`
const created = '2024-02-29T13:07:09Z'
type Signed = Record<string, unknown>

describe('anonymous signatures', () => {
  const key = newSigningKey()
  const good: Signed = { ...signHash(hash, { key, created, software: 'Loupe/test' }) }

  test('a valid signature names its key', () => {
    expect(proveSignature(good, hash)).toMatchObject({ result: 'right', by: publicKeyOf(key) })
    expect(proveSignature(good, hash).findings.map(({ rule }) => rule)).toEqual(['waczSignedByKey'])
  })

  test('keys are stored as PKCS #8 and identified by their public half', () => {
    expect(createPrivateKey(key.privateKey).asymmetricKeyDetails?.namedCurve).toBe('secp384r1')
    expect(publicKeyOf(key)).not.toBe(publicKeyOf(newSigningKey()))
  })

  test.each(['prime256v1', 'secp384r1'] as const)(
    'of a key on %s, in the format of browsers and in DER',
    (namedCurve) => {
      const pair = generateKeyPairSync('ec', { namedCurve })
      const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
      for (const dsaEncoding of ['ieee-p1363', 'der'] as const) {
        const signature = sign('sha256', Buffer.from(hash), { key: pair.privateKey, dsaEncoding }).toString('base64')
        expect(proveSignature({ hash, created, software: 'x', signature, publicKey }, hash).result).toBe('right')
      }
    },
  )

  const check = (what: string, change: Signed, rule: string, manifest = hash) =>
    test(what, () => {
      const { result, findings } = proveSignature({ ...good, ...change }, manifest)
      expect([result, ...findings.map((finding) => finding.rule)]).toEqual(['wrong', rule])
    })
  check('another manifest', {}, 'waczSignatureWrong', `sha256:${'cd'.repeat(32)}`)
  check('another hash in it', { hash: `sha256:${'cd'.repeat(32)}` }, 'waczSignatureWrong')
  check('a foreign key', { publicKey: publicKeyOf(newSigningKey()) }, 'waczSignatureWrong')
  check(
    'a foreign signature',
    { signature: signHash(hash, { key: newSigningKey(), created, software: 'x' }).signature },
    'waczSignatureWrong',
  )
  check('a signature of random bytes', { signature: randomBytes(96).toString('base64') }, 'waczSignatureWrong')
  check('a signature that is not base64', { signature: '***' }, 'waczSignatureWrong')
  check('an invalid key', { publicKey: 'AAAA' }, 'waczSignatureInvalid')
  check('no key', { publicKey: undefined }, 'waczSignatureInvalid')
  check('no signature', { signature: 7 }, 'waczSignatureInvalid')
})

/** DER, for time stamps as a service would make them. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const length =
    content.length < 128
      ? Buffer.from([content.length])
      : Buffer.from([0x82, content.length >> 8, content.length & 255])
  return Buffer.concat([Buffer.from([tag]), length, content])
}
function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((number) => {
    const digits = [number & 127]
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left & 127) | 128)
    return digits
  })
  return der(derTags.objectId, Buffer.from(bytes))
}
const sequence = (...parts: Uint8Array[]) => der(derTags.sequence, ...parts)
const integer = (value: number) => der(derTags.integer, Buffer.from([value]))
const sha256Id = sequence(objectId('2.16.840.1.101.3.4.2.1'), der(5))
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()

/** RFC 3161, 2.4.2, with RFC 5652 around it. */
function timeStamp(text: string, time: string, key: string): Buffer {
  const imprint = sequence(sha256Id, der(derTags.octetString, sha256(text)))
  const stamp = sequence(
    integer(1),
    objectId('1.2.3'),
    imprint,
    integer(7),
    der(derTags.generalizedTime, Buffer.from(time)),
  )
  const attributes = [
    sequence(objectId('1.2.840.113549.1.9.3'), der(derTags.set, objectId('1.2.840.113549.1.9.16.1.4'))),
    sequence(objectId('1.2.840.113549.1.9.4'), der(derTags.set, der(derTags.octetString, sha256(stamp)))),
  ]
  const signature = sign('sha256', der(derTags.set, ...attributes), key)
  const signer = sequence(
    integer(1),
    sequence(),
    sha256Id,
    der(derField(0), ...attributes),
    sequence(objectId('1.2.840.10045.4.3.2')),
    der(derTags.octetString, signature),
  )
  const content = sequence(objectId('1.2.840.113549.1.9.16.1.4'), der(derField(0), der(derTags.octetString, stamp)))
  const signedData = sequence(integer(3), der(derTags.set, sha256Id), content, der(derTags.set, signer))
  const token = sequence(objectId('1.2.840.113549.1.7.2'), der(derField(0), signedData))
  return sequence(sequence(integer(0)), token)
}

interface Authority {
  pem: string
  key: string
}

async function certificate(
  name: string,
  issuer?: { name: string; keys: webcrypto.CryptoKeyPair },
): Promise<Authority & { keys: webcrypto.CryptoKeyPair; name: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const made = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: `CN=${issuer?.name ?? name}`,
    notBefore: new Date('2024-02-01'),
    notAfter: new Date('2024-04-01'),
    publicKey: keys.publicKey,
    signingKey: issuer?.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString()
  return { pem: made.toString('pem'), key, keys, name }
}

describe('domain signatures', () => {
  let good: Signed
  let stampKey: string
  let other: Signed
  beforeAll(async () => {
    cryptoProvider.set(webcrypto)
    const root = await certificate('root.example')
    const leaf = await certificate('sign.example', root)
    const stampRoot = await certificate('time-root.example')
    const stamper = await certificate('time.example', stampRoot)
    const stranger = await certificate('stranger.example')
    stampKey = stamper.key
    const signature = sign('sha256', Buffer.from(hash), leaf.key).toString('base64')
    good = {
      hash,
      created,
      software: 'authsign',
      signature,
      domain: 'sign.example',
      domainCert: `${leaf.pem}\n\n${root.pem}\n`,
      timeSignature: timeStamp(signature, '20240229130800Z', stampKey).toString('base64'),
      timestampCert: `${stamper.pem}\n${stampRoot.pem}`,
    }
    other = {
      strangerSignature: sign('sha256', Buffer.from(hash), stranger.key).toString('base64'),
      strangerChain: `${leaf.pem}\n${stranger.pem}`,
      strangerStamp: stranger.pem,
      crossed: leaf.pem,
    }
  })

  const check = (what: string, change: () => Signed, result: string, ...rules: string[]) =>
    test(what, () => {
      const proven = proveSignature({ ...good, ...change() }, hash)
      expect([proven.result, ...proven.findings.map(({ rule }) => rule)]).toEqual([result, ...rules])
    })
  const unproven = 'waczSignatureUnproven'
  check('is valid and names the domain', () => ({}), 'right', 'waczSignedByDomain')
  check(
    'with a cross-signed certificate of the same key',
    () => ({ crossSignedCert: other.crossed }),
    'right',
    'waczSignedByDomain',
  )
  check('a foreign signature', () => ({ signature: other.strangerSignature }), 'wrong', 'waczSignatureWrong')
  check('an invalid certificate', () => ({ domainCert: 'x' }), 'wrong', 'waczSignatureInvalid')
  check('another domain', () => ({ domain: 'other.example' }), 'unproven', unproven)
  check('no domain', () => ({ domain: undefined }), 'unproven', unproven)
  check('a chain that does not hold', () => ({ domainCert: other.strangerChain }), 'unproven', unproven)
  check(
    'a cross-signed certificate of another key',
    () => ({ crossSignedCert: other.strangerStamp }),
    'unproven',
    unproven,
  )
  check('no time stamp', () => ({ timeSignature: undefined }), 'unproven', unproven)
  check('an invalid time stamp', () => ({ timeSignature: 'AAAA' }), 'unproven', unproven)
  check('a foreign time stamp', () => ({ timestampCert: other.strangerStamp }), 'unproven', unproven)
  check(
    'a time stamp of something else',
    () => ({ timeSignature: timeStamp('x', '20240229130800Z', stampKey).toString('base64') }),
    'unproven',
    unproven,
  )
  check(
    'a time stamp of an hour later',
    () => ({ timeSignature: timeStamp(String(good.signature), '20240229140800Z', stampKey).toString('base64') }),
    'unproven',
    unproven,
  )
  check(
    'signed when the certificate was no longer valid',
    () => ({ created: '2025-01-01T00:00:00Z' }),
    'unproven',
    unproven,
    unproven,
  )

  test('a time stamp that is truncated or changed anywhere is never accepted and never throws', () => {
    const [pem = ''] =
      /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(String(good.timestampCert)) ?? []
    const stamper = new X509Certificate(pem)
    const text = String(good.signature)
    const stamp = timeStamp(text, '20240229130800.5Z', stampKey)
    expect(readTimeStamp(stamp, text, stamper)).toEqual({
      timeMs: Date.UTC(2024, 1, 29, 13, 8, 0, 500),
      ofText: true,
      signed: true,
    })
    const imprintAt = stamp.indexOf(sha256(text))
    for (let length = 0; length < stamp.length; length++)
      expect(readTimeStamp(stamp.subarray(0, length), text, stamper)).toBeUndefined()
    const changed = Buffer.from(stamp)
    changed[imprintAt] = (changed[imprintAt] ?? 0) ^ 1
    expect(readTimeStamp(changed, text, stamper)).toMatchObject({ ofText: false, signed: false })
  })
})

test('DER: reads values and rejects malformed bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(30), fc.uint8Array({ maxLength: 300 }))), (values) => {
      const bytes = Buffer.concat(values.map(([tag, content]) => der(tag, content)))
      expect(derValues(bytes)?.map(({ tag, content }) => [tag, [...content]])).toEqual(
        values.map(([tag, content]) => [tag, [...content]]),
      )
    }),
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => void derValues(bytes)))
  for (const bytes of [[48], [48, 5, 0], [48, 0x80, 0, 0], [48, 0x85, 0, 0, 0, 0, 0], [31, 0]])
    expect(derValues(Buffer.from(bytes))).toBeUndefined()
  for (const id of ['1.2.840.113549.1.7.2', '2.16.840.1.101.3.4.2.3', '2.5.4.3', '0.9'])
    expect(objectIdOf(derValues(objectId(id))![0]!.content)).toBe(id)
})

const signed = 'webrecorder+py-wacz/tests/fixtures/valid_signed_example_1.wacz'
test.skipIf(!hasCorpora(signed))(
  'a package that authsign signed: right, and not once anything in it is another (needs ../shared)',
  async () => {
    const bytes = readFileSync(new URL(signed, corpora))
    const { zip } = await openWacz(sourceOf(bytes), bytes.length, () => undefined)
    const digest = await entryWhole(zip, zipEntry(zip, manifestDigestPath)!, 1e6, () => undefined)
    const { hash: signedHash, signedData } = JSON.parse(String(Buffer.from(digest!))) as {
      hash: string
      signedData: Signed
    }
    const check = (change: Signed, result: string) =>
      expect(proveSignature({ ...signedData, ...change }, signedHash).result).toBe(result)
    check({}, 'right')
    check({ domain: 'webrecorder.net' }, 'unproven')
    check({ created: '2022-01-18T19:11:00Z' }, 'unproven')
    check({ timestampCert: signedData.domainCert }, 'unproven')
    check({ domainCert: signedData.timestampCert }, 'wrong')
    expect(proveSignature(signedData, hash).result).toBe('wrong')
  },
)
