/** How the content of a damaged member begins: enough of it to tell whether it begins a record. */

/** A record's first line and more. */
export const beginBytes = 4096

/** Unpacks the beginning of a member; undefined where damage shows in it. */
export type UnpackBegin = (packed: Uint8Array) => Buffer | undefined

/** What the longest beginning gives that can be unpacked, or a shorter one that gives `beginBytes`. It is longer than
 *  `goodBytes`, which unpack, and shorter than `badBytes`, which do not; found by bisection. Undefined when nothing comes out. */
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
