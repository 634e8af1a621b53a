/** Unpacks the beginning of a damaged member: enough of its content to see whether it begins with a record. */

/** Content bytes that are enough to see whether a record begins: more than its first line. */
export const beginBytes = 4096

/** Unpacks the beginning of a member. Returns undefined when the given bytes contain damage. */
export type UnpackBegin = (packed: Uint8Array) => Buffer | undefined

/** Unpacks as much as possible of a member before its damage, or less once `beginBytes` of content are found.
 *  `goodBytes` packed bytes are known to unpack and `badBytes` are known to fail; the boundary is found by
 *  bisection. Returns undefined when no content can be unpacked. */
export function beforeDamage(
  packed: Uint8Array,
  { goodBytes, badBytes }: { goodBytes: number; badBytes: number },
  unpack: UnpackBegin,
): Buffer | undefined {
  let [good, bad] = [goodBytes, Math.min(badBytes, packed.length)]
  let found: Buffer | undefined
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    const more = unpack(packed.subarray(0, middle))
    if (more === undefined) bad = middle
    else good = middle
    if (more !== undefined && more.length > 0) found = more
    if (more !== undefined && more.length >= beginBytes) break
  }
  return found
}
