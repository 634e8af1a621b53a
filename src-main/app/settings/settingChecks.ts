/** Checks of single values of settings, and why one is refused. */
import type { z } from 'zod'
import { Fault } from '../../contract/calls/faults.ts'
import { problemOf, valueAt } from '../../contract/calls/refusedValue.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { nearest } from '../../contract/text/nearest.ts'
import type { SettingDeclaration } from '../../contract/services/settings.ts'
import { settingTable } from './settingTable.ts'

/** Returns the row of a setting. Throws `Fault` notFound, with the nearest known setting. */
export function rowOf(path: string): SettingDeclaration {
  const row = settingTable.find((candidate) => candidate.path === path)
  if (row) return row
  throw new Fault('notFound', unknownSetting(path))
}

/** Describes an unknown setting, with the nearest known one. */
export function unknownSetting(path: string): Message {
  const near = nearest(
    path,
    settingTable.map((row) => row.path),
  )
  return near === undefined ? message('setting.unknown', { path }) : message('setting.unknown.near', { path, near })
}

/** Returns the value in the form in which it is stored. Throws `Fault` badInput. */
export function checkedValue(row: SettingDeclaration, value: unknown): unknown {
  const checked = row.shape.safeParse(value)
  if (checked.success) return checked.data
  throw new Fault('badInput', settingRefusal(row.path, checked.error.issues, value))
}

/** Explains a refused value: the setting, the reason and the value. */
export function settingRefusal(path: string, [issue]: readonly z.core.$ZodIssue[], value: unknown): Message {
  if (!issue) throw new Error(`The value of ${path} was refused without an issue.`)
  const problem = problemOf(wholeNumberIn(issue), [path, ...issue.path].join('.'))
  return issue.code === 'invalid_key'
    ? problem
    : message('setting.wrong', { problem, value: shownValue(valueAt(value, issue.path)) })
}

/** Every number of the table is a whole one, but where zod finds another type it expects only a number. */
function wholeNumberIn(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  return issue.code === 'invalid_type' && issue.expected === 'number' ? { ...issue, expected: 'int' } : issue
}

/** Formats a value as JSON, shortened for a sentence. */
export function shownValue(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing')
}

/** Characters of a value quoted in a sentence: enough to find it. */
const shownCountMax = 80

/** Cuts a text after `shownCountMax` characters. */
export function shortened(text: string): string {
  return text.length > shownCountMax ? `${text.slice(0, shownCountMax)}…` : text
}
