/** The timing of a harvest schedule as it is typed. */
import {
  harvestTiming,
  timingUnits,
  type HarvestTiming,
  type TimingUnit,
} from '../../../src-main/contract/services/harvestSchedules.ts'

export interface TimingDraft {
  unit: TimingUnit
  every: number | string
  /** Whether runs are at an exact time of the unit. */
  isExact: boolean
  /** `HH:MM`. */
  time: string
  /** From Sunday = 0. */
  dayOfWeek: number
  dayOfMonth: number | string
  /** `YYYY-MM-DDTHH:MM` in UTC; empty: none. */
  start: string
  ends: 'never' | 'at' | 'after'
  end: string
  runs: number | string
  timeZone: string
}

export function timingDraftOf(timing: HarvestTiming | null, zone: string): TimingDraft {
  const at = timing?.at
  const two = (number: number | undefined) => String(number ?? 0).padStart(2, '0')
  const input = (time: string | null | undefined) => time?.slice(0, 16) ?? ''
  return {
    unit: timing?.unit ?? 'day',
    every: timing?.every ?? 1,
    isExact: timing === null || (at !== null && at !== undefined),
    time: at ? `${two(at.hour)}:${two(at.minute)}` : '04:00',
    dayOfWeek: at?.dayOfWeek ?? 1,
    dayOfMonth: at?.dayOfMonth ?? 1,
    start: input(timing?.start),
    ends: timing?.end ? 'at' : timing?.runs ? 'after' : 'never',
    end: input(timing?.end),
    runs: timing?.runs ?? 10,
    timeZone: timing ? (timing.timeZone ?? 'UTC') : zone,
  }
}

/** The timing, or null while it is not complete. */
export function timingFrom(draft: TimingDraft): HarvestTiming | null {
  const [hour = NaN, minute = NaN] = draft.time.split(':').map(Number)
  const { dayOfWeek, dayOfMonth } = draft
  const exact = {
    minute: null,
    hour: { minute },
    day: { hour, minute },
    week: { dayOfWeek, hour, minute },
    month: { dayOfMonth, hour, minute },
  }[draft.unit]
  const moment = (typed: string) => (typed === '' ? null : `${typed}:00Z`)
  const timing = harvestTiming.safeParse({
    ...{ unit: draft.unit, every: draft.every, at: draft.isExact ? exact : null, start: moment(draft.start) },
    end: draft.ends === 'at' ? moment(draft.end) : null,
    runs: draft.ends === 'after' ? draft.runs : null,
    timeZone: draft.timeZone === 'UTC' ? null : draft.timeZone,
  })
  if (!timing.success || (draft.ends === 'at' && draft.end === '')) return null
  return timing.data
}

export function unitOf(text: string | null): TimingUnit | undefined {
  return timingUnits.find((unit) => unit === text)
}
