/** Which rules made the keys of an index. Two indexes may be merged, and an index may be asked, only where the rules are
 *  the same: a key made by other rules is not found, and no error shows it. So each index carries the name of its rules.
 *
 *  A change of the output of `surt` or `foldRequest` for any input requires a new number; `canonicaliser.test.ts` complains
 *  when the keys of its table change under the same number. */

/** URLs as `surt` has them, and requests other than GET folded in as `foldRequest` does. */
export const canonicaliserVersion = 'surt-1+request-1'

/** URLs alone: captures of one address lie under one key, whatever was asked by. */
export const canonicaliserVersionOfUrls = 'surt-1'

/** The first line of a CDXJ file. It has the form of the `!meta` lines of pywb's ZipNum indexes: `!` sorts before every
 *  key, and readers that look up keys pass it by. */
export function cdxjHeader(canonicaliser: string): string {
  return `!meta 0 ${JSON.stringify({ format: 'cdxj', canonicaliser })}`
}

/** The rules that a header line names. Undefined: it is none, or names none, so the keys may have been made anyhow. */
export function canonicaliserOf(line: string): string | undefined {
  if (!line.startsWith('!meta ')) return undefined
  return /"canonicaliser": ?"([^"\\]*)"/.exec(line)?.[1]
}

/** CDXJ files of others begin with such lines too (`!context`, `!id`, `!keys`, `!meta`). They are no captures. */
export function isCdxjHeader(line: string): boolean {
  return line.startsWith('!')
}
