/** Counts the users of each database, including those that wait for it, so that none in use is evicted. `users` maps the name
 *  of a selection to their number. */

/** Adds a user. Calling the returned function removes it again. */
export function countUse(users: Map<string, number>, set: string): () => void {
  users.set(set, (users.get(set) ?? 0) + 1)
  let isLeft = false
  return () => {
    if (isLeft) return
    isLeft = true
    const others = (users.get(set) ?? 1) - 1
    if (others === 0) users.delete(set)
    else users.set(set, others)
  }
}
