/** Finds patterns that an earlier version accepted and this one refuses, in a job's definition or among the rules of its
 *  queue. A run without them would fetch too much or too little, so the job pauses until a user has changed them. */
import { joined } from '../../contract/words/joined.ts'
import { message, type Message, type MessageCode } from '../../contract/words/message.ts'
import { patternProblems, type HarvestDefinition } from '../../contract/services/definition.ts'
import { patternProblem } from '../../contract/shapes/pattern.ts'

/** Most patterns to name: enough to see what they have in common. */
const namedMax = 5

/** Returns the message to the user; undefined if every pattern can be used. */
export function unusablePatterns(
  definition: HarvestDefinition,
  rules: readonly { pattern: string }[],
): Message | undefined {
  const inDefinition = patternProblems(definition).map(({ path, written, message: problem }) =>
    message(refusedAs[String(path[0])] ?? 'job.pattern.other', { pattern: written, problem }),
  )
  const inRules = rules.flatMap(({ pattern }) => {
    const problem = patternProblem(pattern)
    return problem === null ? [] : [message('job.pattern.rule', { pattern, problem })]
  })
  const all = [...inDefinition, ...inRules]
  if (all.length === 0) return undefined
  const patterns = joined(all.slice(0, namedMax))
  const more = Math.max(0, all.length - namedMax)
  if (inRules.length === 0) return message('job.patterns.inDefinition', { patterns, more })
  return message(inDefinition.length === 0 ? 'job.patterns.inRules' : 'job.patterns.inBoth', { patterns, more })
}

/** The message for a pattern by the first part of its path in the definition. */
const refusedAs: Readonly<
  Record<string, MessageCode & `job.pattern.${'include' | 'exclude' | 'domains' | 'throttle' | 'login'}`>
> = {
  include: 'job.pattern.include',
  exclude: 'job.pattern.exclude',
  domains: 'job.pattern.domains',
  throttle: 'job.pattern.throttle',
  login: 'job.pattern.login',
}
