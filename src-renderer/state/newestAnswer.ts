/** A question that is asked again and again may be answered in any order: no answer is shown after that to a later one. Not
 *  only the last question counts, or one whose answers take longer than the next question would never be answered. */

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
