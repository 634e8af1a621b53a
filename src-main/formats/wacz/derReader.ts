/** Reads the part of DER (X.690) that a time stamp needs: nested values, with all lengths checked. The values are
 *  interpreted in timeStamp.ts; certificates are read by Node. The indefinite length of BER is refused. A length that is
 *  not in its shortest form is accepted, against 10.1: a signature covers the bytes as they are. Why no package does
 *  this: docs/decisions/few-packages.md.
 *
 *      tag     1 byte; bit 6 (0x20) for a constructed value
 *      length  1 byte below 128, or 128 + n and n bytes, the highest first
 *      content */

/** A value with a tag of one byte. The arrays are views of the parsed bytes. */
export interface DerValue {
  tag: number
  content: Uint8Array
  /** Bytes including tag and length. */
  whole: Uint8Array
}

/** Tags of the types that time stamps use; 48 and 49 include the bit of constructed values. */
export const derTags = { integer: 2, octetString: 4, objectId: 6, generalizedTime: 24, sequence: 48, set: 49 } as const

/** Returns the tag of a constructed field with a context-specific number. */
export function derField(number: number): number {
  return 0xa0 + number
}

/** Returns the values that `bytes` consist of; undefined when they are not DER. */
export function derValues(bytes: Uint8Array): DerValue[] | undefined {
  const values: DerValue[] = []
  let at = 0
  while (at < bytes.length) {
    const value = derValueAt(bytes, at)
    if (!value) return undefined
    values.push(value)
    at += value.whole.length
  }
  return values
}

function derValueAt(bytes: Uint8Array, at: number): DerValue | undefined {
  const tag = bytes[at]
  const first = bytes[at + 1]
  // Tags of several bytes do not occur in time stamps.
  if (tag === undefined || first === undefined || (tag & 31) === 31) return undefined
  let from = at + 2
  let length = first
  if (first >= 128) {
    const digits = first - 128
    // No digits would be the indefinite length of BER; five would exceed any possible length.
    if (digits === 0 || digits > 4 || from + digits > bytes.length) return undefined
    length = Buffer.from(bytes.buffer, bytes.byteOffset + from, digits).readUIntBE(0, digits)
    from += digits
  }
  const to = from + length
  return to > bytes.length ? undefined : { tag, content: bytes.subarray(from, to), whole: bytes.subarray(at, to) }
}

/** Returns an object identifier in dotted form: `1.2.840.113549.1.7.2`. */
export function objectIdOf(content: Uint8Array): string {
  const numbers: number[] = []
  let held = 0
  for (const byte of content) {
    held = held * 128 + (byte & 127)
    if (byte < 128) {
      numbers.push(held)
      held = 0
    }
  }
  const first = numbers.shift() ?? 0
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...numbers].join('.')
}
