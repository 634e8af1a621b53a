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
  fetchesPerMinute: number | string
  connections: number | string
  /** Kilobytes (1,000 bytes); the contract uses bytes. */
  kilobytesPerSecond: number | string
}

const bytesPerKilobyte = 1_000

export function emptyRule(id: number): ThrottleRuleDraft {
  return { id, match: '', fetchesPerMinute: '', connections: '', kilobytesPerSecond: '' }
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

function ruleDraftOf(rule: ThrottleRule, id: number): ThrottleRuleDraft {
  const { match, fetchesPerMinute = '', connections = '', bytesPerSecond } = rule
  const kilobytesPerSecond = bytesPerSecond === undefined ? '' : bytesPerSecond / bytesPerKilobyte
  return { id, match, fetchesPerMinute, connections, kilobytesPerSecond }
}

function ruleInput({ match, fetchesPerMinute, connections, kilobytesPerSecond }: ThrottleRuleDraft): object {
  const bytesPerSecond =
    typeof kilobytesPerSecond === 'number' ? Math.round(kilobytesPerSecond * bytesPerKilobyte) : kilobytesPerSecond
  const limits = Object.entries({ fetchesPerMinute, connections, bytesPerSecond }).filter(([, value]) => value !== '')
  return { match: match.trim(), ...Object.fromEntries(limits) }
}
