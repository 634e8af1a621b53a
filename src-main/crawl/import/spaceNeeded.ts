/** Checks that there is disk space for a file before it is imported: a full disk would stop all other jobs too. */
import { bytesMessage } from '../../contract/text/quantities.ts'
import { message } from '../../contract/words/message.ts'
import type { World } from '../../world/world.ts'
import { rejection, type Rejection } from './rejection.ts'

/** Disk space shared by the files that are being imported. */
export interface SpaceBudget {
  /** Runs `act` with `bytes` reserved; returns its result, or a rejection if there is not enough space. */
  during<T>(bytes: number, act: () => Promise<T>): Promise<T | Rejection>
}

/** Creates the budget of a folder. `freeBytesMin` bytes stay free on its disk; reserved bytes count as used. */
export function spaceBudgetIn(
  world: World,
  { folder, freeBytesMin }: { folder: string; freeBytesMin: number },
): SpaceBudget {
  let comingBytes = 0
  return {
    async during(bytes, act) {
      const freeBytes = await world.disk.freeBytes(folder)
      if (freeBytes - comingBytes - bytes < freeBytesMin) return tooLarge({ bytes, freeBytes, freeBytesMin })
      comingBytes += bytes
      try {
        return await act()
      } finally {
        comingBytes -= bytes
      }
    },
  }
}

function tooLarge({
  bytes,
  freeBytes,
  freeBytesMin,
}: Record<'bytes' | 'freeBytes' | 'freeBytesMin', number>): Rejection {
  const [needed, free, kept] = [bytesMessage(bytes), bytesMessage(freeBytes), bytesMessage(freeBytesMin)]
  return rejection(message('import.rejected.space', { needed, free, kept }), 'noSpace')
}
