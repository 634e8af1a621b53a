/** Throttling as it is typed. */
import type { HarvestDefinition } from '../../../src-main/contract/services/definition.ts'
import type { ThrottleRule } from '../../../src-main/contract/shapes/throttle.ts'

export interface ThrottleDraft {
  rules: ThrottleRuleDraft[]
  /** Empty means the value of the settings. */
  delayFactor: number | string
  delayMsMax: number | string
}

export const noThrottle: ThrottleDraft = { rules: [], delayFactor: '', delayMsMax: '' }

export interface ThrottleRuleDraft {
  /** Identifies the row in the form when one before it is removed. */
  id: number
  match: string
  /** What the rule is for. */
  description: string
  fetchesPerMinute: number | string
  connections: number | string
  /** Kilobytes (1,000 bytes); the contract uses bytes. */
  kilobytesPerSecond: number | string
}

const bytesPerKilobyte = 1_000

export function emptyRule(id: number): ThrottleRuleDraft {
  return { id, match: '', description: '', fetchesPerMinute: '', connections: '', kilobytesPerSecond: '' }
}

export function throttleInput({ rules, delayFactor, delayMsMax }: ThrottleDraft): object | undefined {
  const rests = Object.entries({ delayFactor, delayMsMax }).filter(([, value]) => value !== '')
  if (rules.length === 0 && rests.length === 0) return undefined
  return { rules: rules.map(ruleInput), ...Object.fromEntries(rests) }
}

export function throttleDraftOf(throttle: HarvestDefinition['throttle']): ThrottleDraft {
  const { rules = [], delayFactor = '', delayMsMax = '' } = throttle ?? {}
  return { rules: rules.map(ruleDraftOf), delayFactor, delayMsMax }
}

/** The row of the form for a rule. */
export function ruleDraftOf(rule: ThrottleRule, id: number): ThrottleRuleDraft {
  const { match, description = '', fetchesPerMinute = '', connections = '', bytesPerSecond } = rule
  const kilobytesPerSecond = bytesPerSecond === undefined ? '' : bytesPerSecond / bytesPerKilobyte
  return { id, match, description, fetchesPerMinute, connections, kilobytesPerSecond }
}

/** A row of the form as the contract takes it. */
export function ruleInput({ match, description, ...typed }: ThrottleRuleDraft): object {
  const { fetchesPerMinute, connections, kilobytesPerSecond } = typed
  const bytesPerSecond =
    typeof kilobytesPerSecond === 'number' ? Math.round(kilobytesPerSecond * bytesPerKilobyte) : kilobytesPerSecond
  const given = { description: description.trim(), fetchesPerMinute, connections, bytesPerSecond }
  return { match: match.trim(), ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')) }
}
