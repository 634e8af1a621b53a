/** The secret erasure loop: after login sessions were deleted, truncates the write-ahead log of the database, which still
 *  holds them. If a reader prevents that, the next pass tries again. */
import { secretEraser } from '../capture/login/secretEraser.ts'
import type { Engine, Loop } from './engine.ts'

const everyMs = 1_000

export function secretErasureLoop({ store }: Engine): Loop {
  const erase = secretEraser(store)
  return { name: 'secretErasure', everyMs, pass: () => void erase() }
}
