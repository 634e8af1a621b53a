/** Rules about how hard hosts may be asked, as they are typed. */
export interface ThrottleRuleDraft {
  /** Tells the rows apart when one between them is removed. */
  id: number
  match: string
  fetchesPerMinute: number | string
  connections: number | string
  /** The contract counts bytes. */
  kilobytesPerSecond: number | string
}

const bytesPerKilobyte = 1_000

export function emptyRule(id: number): ThrottleRuleDraft {
  return { id, match: '', fetchesPerMinute: '', connections: '', kilobytesPerSecond: '' }
}

export function throttleInput(rules: readonly ThrottleRuleDraft[]): object | undefined {
  if (rules.length === 0) return undefined
  return { rules: rules.map(ruleInput) }
}

function ruleInput({ match, fetchesPerMinute, connections, kilobytesPerSecond }: ThrottleRuleDraft): object {
  const bytesPerSecond =
    typeof kilobytesPerSecond === 'number' ? Math.round(kilobytesPerSecond * bytesPerKilobyte) : kilobytesPerSecond
  const limits = Object.entries({ fetchesPerMinute, connections, bytesPerSecond }).filter(([, value]) => value !== '')
  return { match: match.trim(), ...Object.fromEntries(limits) }
}

/** Where the schema complains: throttle.rules.2.connections is a field of the third rule, throttle.rules.2 the rule itself. */
export function throttlePlaceOf(path: readonly PropertyKey[]): { row: number; field: string } {
  const [, , row, field] = path
  const named = field === 'bytesPerSecond' ? 'kilobytesPerSecond' : field
  return { row: Number(row), field: named === undefined ? 'fetchesPerMinute' : String(named) }
}
