/** Finds patterns that an earlier version accepted and this one refuses, in a job's definition or among the rules of its
 *  queue. A run without them would fetch too much or too little, so the job pauses until a user has changed them. */
import { patternComplaints, type HarvestDefinition } from '../../contract/services/definition.ts'
import { patternComplaint } from '../../contract/shapes/pattern.ts'

/** Most patterns to name: enough to see what they have in common. */
const namedMax = 5

/** Returns the message to the user; undefined if every pattern can be used. */
export function unusablePatterns(
  definition: HarvestDefinition,
  rules: readonly { pattern: string }[],
): string | undefined {
  const inDefinition = patternComplaints(definition).map(
    ({ path, written, message }) => `${listTexts[String(path[0])] ?? 'The pattern'} ${written} is refused. ${message}`,
  )
  const inRules = rules.flatMap(({ pattern }) => {
    const message = patternComplaint(pattern)
    return message === null ? [] : [`The rule that rejects ${pattern} is refused. ${message}`]
  })
  const all = [...inDefinition, ...inRules]
  if (all.length === 0) return undefined
  const named = all.slice(0, namedMax).join(' ')
  const more = all.length > namedMax ? ` So are ${all.length - namedMax} more.` : ''
  const deeds = [
    ...(inDefinition.length > 0 ? ['change the definition'] : []),
    ...(inRules.length > 0 ? ['remove these rules from the queue'] : []),
  ]
  return `This job was created by an earlier version of Loupe and uses patterns that are no longer supported. ${named}${more} To go on, ${deeds.join(' and ')}, then resume the job.`
}

/** Description of a pattern by the first part of its path in the definition. */
const listTexts: Readonly<Record<string, string>> = {
  include: 'The include pattern',
  exclude: 'The exclude pattern',
  throttle: 'The throttle pattern',
  login: 'The login pattern',
}
