/** Which of these names a regular expression matches. Some expressions take for ever on some names: in a thread of its own
 *  it holds nobody up, and can be ended. */
import type { Task } from '../world/world.ts'
import { expressionOf } from './nameExpression.ts'

export interface NamesToMatch {
  pattern: string
  names: readonly string[]
}

export const task: Task<NamesToMatch, boolean[]> = async (_, { pattern, names }) => {
  const expression = expressionOf(pattern)
  return names.map((name) => expression.test(name))
}
