/** The schedule form as it is filled in, and the schedule made of it. All rules are the contract's. */
import {
  scheduleShape,
  type Schedule,
  type ScheduleRecord,
  type StartMethod,
} from '../../../src-main/contract/services/schedule.ts'

const durationUnits = { minutes: 1, hours: 60, days: 24 * 60 } as const
export type DurationUnit = keyof typeof durationUnits

/** Fields with values chosen from a list: numbers as text, or 'any'. */
export const listedFields = ['daysOfWeek', 'hours', 'minutes', 'daysOfMonth', 'months'] as const
export type ListedField = (typeof listedFields)[number]

export interface RecordDraft extends Record<ListedField, string[]> {
  /** Identifies the record in the form when one before it is removed. */
  id: number
  years: string
  timeZone: string
  /** Text as typed; empty: no end. */
  duration: number | string
  durationUnit: DurationUnit
  minimal: boolean
}

export interface ScheduleDraft {
  startMethod: StartMethod
  records: RecordDraft[]
}

export type DraftProblem = { id: number; field: 'years' | 'duration' | 'timeZone' }

export const presets = ['daily', 'weekly', 'monthly'] as const
export type Preset = (typeof presets)[number]

/** Sets the times of a record to a frequent case, at night. Window length, time zone and kind of run stay as they are. */
export function withPreset(record: RecordDraft, preset: Preset): RecordDraft {
  const days = { daily: {}, weekly: { daysOfWeek: ['1'] }, monthly: { daysOfMonth: ['1'] } }[preset]
  return { ...record, daysOfWeek: [], daysOfMonth: [], months: [], years: '', hours: ['2'], minutes: [], ...days }
}

/** Monday night: an example is easier to change than empty fields are to fill in. */
export function newRecord(id: number, timeZone: string): RecordDraft {
  return {
    id,
    daysOfWeek: ['1'],
    hours: ['2'],
    minutes: [],
    daysOfMonth: [],
    months: [],
    years: '',
    timeZone,
    duration: 3,
    durationUnit: 'hours',
    minimal: false,
  }
}

export function draftOf(schedule: Schedule | null, timeZone: string): ScheduleDraft {
  if (schedule === null) return { startMethod: 'WINDOWBEGIN', records: [newRecord(0, timeZone)] }
  return { startMethod: schedule.startMethod, records: schedule.records.map(recordDraft) }
}

function recordDraft(record: ScheduleRecord, id: number): RecordDraft {
  const { daysOfWeek, hours, minutes, daysOfMonth, months, years, timeZone, durationMinutes, minimal } = record
  const durationUnit = unitOf(durationMinutes)
  return {
    id,
    daysOfWeek: textsOf(daysOfWeek),
    hours: textsOf(hours),
    minutes: textsOf(minutes),
    daysOfMonth: textsOf(daysOfMonth),
    months: textsOf(months),
    years: textsOf(years).join(', '),
    timeZone: timeZone ?? 'UTC',
    duration: durationMinutes === null ? '' : durationMinutes / durationUnits[durationUnit],
    durationUnit,
    minimal,
  }
}

/** The largest unit in which the duration is a whole number. */
function unitOf(durationMinutes: number | null): DurationUnit {
  if (durationMinutes === null) return 'hours'
  return (['days', 'hours'] as const).find((unit) => durationMinutes % durationUnits[unit] === 0) ?? 'minutes'
}

function textsOf(values: ScheduleRecord['hours']): string[] {
  if (values === null) return []
  return values === 'any' ? ['any'] : values.map(String)
}

/** The input for the contract's schema. */
export function scheduleInput(draft: ScheduleDraft): object {
  return {
    startMethod: draft.startMethod,
    records: draft.records.map((record) => ({
      ...Object.fromEntries(listedFields.map((field) => [field, valuesOf(record[field])])),
      years: valuesOf(record.years.split(',').filter((year) => year.trim() !== '')),
      timeZone: record.timeZone === 'UTC' ? null : record.timeZone,
      durationMinutes: minutesOf(record),
      minimal: record.minimal,
    })),
  }
}

export function scheduleFrom(draft: ScheduleDraft): { schedule: Schedule } | { problem: DraftProblem } {
  const checked = scheduleShape.safeParse(scheduleInput(draft))
  if (checked.success) return { schedule: checked.data }
  const [, index, name] = checked.error.issues[0]?.path ?? []
  const id = draft.records[typeof index === 'number' ? index : 0]?.id ?? 0
  const field = name === 'durationMinutes' ? 'duration' : name === 'timeZone' ? 'timeZone' : 'years'
  return { problem: { id, field } }
}

function valuesOf(texts: readonly string[]): number[] | 'any' | null {
  if (texts.length === 0) return null
  return texts.some((text) => text.trim() === 'any')
    ? 'any'
    : texts.map((text) => (/^\s*\d+\s*$/.test(text) ? Number(text) : NaN))
}

function minutesOf({ duration, durationUnit }: RecordDraft): number | null {
  return duration === '' ? null : Number(duration) * durationUnits[durationUnit]
}
