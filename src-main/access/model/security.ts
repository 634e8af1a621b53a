/** Security rules applied to captures. Pure. A capture has, on each level of each group, the tokens of the rule that decides there
 *  (`captureRules.ts`). Every group must agree (`tokens.ts`). */
import type { GroupDecision, SecurityRule } from '../../contract/services/security.ts'
import { tokenLevels } from '../../contract/shapes/choices.ts'
import {
  orderedRules,
  shownCaptures,
  type CaptureRule,
  type RuledCapture,
  type ShownCaptures,
} from '../../formats/cdx/captureRules.ts'
import { agrees } from './tokens.ts'

/** What one user may see. */
export interface Sight extends ShownCaptures {
  /** No rule hides anything from the user, so that nothing has to be looked at. */
  readonly everything: boolean
  /** What the security rules mean for this user. */
  readonly rules: readonly CaptureRule[]
}

/** Sight of whoever may see everything. */
export const sightOfEverything: Sight = { everything: true, rules: [], capture: () => true, wholeJob: () => true }

/** What a user with these tokens, each as GROUP:TOKEN, may see. */
export function sightOf(all: readonly SecurityRule[], held: ReadonlySet<string>): Sight {
  const rules = all.map((rule) => ({ ...placed(rule), isShown: agrees(held, rule.group, rule) }))
  if (rules.every(({ isShown }) => isShown)) return sightOfEverything
  return { everything: false, rules, ...shownCaptures(rules) }
}

function placed({ job, surtPrefix, level, group }: SecurityRule): Omit<CaptureRule, 'isShown'> {
  return { job, surtPrefix, place: `${level} ${group}` }
}

/** The decisions of all groups that secure a capture, by name. */
export function groupDecisions(
  all: readonly SecurityRule[],
  held: ReadonlySet<string>,
  capture: RuledCapture,
): GroupDecision[] {
  const deciding = orderedRules(all.map((rule) => ({ ...placed(rule), rule }))).deciding(capture)
  const byGroup = Map.groupBy(deciding, ({ rule }) => rule.group)
  return [...byGroup]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, chosen]) => {
      const levels = tokenLevels.flatMap((level) =>
        chosen
          .filter(({ rule }) => rule.level === level)
          .map(({ rule }) => ({ level, rule, isAgreed: agrees(held, group, rule) })),
      )
      return { group, levels, isAgreed: levels.every(({ isAgreed }) => isAgreed) }
    })
}
