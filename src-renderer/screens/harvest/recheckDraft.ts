/** Rechecks as they are typed; an empty time means never. */
import type { z } from 'zod'
import type { recheckShape, Recheck } from '../../../src-main/contract/shapes/recheck.ts'

export const spanUnits = { minutes: 60, hours: 3_600, days: 86_400 } as const
type SpanUnit = keyof typeof spanUnits

export interface SpanDraft {
  length: number | string
  unit: SpanUnit
}

export const spanFields = ['intervalSeconds', 'intervalSecondsMax', 'expirySeconds', 'reseedSeconds'] as const
export type SpanField = (typeof spanFields)[number]

export type RecheckDraft = Pick<Recheck, 'type' | 'gone' | 'patience' | 'onHardFailure'> & Record<SpanField, SpanDraft>

/** Defaults of the contract. */
export const usualRecheck: RecheckDraft = {
  type: 'once',
  gone: 'atEnd',
  patience: 'brief',
  onHardFailure: 'skip',
  intervalSeconds: { length: 1, unit: 'days' },
  intervalSecondsMax: { length: '', unit: 'days' },
  expirySeconds: { length: '', unit: 'days' },
  reseedSeconds: { length: 1, unit: 'hours' },
}

type RecheckInput = z.input<typeof recheckShape>

/** Undefined when everything has its default. Input for continuous jobs is omitted for other jobs. */
export function recheckInput({ type, gone, patience, onHardFailure, ...spans }: RecheckDraft): object | undefined {
  const plain: RecheckInput = { type, gone, patience, onHardFailure }
  if (type === 'once') {
    const isUsual = gone === usualRecheck.gone && patience === 'brief' && onHardFailure === 'skip'
    return isUsual ? undefined : plain
  }
  return { ...plain, ...Object.fromEntries(spanFields.map((field) => [field, seconds(spans[field])])) }
}

export function recheckDraftOf(recheck: Recheck | undefined): RecheckDraft {
  if (!recheck) return usualRecheck
  const { type, gone, patience, onHardFailure } = recheck
  const plain = { ...usualRecheck, type, gone, patience, onHardFailure }
  if (type === 'once') return plain
  return { ...plain, ...Object.fromEntries(spanFields.map((field) => [field, spanOf(field, recheck[field])])) }
}

/** The largest unit in which the time is a whole number; times below a minute become a fraction of a minute. */
function spanOf(field: SpanField, length: number | null): SpanDraft {
  if (length === null) return { length: '', unit: usualRecheck[field].unit }
  const unit = (['days', 'hours'] as const).find((each) => length % spanUnits[each] === 0) ?? 'minutes'
  return { length: length / spanUnits[unit], unit }
}

function seconds({ length, unit }: SpanDraft): number | string | null {
  if (length === '') return null
  return typeof length === 'number' ? Math.round(length * spanUnits[unit]) : length
}
