/** Checks of single values of settings, and why one is refused. */
import type { z } from 'zod'
import { Fault } from '../../contract/calls/faults.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { nearest } from './nearest.ts'
import { settingTable, type SettingRow } from './settingTable.ts'

/** Returns the row of a setting. Throws `Fault` notFound, with the nearest known setting. */
export function rowOf(path: string): SettingRow {
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
export function checkedValue(row: SettingRow, value: unknown): unknown {
  const checked = row.shape.safeParse(value)
  if (checked.success) return checked.data
  throw new Fault('badInput', refusalOf(row, value))
}

/** Explains a refused value: the key, the reason and the value. */
export function refusalOf(row: SettingRow, value: unknown): Message {
  const issue = row.shape.safeParse(value).error?.issues[0]
  const steps = issue?.path ?? []
  const refused = steps.reduce<unknown>((at, step) => (isKeyed(at) ? at[step] : undefined), value)
  const wrong = { setting: [row.path, ...steps].join('.'), problem: problemIn(issue) }
  return issue?.code === 'invalid_key'
    ? message('setting.wrong', wrong)
    : message('setting.wrong.value', { ...wrong, value: shownValue(refused) })
}

function isKeyed(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null
}

/** Formats a value as JSON, shortened for a sentence. */
export function shownValue(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing')
}

/** Letters of a value quoted in a sentence: enough to find it. */
const shownCountMax = 80

export function shortened(text: string): string {
  return text.length > shownCountMax ? `${text.slice(0, shownCountMax)}…` : text
}

/** The reason for a refused key is one level deeper. */
function problemIn(issue: z.core.$ZodIssue | undefined): string {
  return (issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message) ?? 'wrong value'
}
