/** Names in a sentence: the first ones, and that there are more. */

/** Names in one sentence at most. */
export const namedMax = 5

/** Joins the first names. */
export function firstOf(names: readonly string[]): string {
  return [...names.slice(0, namedMax), ...(names.length > namedMax ? ['…'] : [])].join(', ')
}
