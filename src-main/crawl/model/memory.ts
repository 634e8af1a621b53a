/** Divides the memory of the harvester among the parts that would otherwise grow with the queue, with the number of jobs or
 *  with the answers of servers. Each share holds for all jobs together; when one is used up, the disk or the database is used
 *  instead, which costs time and loses nothing. */
import { knownUrls, type KnownUrls } from './knownUrls.ts'

/** The shares of the memory. */
export interface Memory {
  readonly known: KnownUrls
  /** Memory for answers that are still arriving or wait for their commit. */
  readonly answers: Allowance
}

/** A number of bytes from which amounts are taken and given back. */
export interface Allowance {
  /** Takes bytes; returns false, and takes nothing, if not enough are left. */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

/** Memory that the program takes while it harvests with a short queue: its code, its threads, pages being parsed, buffers of
 *  zlib, and garbage that V8 has not collected yet. Measured: 190 MB at rest, 320 MB at work (`bench/memory.ts`). */
const programBytes = 320_000_000
/** Least memory setting: with less nothing would be left to divide. */
export const memoryBytesMin = 384 * 1_048_576

/** Returns the shares. `bytesMax`: the setting. `cacheBytes`: the page cache of the database. */
export function memoryShares(bytesMax: number): Record<'cacheBytes' | 'knownBytes' | 'answerBytes', number> {
  const fifth = Math.floor((bytesMax - programBytes) / 5)
  return { cacheBytes: fifth, knownBytes: fifth, answerBytes: 2 * fifth }
}

/** Divides the memory of the setting `bytesMax`, which is at least `memoryBytesMin`. */
export function memoryOf(bytesMax: number): Memory {
  const { knownBytes, answerBytes } = memoryShares(bytesMax)
  return { known: knownUrls(knownBytes), answers: allowanceOf(answerBytes) }
}

/** Returns a part of an allowance. The whole part can be given back at once. */
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

/** Returns an allowance of `bytesMax` bytes. */
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
