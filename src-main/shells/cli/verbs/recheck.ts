/** Conversion of the recheck options of `loupe harvest` to a part of the harvest definition. */
import { Fault } from '../../../contract/calls/faults.ts'
import type { RecheckOptions } from '../input/recheckOptions.ts'
import { kebabCase } from '../input/optionName.ts'
import { message } from '../../../contract/words/message.ts'

const ofContinuous = {
  interval: 'intervalSeconds',
  intervalMax: 'intervalSecondsMax',
  expiry: 'expirySeconds',
  reseed: 'reseedSeconds',
} as const

/** Replaces the recheck options by `recheck`, which is absent if none was given. Throws `Fault` badInput. */
export function withRecheck<Asked extends RecheckOptions>(asked: Asked): Omit<Asked, keyof RecheckOptions> {
  const { continuous, interval, intervalMax, expiry, reseed, gone, patience, onHardFailure, ...rest } = asked
  const spans = Object.entries({ interval, intervalMax, expiry, reseed }).filter(([, value]) => value !== undefined)
  const [first] = spans
  if (first && !continuous)
    throw new Fault('badInput', message('cli.option.continuous', { option: kebabCase(first[0]) }))
  const named = spans.map(([name, value]) => [
    ofContinuous[name as keyof typeof ofContinuous],
    value === 'never' ? null : value,
  ])
  const others = Object.entries({ gone, patience, onHardFailure }).filter(([, value]) => value !== undefined)
  const recheck = Object.fromEntries([...(continuous ? [['type', 'continuous']] : []), ...named, ...others]) as object
  return { ...rest, ...(Object.keys(recheck).length === 0 ? {} : { recheck }) }
}

/** Returns the name, as in `RecheckOptions`, of the option that sets this field of `recheck`. */
export function recheckOption(field: string): string {
  if (field === 'type') return 'continuous'
  return Object.entries(ofContinuous).find(([, each]) => each === field)?.[0] ?? field
}
