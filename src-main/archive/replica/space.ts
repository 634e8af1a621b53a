/** Tracks the space of a replica: its limits and the bytes being written to it, which its free space does not show yet. */
import type { SpaceRules } from './replica.ts'

/** The free space of a replica, with reservations. */
export interface Room {
  /** Reserves the bytes and returns a function that releases them, or a sentence that says why there is not enough space. */
  take(bytes: number, freeBytes: number | undefined): { refusal: string } | { giveBack: () => void }
}

export function room(replica: string, { freeBytesAfterMin, freeBytesToAcceptMin }: SpaceRules): Room {
  let takenBytes = 0
  return {
    take(bytes, freeBytes) {
      // If the free space is unknown, the write is attempted.
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
