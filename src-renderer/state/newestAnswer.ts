/** Repeated requests may be answered in any order. An answer is dropped only when the answer to a later request was shown, since with slow
 *  answers the last request alone would never be answered. */

/** Called with each request. The returned function is called with the answer and says whether it is the newest. */
export function newestAnswer(): () => () => boolean {
  let asked = 0
  let shown = 0
  return () => {
    asked += 1
    const question = asked
    return () => {
      if (question < shown) return false
      shown = question
      return true
    }
  }
}
