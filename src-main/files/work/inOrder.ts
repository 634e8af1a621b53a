/** Concurrent work on many items whose results come in the order of the items. */

/** Limits of the concurrent work. */
export interface InOrderOptions {
  /** Number of items processed at the same time. */
  atOnce: number
  /** Number of items that may be started or finished after the one whose result is awaited: their results are held. */
  aheadMax: number
}

/** Yields the results. Rejects with the error of the first failed item in order; to end the others, abort them. */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  { atOnce, aheadMax }: InOrderOptions,
): AsyncGenerator<Result> {
  const left = items[Symbol.iterator]()
  const begun: Promise<Result>[] = []
  let working = 0
  const fill = () => {
    while (working < atOnce && begun.length < aheadMax) {
      const step = left.next()
      if (step.done) return
      working += 1
      const result = work(step.value).finally(() => {
        working -= 1
        fill()
      })
      // Awaited in its turn; until then it must not count as unhandled.
      void result.catch(() => undefined)
      begun.push(result)
    }
  }
  fill()
  try {
    for (let result = begun[0]; result; result = begun[0]) {
      const value = await result
      void begun.shift()
      fill()
      yield value
    }
  } finally {
    // The consumer has left: nothing new is started.
    working = Infinity
  }
}
