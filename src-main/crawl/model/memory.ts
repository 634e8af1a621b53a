/** The memory of the harvester, shared out among what would otherwise grow with the queue, with the number of jobs or with what
 *  servers send. The shares hold for all jobs together; where one is used up the disk or the database is asked instead, which
 *  costs time and loses nothing. */
import { knownUrls, type KnownUrls } from './knownUrls.ts'

export interface Memory {
  readonly known: KnownUrls
  /** Memory for answers that are still arriving or wait for their commit. */
  readonly answers: Allowance
}

/** A number of bytes that may be taken at a time. */
export interface Allowance {
  /** False, and nothing taken, when there are not so many left. */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

/** What the program takes while it harvests with a short queue: its code, its threads, pages that are looked through, buffers
 *  of zlib, and what V8 has not cleared away yet. Measured: 190 MB at rest, 320 MB at work (`bench/memory.ts`). */
const programBytes = 320_000_000
/** Below this nothing would be left to be shared out. */
export const memoryBytesMin = 384 * 1_048_576

/** `bytesMax`: the setting. `cacheBytes`: pages of the database. */
export function memoryShares(bytesMax: number): Record<'cacheBytes' | 'knownBytes' | 'answerBytes', number> {
  const fifth = Math.floor((bytesMax - programBytes) / 5)
  return { cacheBytes: fifth, knownBytes: fifth, answerBytes: 2 * fifth }
}

export function memoryOf(bytesMax: number): Memory {
  const { knownBytes, answerBytes } = memoryShares(bytesMax)
  return { known: knownUrls(knownBytes), answers: allowanceOf(answerBytes) }
}

/** A part of an allowance, all of which can be given back at once. */
export function partOf(whole: Allowance): Allowance & { giveAllBack(): void } {
  let taken = 0
  const giveBack = (bytes: number): void => {
    taken -= bytes
    whole.giveBack(bytes)
  }
  return {
    take(bytes) {
      if (!whole.take(bytes)) return false
      taken += bytes
      return true
    },
    giveBack,
    giveAllBack: () => giveBack(taken),
  }
}

export function allowanceOf(bytesMax: number): Allowance {
  let taken = 0
  return {
    take(bytes) {
      if (taken + bytes > bytesMax) return false
      taken += bytes
      return true
    },
    giveBack(bytes) {
      taken -= bytes
    },
  }
}
