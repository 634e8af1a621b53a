/** A reproducible random number generator: the same seeds give the same numbers, so that an input is identified by its number. */

/** Random numbers that depend only on the given seeds. */
export class Dice {
  #state: number

  constructor(...seeds: number[]) {
    let state = 0x9e3779b9
    for (const seed of seeds) state = mixed((state ^ seed) >>> 0)
    this.#state = state
  }

  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    return Math.floor((mixed(this.#state) / 2 ** 32) * bound)
  }

  /** True once in `times` calls on average. */
  oneIn(times: number): boolean {
    return this.below(times) === 0
  }

  /** A length from 1 to `max`, with all orders of magnitude equally likely. */
  length(max: number): number {
    return Math.min(max, 1 + this.below(2 ** this.below(1 + Math.ceil(Math.log2(max + 1)))))
  }

  /** An element of the list; each is equally likely. The list must not be empty. */
  of<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)]
    if (chosen === undefined) throw new Error('there is nothing to choose from')
    return chosen
  }
}

/** The finaliser of MurmurHash3: each bit of the input changes about half of the bits of the result. */
function mixed(value: number): number {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
