/** Access tokens, and whether they agree with those of a document. Pure.
 *
 *  A user has tokens, each of one authority group. A document has allow and deny tokens of a group on up to three levels. As in ManifoldCF, a
 *  level agrees where the user has one of its allow tokens and none of its deny tokens, and every level that has tokens must agree
 *  (`security.ts`). */

/** Tokens of one level, without their group. */
export interface LevelTokens {
  allow: readonly string[]
  deny: readonly string[]
}

/** The token of an authority that cannot be reached. Every secured document of its group denies it, so that a missing answer hides. The name
 *  is ManifoldCF's. */
export const deadAuthorityToken = 'DEAD_AUTHORITY'

/** Returns a token with its group, as tokens are compared: GROUP:TOKEN, both encoded, so that no other pair gives the same text. */
export function qualified(group: string, token: string): string {
  return `${formEncoded(group)}:${formEncoded(token)}`
}

/** Encodes a text as Java's `URLEncoder`, which ManifoldCF and the programs that read its answers use: a space becomes `+`. */
export function formEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

/** Whether a level of a group agrees for a user with these tokens, each as GROUP:TOKEN. Without tokens it does. */
export function agrees(held: ReadonlySet<string>, group: string, tokens: LevelTokens): boolean {
  if (tokens.allow.length === 0 && tokens.deny.length === 0) return true
  const has = (token: string) => held.has(qualified(group, token))
  return !has(deadAuthorityToken) && !tokens.deny.some(has) && tokens.allow.some(has)
}
