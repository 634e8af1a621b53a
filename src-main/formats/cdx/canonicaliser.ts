/** Names the rules by which the keys of an index were made. Indexes may be merged or queried only when their rules
 *  are the same: a key made by other rules is not found, and no error indicates it. Each index therefore carries the
 *  name of its rules.
 *
 *  A change in the output of `surt` or `foldRequest` for any input requires a new number; `canonicaliser.test.ts`
 *  fails when the keys of its table change under the same number. */

/** Keys by `surt`, with requests other than GET folded in by `foldRequest`. */
export const canonicaliserVersion = 'surt-1+request-1'

/** Keys of URLs only: all captures of a URL have the same key, whatever the request was. */
export const canonicaliserVersionOfUrls = 'surt-1'

/** Returns the first line of a CDXJ file. It has the form of the `!meta` lines in pywb's ZipNum indexes: `!` sorts
 *  before every key, and readers that look up keys skip it. */
export function cdxjHeader(canonicaliser: string): string {
  return `!meta 0 ${JSON.stringify({ format: 'cdxj', canonicaliser })}`
}

/** Returns the rules named in a header line; undefined when the line is no header or names none, so that the rules
 *  are unknown. */
export function canonicaliserOf(line: string): string | undefined {
  if (!line.startsWith('!meta ')) return undefined
  return /"canonicaliser": ?"([^"\\]*)"/.exec(line)?.[1]
}

/** Returns true for a header line. CDXJ files of other programs have such lines too (`!context`, `!id`, `!keys`,
 *  `!meta`). */
export function isCdxjHeader(line: string): boolean {
  return line.startsWith('!')
}
