/** Access tokens, and the decision that they lead to: who may see a document. Pure.
 *
 *  A user has tokens, each of one authority group. A document is secured by one group and has allow and deny tokens on up to three
 *  levels. As in ManifoldCF, a level agrees where the user has one of its allow tokens and none of its deny tokens, and every level that has
 *  tokens must agree. */

/** Levels of a document's tokens: its own, those of the folder or page that it belongs to, and those of the share that holds all of them. */
export const tokenLevels = ['document', 'parent', 'share'] as const
export type TokenLevel = (typeof tokenLevels)[number]

/** Tokens of one level, without their group. */
export interface LevelTokens {
  allow: readonly string[]
  deny: readonly string[]
}

/** What secures a document. */
export interface DocumentTokens {
  /** Name of the authority group. */
  group: string
  levels: Partial<Record<TokenLevel, LevelTokens>>
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

/** Whether a user with these tokens, each as GROUP:TOKEN, may see a document. A document that nothing secures, or without tokens on any level,
 *  is open to everyone. */
export function maySee(held: ReadonlySet<string>, document: DocumentTokens | undefined): boolean {
  if (document === undefined) return true
  const { group, levels } = document
  return tokenLevels.every((level) => agrees(held, group, levels[level]))
}

function agrees(held: ReadonlySet<string>, group: string, tokens: LevelTokens | undefined): boolean {
  if (tokens === undefined || (tokens.allow.length === 0 && tokens.deny.length === 0)) return true
  const has = (token: string) => held.has(qualified(group, token))
  return !has(deadAuthorityToken) && !tokens.deny.some(has) && tokens.allow.some(has)
}
