/** Tracks the space of a replica: its limits and the bytes being written to it, which its free space does not show yet. */
import { message, type Message } from '../../contract/words/message.ts'
import type { SpaceRules } from './replica.ts'

/** The free space of a replica, with reservations. */
export interface Room {
  /** Reserves the bytes and returns a function that releases them, or the reason why there is not enough space. */
  take(bytes: number, freeBytes: number | undefined): { refusal: Message } | { giveBack: () => void }
}

/** Creates the space of one replica. `replica` is the name in the reasons. */
export function room(replica: string, { freeBytesAfterMin, freeBytesToAcceptMin }: SpaceRules): Room {
  let takenBytes = 0
  return {
    take(bytes, freeBytes) {
      // If the free space is unknown, the write is attempted.
      const leftBytes = (freeBytes ?? Infinity) - takenBytes
      if (leftBytes < freeBytesToAcceptMin)
        return {
          refusal: message('replica.full', { replica, free: leftBytes, needed: freeBytesToAcceptMin }),
        }
      if (leftBytes - bytes < freeBytesAfterMin)
        return {
          refusal: message('replica.noSpace', { replica, free: leftBytes, bytes, reserve: freeBytesAfterMin }),
        }
      takenBytes += bytes
      return { giveBack: () => void (takenBytes -= bytes) }
    },
  }
}
