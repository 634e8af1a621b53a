/** Computes and parses digests as labelled in web archives: `sha1:` and base32 in WARC headers (WARC 1.1, 5.8),
 *  hexadecimal elsewhere. Which bytes of a record are digested is decided in records/blockDigests.ts. */
import { createHash, hash, type Hash } from 'node:crypto'

/** The algorithms that occur in web archives. SHA-1 is the usual one of WARC-Payload-Digest. */
export const digestAlgorithms = ['sha1', 'sha256', 'sha512', 'md5'] as const
export type DigestAlgorithm = (typeof digestAlgorithms)[number]

/** A running digest. Only one of `base32` and `hex` may be called, once, after the last `update`. */
export interface Digester {
  update(bytes: Uint8Array): void
  /** Returns the algorithm, a colon, and base32 in capitals, for example `sha1:…`. */
  base32(): string
  /** Returns the hexadecimal digits in lower case, without label. */
  hex(): string
}

/** Begins a digest. */
export function digester(algorithm: DigestAlgorithm): Digester {
  const running: Hash = createHash(algorithm)
  return {
    update: (bytes) => void running.update(bytes),
    base32: () => `${algorithm}:${base32(running.digest())}`,
    hex: () => running.digest('hex'),
  }
}

/** Returns the SHA-1 in the form of WARC headers: `sha1:` and 32 base32 digits. */
export function sha1Base32(chunks: Uint8Array[]): string {
  // One call for the usual single buffer is three times as fast as a Hash object for a page of 5 kB.
  if (chunks.length === 1 && chunks[0]) return `sha1:${base32(hash('sha1', chunks[0], 'buffer'))}`
  const running = digester('sha1')
  for (const chunk of chunks) running.update(chunk)
  return running.base32()
}

/** A digest with its algorithm. */
export interface LabelledDigest {
  algorithm: DigestAlgorithm
  /** Hexadecimal digits in lower case, so that different spellings of a digest compare equal. */
  hex: string
}

/** Parses a digest. WARC 1.1, 5.8, leaves the encoding open: base32 is usual, hexadecimal (Browsertrix) and base64
 *  occur. They are distinguished by length. Returns undefined when the label is unknown or the value is invalid. */
export function parseLabelledDigest(text: string): LabelledDigest | undefined {
  const colon = text.indexOf(':')
  const label = text.slice(0, colon).trim().toLowerCase().replace('-', '')
  const algorithm = digestAlgorithms.find((known) => known === label)
  if (!algorithm) return undefined
  const value = text.slice(colon + 1).trim()
  const bytes = digestBytes[algorithm]
  // Hexadecimal is the longest encoding. A header may have a megabyte of `=`, whose removal would take long.
  if (value.length > bytes * 2) return undefined
  const digits = value.replace(/=+$/, '')
  if (value.length === bytes * 2 && /^[0-9a-f]+$/i.test(value)) return { algorithm, hex: value.toLowerCase() }
  if (digits.length === Math.ceil((bytes * 8) / 5) && /^[a-z2-7]+$/i.test(digits))
    return { algorithm, hex: base32Bytes(digits.toUpperCase()).toString('hex') }
  if (digits.length === Math.ceil((bytes * 8) / 6) && /^[\w+/-]+$/.test(digits))
    return { algorithm, hex: Buffer.from(digits, 'base64').toString('hex') }
  return undefined
}

/** Returns a digest in the spelling of captures and indexes. */
export function spellDigest(digest: LabelledDigest): string {
  return `${digest.algorithm}:${base32(Buffer.from(digest.hex, 'hex'))}`
}

/** Returns a digest in the spelling of `named`, so that the user can compare both. */
export function spellLike(named: string, { algorithm, hex }: LabelledDigest): string {
  const colon = named.indexOf(':') + 1
  const value = named.slice(colon).trim()
  const bytes = digestBytes[algorithm]
  const label = named.slice(0, colon)
  if (value.length === bytes * 2 && /^[0-9a-f]+$/i.test(value))
    return `${label}${value === value.toUpperCase() ? hex.toUpperCase() : hex}`
  const binary = Buffer.from(hex, 'hex')
  if (value.replace(/=+$/, '').length === Math.ceil((bytes * 8) / 5)) {
    const digits = value.endsWith('=') ? base32(binary) : base32(binary).replace(/=+$/, '')
    return `${label}${value === value.toLowerCase() ? digits.toLowerCase() : digits}`
  }
  const digits = binary.toString(/[-_]/.test(value) ? 'base64url' : 'base64').replace(/=+$/, '')
  return `${label}${digits}${/=*$/.exec(value)?.[0] ?? ''}`
}

/** Length of each digest. */
const digestBytes: Record<DigestAlgorithm, number> = { sha1: 20, sha256: 32, sha512: 64, md5: 16 }

/** Alphabet of base32 (RFC 4648, 6). */
const base32Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** All 1024 pairs of digits, so that two are written at a time. */
const base32Pairs = Array.from(
  { length: 1024 },
  (_, pair) => base32Digits.charAt(pair >> 5) + base32Digits.charAt(pair & 31),
)

/** Encodes with padding (RFC 4648, 6): five bits per digit, two digits at a time. */
function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0x3ffff
    bits += 8
    if (bits < 10) continue
    bits -= 10
    text += base32Pairs[(held >> bits) & 1023] ?? ''
  }
  const digits = Math.ceil((bytes.length * 8) / 5)
  if (bits > 0) text += base32Pairs[(held << (10 - bits)) & 1023] ?? ''
  return text.slice(0, digits).padEnd(Math.ceil(digits / 8) * 8, '=')
}

/** Decodes digits in capitals, without padding. The bits after the last whole byte are dropped. */
function base32Bytes(digits: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const digit of digits) {
    held = ((held << 5) | base32Digits.indexOf(digit)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 255)
  }
  return Buffer.from(bytes)
}
