/** Whether a replica has room: its space rules, and the bytes on their way into it, which its free space does not show yet. */
import type { SpaceRules } from './replica.ts'

export interface Room {
  /** Sets the bytes aside and gives how to give them back; or says, as a sentence, why there is no room for them. */
  take(bytes: number, freeBytes: number | undefined): { refusal: string } | { giveBack: () => void }
}

export function room(replica: string, { freeBytesAfterMin, freeBytesToAcceptMin }: SpaceRules): Room {
  let takenBytes = 0
  return {
    take(bytes, freeBytes) {
      // A disk that does not say is asked by writing to it.
      const leftBytes = (freeBytes ?? Infinity) - takenBytes
      if (leftBytes < freeBytesToAcceptMin)
        return {
          refusal: `replica ${replica} takes no more files: ${leftBytes} bytes are free, ${freeBytesToAcceptMin} must be`,
        }
      if (leftBytes - bytes < freeBytesAfterMin)
        return {
          refusal: `no space in replica ${replica}: ${leftBytes} bytes are free, ${bytes} are needed and ${freeBytesAfterMin} must stay free`,
        }
      takenBytes += bytes
      return { giveBack: () => void (takenBytes -= bytes) }
    },
  }
}
