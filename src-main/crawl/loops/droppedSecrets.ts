/** The dropped secrets loop: after sessions of logins were deleted, it empties the journal of the database, which still has them. Somebody
 *  may be reading from the journal just then; the next pass tries again. */
import { droppedSecrets } from '../capture/login/droppedSecrets.ts'
import type { Engine, Loop } from './engine.ts'

const everyMs = 1_000

export function droppedSecretsLoop({ store }: Engine): Loop {
  const forget = droppedSecrets(store)
  return { name: 'droppedSecrets', everyMs, pass: () => void forget() }
}
