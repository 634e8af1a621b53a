/** Who uses a database, or waits for it: none of those is let go. `users`: by the name of its selection, how many. */

/** Once it is left, it is not in use by this one any more. */
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
