/** The dropped secrets loop: after login sessions were deleted, truncates the write-ahead log of the database, which still
 *  holds them. If a reader prevents that, the next pass tries again. */
import { droppedSecrets } from '../capture/login/droppedSecrets.ts'
import type { Engine, Loop } from './engine.ts'

const everyMs = 1_000

export function droppedSecretsLoop({ store }: Engine): Loop {
  const forget = droppedSecrets(store)
  return { name: 'droppedSecrets', everyMs, pass: () => void forget() }
}
