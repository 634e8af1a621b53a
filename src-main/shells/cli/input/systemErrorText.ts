/** Text of the errors of the operating system. */
import { getSystemErrorMap } from 'node:util'
import { messageOf } from '../../../contract/text/messageOf.ts'

/** Returns what the operating system says about an error, such as "permission denied", without its code and the path. */
export function systemErrorText(error: unknown): string {
  const number = error instanceof Error && 'errno' in error ? error.errno : undefined
  const [, text] = (typeof number === 'number' && getSystemErrorMap().get(number)) || []
  return text ?? messageOf(error)
}
