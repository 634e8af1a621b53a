/** What connectors answer, and what a request is put together from. Pure. */
import type { AuthorityAnswer, AuthorityStatus, UserAccess } from '../../contract/services/authorities.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { deadAuthorityToken, qualified } from './tokens.ts'

/** What an authority knows about a user. */
export interface Answer {
  status: AuthorityStatus
  /** Without the group. */
  tokens: readonly string[]
  /** Why there is no better answer; absent: it needs no explanation. */
  problem?: Message
}

/** What a mapping made of a user name: another name, none (the user is unknown), or why it failed. */
export type MappedUser = { user: string | undefined } | { problem: Message }

/** Most tokens of one answer, and characters of one token. An answer beyond them is not shortened, because what is left out could be a token
 *  that denies. */
const tokensMax = 10_000
const tokenCharactersMax = 1_000

/** Makes the answer of an authority that cannot be asked. Its token hides what its group secures. */
export function unreachable(problem: Message): Answer {
  return { status: 'UNREACHABLE', tokens: [deadAuthorityToken], problem }
}

/** Makes the answer of an authority whose mapping failed: there is no user to ask about. What the authority would have denied is not known, so
 *  the answer hides what its group secures. */
export function unmapped(problem: Message): Answer {
  return { status: 'USERNOTFOUND', tokens: [deadAuthorityToken], problem }
}

/** The answer about a user that is not known. */
export const userNotFound: Answer = { status: 'USERNOTFOUND', tokens: [] }

/** Checks an answer of a connector. One beyond the bounds is none; an unreachable authority hides, whatever tokens its connector gives. */
export function checkedAnswer(answer: Answer): Answer {
  if (answer.status === 'UNREACHABLE') return { ...answer, tokens: [deadAuthorityToken] }
  if (answer.tokens.length > tokensMax)
    return unreachable(message('authority.tokensMany', { count: answer.tokens.length, most: tokensMax }))
  if (answer.tokens.some(({ length }) => length > tokenCharactersMax))
    return unreachable(message('authority.tokenLong', { most: tokenCharactersMax }))
  return answer
}

/** Puts the answers together: the tokens are the union over all connections, sorted, each once. */
export function assembled(answers: readonly AuthorityAnswer[]): UserAccess {
  const tokens = new Set(answers.flatMap(({ group, tokens }) => tokens.map((token) => qualified(group, token))))
  return { tokens: [...tokens].sort(), answers: [...answers] }
}
