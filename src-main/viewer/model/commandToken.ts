/** The command token of a viewing, as the password of a proxy connection or in a form. What it proves is said in `commandProof.ts`. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether a guess is this token, in a time that does not say how much of it was right. */
export function isToken(guess: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(guess), digest(token))
}

/** The user name for the viewing that browsers see without a name: only its command token is a password for it. */
export const sharedUser = 'loupe'
