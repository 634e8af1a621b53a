/** Reads RFC 3161 time stamps: when a text existed, and whether the given certificate signed that. Whether the
 *  certificate is trusted cannot be decided from the file. */
import { createHash, verify, type X509Certificate } from 'node:crypto'
import { derField, derTags, derValues, objectIdOf, type DerValue } from './derReader.ts'

/** What a time stamp states, and whether that holds. */
export interface TimeStamp {
  timeMs: number
  /** True when the stamp covers the given text. */
  ofText: boolean
  /** True when the key of the certificate signed the stamp. */
  signed: boolean
}

/** Hash algorithms of RFC 5754 and RFC 3370 by object identifier. */
const hashes: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** Parses a time stamp. Returns undefined when `bytes` are not a time stamp. `certificate` is the one that should have signed
 *  it. */
export function readTimeStamp(bytes: Uint8Array, text: string, certificate: X509Certificate): TimeStamp | undefined {
  // CMS (RFC 5652, 5.1): SignedData consists of version, hash algorithms, signed content, optional certificates, and
  // signers.
  const signedData = tokenOf(bytes)
  const encapsulated = childrenOf(signedData?.[2])
  const stampBytes = childrenOf(encapsulated?.[1])?.[0]?.content
  const signer = childrenOf(childrenOf(signedData?.at(-1))?.[0])
  const stamp = stampBytes && childrenOf(derValues(stampBytes)?.[0])
  if (!stampBytes || !stamp || !signer) return undefined
  const timeMs = timeOf(stamp[4])
  if (timeMs === undefined) return undefined
  return { timeMs, ofText: isOfText(stamp[2], text), signed: isSigned(signer, stampBytes, certificate) }
}

/** Values within a constructed value; undefined when there is none or its content is not DER. */
function childrenOf(value: DerValue | undefined): DerValue[] | undefined {
  return value && derValues(value.content)
}

/** Returns the SignedData. A response consists of a status and the token (RFC 3161, 2.4.2); some writers store only
 *  the token. */
function tokenOf(bytes: Uint8Array): DerValue[] | undefined {
  const outer = childrenOf(derValues(bytes)?.[0])
  const token = outer?.[0]?.tag === derTags.objectId ? outer : childrenOf(outer?.[1])
  const [type, content] = token ?? []
  if (!type || objectIdOf(type.content) !== '1.2.840.113549.1.7.2') return undefined
  return childrenOf(childrenOf(content)?.[0])
}

/** Compares the MessageImprint, an algorithm and a hash, with the text. */
function isOfText(imprint: DerValue | undefined, text: string): boolean {
  const [algorithm, hashed] = childrenOf(imprint) ?? []
  const name = hashNamed(algorithm)
  if (name === undefined || !hashed) return false
  return createHash(name).update(text, 'latin1').digest().equals(hashed.content)
}

/** Name of the hash of an AlgorithmIdentifier as Node knows it; undefined for one that is not supported. */
function hashNamed(algorithm: DerValue | undefined): string | undefined {
  const id = childrenOf(algorithm)?.[0]
  return id ? hashes[objectIdOf(id.content)] : undefined
}

/** Verifies the signature, which covers the signed attributes as a SET; one of them is the hash of the content (RFC
 *  5652, 5.4). */
function isSigned(signer: DerValue[], content: Uint8Array, certificate: X509Certificate): boolean {
  const attributesAt = signer.findIndex(({ tag }) => tag === derField(0))
  const attributes = signer[attributesAt]
  const name = hashNamed(signer[attributesAt - 1])
  const signature = signer.slice(attributesAt).find(({ tag }) => tag === derTags.octetString)
  if (!attributes || name === undefined || !signature) return false
  const stated = messageDigestOf(attributes)
  if (!stated || !createHash(name).update(content).digest().equals(stated)) return false
  const asSet = Buffer.from(attributes.whole)
  asSet[0] = derTags.set
  return verify(name, asSet, certificate.publicKey, signature.content)
}

/** Returns the hash in the signed attribute message-digest (RFC 5652, 11.2). */
function messageDigestOf(attributes: DerValue): Uint8Array | undefined {
  for (const attribute of childrenOf(attributes) ?? []) {
    const [type, values] = childrenOf(attribute) ?? []
    if (type && objectIdOf(type.content) === '1.2.840.113549.1.9.4') return childrenOf(values)?.[0]?.content
  }
  return undefined
}

/** Parses a time such as `20220118190012Z`, with or without a fraction of a second. */
function timeOf(value: DerValue | undefined): number | undefined {
  if (value?.tag !== derTags.generalizedTime) return undefined
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(
    Buffer.from(value.content).toString('latin1'),
  )
  if (!digits) return undefined
  const [, year, month, day, hour, minute, second, part] = digits
  const timeMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${part ?? ''}Z`)
  return Number.isNaN(timeMs) ? undefined : timeMs
}
