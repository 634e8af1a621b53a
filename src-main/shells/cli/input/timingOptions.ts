/** The timing of a harvest's schedule as options: `--every "2 weeks" --at "mon 04:00"`. */
import { InvalidArgumentError } from 'commander'
import {
  timingUnits,
  type HarvestTiming,
  type TimeInUnit,
  type TimingUnit,
} from '../../../contract/services/harvestSchedules.ts'
import { textFor } from '../../../contract/words/render.ts'

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Reads an interval: `day`, `2 weeks`. */
export function interval(text: string): { every: number; unit: TimingUnit } {
  const [, digits = '1', name = ''] = /^(?:(\d{1,4})\s*)?([a-z]+?)s?$/i.exec(text.trim()) ?? []
  const unit = timingUnits.find((each) => each === name.toLowerCase())
  const every = Number(digits)
  if (unit === undefined || every < 1) throw new InvalidArgumentError(textFor('cli.word.interval'))
  return { every, unit }
}

/** Reads a time inside a unit: `:30` of an hour, `04:00` of a day, `mon 04:00` of a week, `31 04:00` of a month. */
export function timeInUnit(text: string): TimeInUnit {
  const [, day, hour, minute = ''] = /^(?:([a-z]+|\d{1,2})\s+)?(\d{1,2})?:(\d\d)$/i.exec(text.trim()) ?? []
  const dayOfWeek = day === undefined ? -1 : weekdays.indexOf(day.toLowerCase().slice(0, 3))
  const isKnown = day === undefined || dayOfWeek >= 0 || /^\d+$/.test(day)
  if (minute === '' || !isKnown) throw new InvalidArgumentError(textFor('cli.word.timeInUnit'))
  return {
    minute: Number(minute),
    ...(hour === undefined ? {} : { hour: Number(hour) }),
    ...(day === undefined ? {} : dayOfWeek >= 0 ? { dayOfWeek } : { dayOfMonth: Number(day) }),
  }
}

/** Options of `schedules add` and `schedules edit`. */
export interface TimingOptions {
  every?: { every: number; unit: TimingUnit }
  at?: TimeInUnit
  start?: string
  end?: string
  runs?: number
  timeZone?: string
}

/** Returns the parts of a timing that the options give. */
export function timingParts({ every, ...parts }: TimingOptions): Partial<HarvestTiming> {
  // Another unit has other parts of an exact time.
  return { ...(every && { ...every, at: null }), ...parts }
}
