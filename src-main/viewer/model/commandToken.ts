/** Checks the command token of a viewing, which is sent as the proxy password or in a form. `commandProof.ts` describes what it
 *  proves. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares a guess with the token in constant time. */
export function isToken(guess: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(guess), digest(token))
}

/** The user name of the shared viewing, which browsers see without logging in. Only its command token is accepted as password. */
export const sharedUser = 'loupe'
