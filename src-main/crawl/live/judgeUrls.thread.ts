/** Which of these addresses a rule rejects: for each the first that matches. Some expressions take for ever on some addresses:
 *  in a thread of its own it holds nobody up, and can be ended. */
import type { Task } from '../../world/world.ts'

export interface UrlsToJudge {
  patterns: readonly string[]
  urls: readonly string[]
}

export const task: Task<UrlsToJudge, (string | null)[]> = async (_, { patterns, urls }) => {
  const expressions = patterns.map((pattern) => ({ pattern, expression: new RegExp(pattern, 'u') }))
  return urls.map((url) => expressions.find(({ expression }) => expression.test(url))?.pattern ?? null)
}
