/** Counts the users of each database, including those that wait for it, so that none in use is evicted. `users` maps the name
 *  of a selection to their number. */

/** Adds a user. Calling the returned function removes it again. */
export function countUse(users: Map<string, number>, selection: string): () => void {
  users.set(selection, (users.get(selection) ?? 0) + 1)
  let isLeft = false
  return () => {
    if (isLeft) return
    isLeft = true
    const others = (users.get(selection) ?? 1) - 1
    if (others === 0) users.delete(selection)
    else users.set(selection, others)
  }
}
