/** A minimal perfect hash function, as one of the formats that `dedupPoint.ts` compares: it gives each of n keys a number of its own below n.
 *  Built in levels of bits (Limasset and others, "Fast and scalable minimal perfect hashing for massive key sets", 2017): a key whose bit no
 *  other key has is done, and the others go on to the next level. */

/** The number of a key; any number for a key that the function was not built for. */
export type PerfectHash = (key: bigint) => number

/** Bits of a level per key that reaches it. */
const bitsPerKey = 2
/** Bits between two counts of the bits before them. */
const rankedBits = 512

interface Level {
  /** Number of bits. */
  size: number
  bits: Uint32Array
  /** Bits that are set before each `rankedBits`th, in this level and those before it. */
  ranks: Float64Array
}

/** Builds the function of keys that all differ. */
export function perfectHashOf(keys: BigUint64Array): PerfectHash {
  const levels: Level[] = []
  let numbered = 0
  for (let left = keys; left.length > 0;) {
    const { level, collided } = levelOf(left, levels.length, numbered)
    levels.push(level)
    numbered += left.length - collided.length
    left = collided
  }
  return (key) => {
    for (const [seed, { size, bits, ranks }] of levels.entries()) {
      const at = placeOf(key, seed, size)
      if (hasBit(bits, at)) return (ranks[Math.floor(at / rankedBits)] ?? 0) + setBits(bits, at)
    }
    return 0
  }
}

function levelOf(keys: BigUint64Array, seed: number, numbered: number): { level: Level; collided: BigUint64Array } {
  const size = Math.ceil((keys.length * bitsPerKey) / rankedBits) * rankedBits
  const [seen, twice] = [new Uint32Array(size / 32), new Uint32Array(size / 32)]
  for (const key of keys) {
    const at = placeOf(key, seed, size)
    setBit(hasBit(seen, at) ? twice : seen, at)
  }
  const collided = keys.filter((key) => hasBit(twice, placeOf(key, seed, size)))
  const bits = seen.map((word, at) => word & ~(twice[at] ?? 0))
  const ranks = new Float64Array(size / rankedBits)
  let before = numbered
  for (const block of ranks.keys()) {
    ranks[block] = before
    before += setBits(bits, (block + 1) * rankedBits - 1) + (hasBit(bits, (block + 1) * rankedBits - 1) ? 1 : 0)
  }
  return { level: { size, bits, ranks }, collided }
}

function hasBit(bits: Uint32Array, at: number): boolean {
  return ((bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0
}

function setBit(bits: Uint32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31))
}

/** Bits that are set between the last counted one and `at`. */
function setBits(bits: Uint32Array, at: number): number {
  let count = 0
  const last = at >>> 5
  for (let word = Math.floor(at / rankedBits) * (rankedBits / 32); word < last; word++) count += ones(bits[word] ?? 0)
  return count + ones((bits[last] ?? 0) & ((1 << (at & 31)) - 1))
}

function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** Bit of a key in the level: the key and the level mixed as MurmurHash3 does. */
function placeOf(key: bigint, seed: number, size: number): number {
  const low = mixed(Number(key & 0xffff_ffffn) ^ Math.imul(seed + 1, 0x9e37_79b1))
  const high = mixed(Number(key >> 32n) ^ low)
  return Math.floor((high / 2 ** 32) * size)
}

function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}
