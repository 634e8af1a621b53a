/** Repeatable chance: the same seed gives the same numbers on every machine. Not for secrets. */
import type { Chance } from '../world.ts'

/** A stream of random numbers. */
export interface SeededChance extends Chance {
  /** Returns true with a probability of `perMille` in a thousand. */
  happens(perMille: number): boolean
  /** Returns another stream of numbers. Each part of the world has its own, so that one more latency drawn by the network
   *  does not change every number that the engine draws after it. */
  fork(): SeededChance
}

const wordCount = 2 ** 32

export function seededChance(seed: number): SeededChance {
  const word = sfc32(seed)
  /** 53 bits, the precision of a number. */
  const whole = () => (word() >>> 5) * 2 ** 26 + (word() >>> 6)
  const below = (bound: number) => {
    if (!Number.isSafeInteger(bound) || bound < 1) throw new Error(`chance below ${bound}`)
    // The remainder at the top would favour small numbers: such a value is drawn again.
    const fair = 2 ** 53 - (2 ** 53 % bound)
    for (;;) {
      const drawn = whole()
      if (drawn < fair) return drawn % bound
    }
  }
  return {
    below,
    uuid: () => uuidOf([word(), word(), word(), word()]),
    happens: (perMille) => below(1000) < perMille,
    fork: () => seededChance(below(wordCount)),
  }
}

/** Chris Doty-Humphrey's Small Fast Counter, 32 bits: passes PractRand, four words of state. */
function sfc32(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, Math.trunc(seed / wordCount) | 0, 0x9e3779b9 | 0, 1]
  const next = () => {
    const drawn = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + drawn) | 0
    return drawn >>> 0
  }
  // Seeds that differ in one bit give similar numbers at first; after a dozen rounds they no longer do.
  for (let round = 0; round < 15; round++) next()
  return next
}

/** Formats a UUID (RFC 9562, 5.4): version 4 in the seventh byte, variant `10` in the ninth. */
function uuidOf(words: [number, number, number, number]): string {
  const digits = words.map((word) => word.toString(16).padStart(8, '0')).join('')
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
