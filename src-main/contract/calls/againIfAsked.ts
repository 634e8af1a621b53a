/** Work that covers everything that happened before it began, such as bringing a table up to date. */

/** Returns a function that does the work, and does it once more if it is called meanwhile. The calls share the work: each resolves when the
 *  last of it has ended, or rejects with its error. */
export function againIfAsked(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined
  let isAskedAgain = false

  async function all(): Promise<void> {
    try {
      do {
        isAskedAgain = false
        await work()
      } while (isAskedAgain)
    } finally {
      underWay = undefined
    }
  }

  return () => {
    isAskedAgain = true
    underWay ??= all()
    return underWay
  }
}
