/** A stretch of a file that unpacks by itself: a gzip member (RFC 1952) or a zstd frame (RFC 8878). Best practice is one for
 *  each record, so that an index can point at it; a member may also hold several records, or a part of one. */
import type { Finding } from '../rules/finding.ts'

export interface Member {
  /** All of its content, where it is small and came out whole. */
  readonly content: Uint8Array | undefined
  /** The next unpacked bytes, undefined at the end. */
  next(): Promise<Uint8Array | undefined>
  /** Bytes of the file that belong to it, as far as it was read. */
  readonly length: number
  /** False once it is known to be torn, damaged or to lie about its content. */
  readonly whole: boolean
  /** Its end was found where it should be, though its checksum may be wrong. */
  readonly complete: boolean
  readonly findings: Finding[]
  close(): void
}

/** A member that unpacks to more is read as a stream. */
export const contentBytesMax = 8 * 1024 * 1024

/** A member whose content is known at once. */
export function heldMember(content: Uint8Array, length: number, findings: Finding[]): Member {
  let given = false
  return {
    content,
    next() {
      const bytes = given || content.length === 0 ? undefined : content
      given = true
      return Promise.resolve(bytes)
    },
    length,
    whole: findings.length === 0,
    complete: true,
    findings,
    close: () => undefined,
  }
}
