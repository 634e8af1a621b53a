/** A regular expression as a person types it, read everywhere in the same way. Whether it ever ends is another matter: it is
 *  tried in a thread of its own. */
import { z } from 'zod'

export const patternShape = z.string().refine(isPattern, 'not a regular expression')

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
