/** A part of a file that can be unpacked on its own: a gzip member (RFC 1952) or a zstd frame (RFC 8878). WARC 1.1
 *  recommends a member for each record (annex D), so that an index can point at it; a member may also hold several
 *  records or part of one. */
import type { Finding } from '../rules/finding.ts'

/** A member while it is read. */
export interface Member {
  /** All of its content, when it is small and undamaged; otherwise undefined, and `next` returns the content in
   *  parts. */
  readonly content: Uint8Array | undefined
  /** Returns the next unpacked bytes, or undefined at the end. */
  next(): Promise<Uint8Array | undefined>
  /** Length in the file, in bytes, as far as the member has been read. */
  readonly length: number
  /** False once the member is found to be torn or damaged, or its checksum or size is found to be wrong. */
  readonly whole: boolean
  /** True when its end was found at the expected place, even if its checksum is wrong. */
  readonly complete: boolean
  readonly findings: Finding[]
  /** Releases the decompressor. Must be called when the member is not read to its end. */
  close(): void
}

/** Maximum content of a member that is unpacked at once, in bytes. A larger member is read as a stream. */
export const contentBytesMax = 8 * 1024 * 1024

/** Creates a member from content that is already unpacked. */
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
