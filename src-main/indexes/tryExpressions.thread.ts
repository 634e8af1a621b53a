/** Which rows regular expressions let through. Some take for ever on some texts: in a thread of its own that holds nobody up,
 *  and can be ended. */
import type { Task } from '../world/world.ts'

export interface TextsToTry {
  expressions: readonly { text: string; negated: boolean }[]
  /** Of each row one text for each expression. */
  texts: readonly (readonly string[])[]
}

export const task: Task<TextsToTry, boolean[]> = async (_, { expressions, texts }) => {
  const made = expressions.map(({ text, negated }) => ({ expression: new RegExp(text, 'u'), negated }))
  return texts.map((row) => made.every(({ expression, negated }, at) => expression.test(row[at] ?? '') !== negated))
}
