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

/** How often a record repeats, by which its fields are shown: `custom` shows all of them. */
export const repeats = ['hourly', 'daily', 'weekly', 'monthly', 'custom'] as const
export type Repeat = (typeof repeats)[number]

/** The fields that are shown for a repetition. Any other is empty. */
export const fieldsOf: Record<Repeat, readonly ListedField[]> = {
  hourly: ['minutes'],
  daily: ['hours', 'minutes'],
  weekly: ['daysOfWeek', 'hours', 'minutes'],
  monthly: ['daysOfMonth', 'hours', 'minutes'],
  custom: listedFields,
}

export interface RecordDraft extends Record<ListedField, string[]> {
  repeat: Repeat
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

const noTimes = { daysOfWeek: [], daysOfMonth: [], months: [], years: '', hours: [], minutes: [] }

/** Times to begin with, at night; `custom` begins with those that were there. */
const times: Record<Exclude<Repeat, 'custom'>, Partial<RecordDraft>> = {
  hourly: { minutes: ['0'] },
  daily: { hours: ['2'] },
  weekly: { daysOfWeek: ['1'], hours: ['2'] },
  monthly: { daysOfMonth: ['1'], hours: ['2'] },
}

/** Chooses how often a record repeats. Window length, time zone and kind of run stay as they are. */
export function repeating(record: RecordDraft, repeat: Repeat): RecordDraft {
  return repeat === 'custom' ? { ...record, repeat } : { ...record, ...noTimes, ...times[repeat], repeat }
}

/** The repetition whose fields are those that have values; the one with the most of them is asked first. */
function repeatOf(record: Omit<RecordDraft, 'repeat'>): Repeat {
  const isSet = (field: ListedField) => record[field].length > 0
  const largest = { hourly: 'minutes', daily: 'hours', weekly: 'daysOfWeek', monthly: 'daysOfMonth' } as const
  const simple = (['monthly', 'weekly', 'daily', 'hourly'] as const).find((repeat) => {
    const shown = fieldsOf[repeat]
    return isSet(largest[repeat]) && listedFields.every((field) => shown.includes(field) || !isSet(field))
  })
  return record.years === '' ? (simple ?? 'custom') : 'custom'
}

/** What an empty field means: every value, if a smaller unit is given, and otherwise the first. */
export function emptyMeans(record: RecordDraft, field: ListedField): 'every' | 'zero' | 'first' {
  const ascending: readonly ListedField[] = ['minutes', 'hours', 'daysOfWeek', 'daysOfMonth', 'months']
  const isSmallerGiven = ascending.slice(0, ascending.indexOf(field)).some((smaller) => record[smaller].length > 0)
  if (isSmallerGiven || field === 'daysOfWeek') return 'every'
  return field === 'minutes' || field === 'hours' ? 'zero' : 'first'
}

/** Monday night: an example is easier to change than empty fields are to fill in. */
export function newRecord(id: number, timeZone: string): RecordDraft {
  return {
    id,
    ...noTimes,
    ...times.weekly,
    repeat: 'weekly',
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
  const draft = {
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
  return { ...draft, repeat: repeatOf(draft) }
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
