/** The text of loupe.toml: its values, the problems in it, and changes of single values that leave the rest as it
 *  is. A TOML writer would lose comments and order, so changes replace lines. */
import { parse, stringify, TomlError } from 'smol-toml'
import { Fault } from '../../contract/calls/faults.ts'
import type { SettingLevel } from '../../contract/services/settings.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { settingRefusal, shortened, shownValue, unknownSetting } from './settingChecks.ts'
import { settingTable } from './settingTable.ts'

/** Values by the path of their setting; absent: the default applies. */
export type Values = ReadonlyMap<string, unknown>

/** What a text contains. A value that cannot be used counts as absent, and is one of the problems. */
export interface ReadSettings {
  values: Values
  isToml: boolean
  problems: Fault[]
}

/** Reads the text of the file at `path`, which the problems name with the line of each. */
export function readText(text: string, path: string, level: SettingLevel = 'archive'): ReadSettings {
  let table
  try {
    table = parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const { line } = error
    const problem = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? ''
    const written = text.split('\n')[line - 1]?.trim() ?? ''
    const reason =
      written === ''
        ? message('setting.toml', { file: path, line, problem })
        : message('setting.toml.line', { file: path, line, text: shortened(written), problem })
    return { values: new Map(), isToml: false, problems: [new Fault('badInput', reason)] }
  }
  const values = new Map<string, unknown>()
  const problems: Fault[] = []
  for (const [name, value] of flat(table)) {
    const read = checkedIn(name, value, level)
    if ('problem' in read)
      problems.push(new Fault('badInput', placed(read.problem, { path, line: lineOf(text, name) })))
    else values.set(name, read.value)
  }
  return { values, isToml: true, problems }
}

function checkedIn(name: string, value: unknown, level: SettingLevel): { value: unknown } | { problem: Message } {
  const row = settingTable.find((candidate) => candidate.path === name)
  if (row === undefined) return { problem: unknownIn(name, value) }
  if (row.isOfArchive && level === 'user') return { problem: message('setting.ofArchive', { path: name }) }
  const checked = row.shape.safeParse(value)
  return checked.success ? { value: checked.data } : { problem: settingRefusal(name, checked.error.issues, value) }
}

function placed(problem: Message, { path, line }: { path: string; line: number | undefined }): Message {
  return line === undefined
    ? message('setting.inFile', { file: path, problem })
    : message('setting.toml', { file: path, line, problem })
}

/** The line of a setting, from 1: that of its key, or of the section of a map. Undefined where the text writes it in another way. */
function lineOf(text: string, name: string): number | undefined {
  let section = ''
  const lines = text.split('\n').map((line) => {
    const header = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1]
    if (header !== undefined) section = header
    const key = /^\s*("?)([^"=\s]+)\1\s*=/.exec(line)?.[2]
    return header ?? [section, key].filter((part) => part !== '' && part !== undefined).join('.')
  })
  const at = lines.indexOf(name)
  return at < 0 ? undefined : at + 1
}

function unknownIn(name: string, value: unknown): Message {
  return message('setting.unknown.value', { said: unknownSetting(name), value: shownValue(value) })
}

/** Flattens tables: the key `workers` in `[harvest]` becomes `harvest.workers`; a map setting stays whole. */
function flat(table: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(table).flatMap(([name, value]): [string, unknown][] => {
    const path = `${prefix}${name}`
    const isMap = settingTable.some((row) => row.path === path && row.kind === 'map')
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    return isTable && !isMap ? flat(value as Record<string, unknown>, `${path}.`) : [[path, value]]
  })
}

/** Returns the text with one value changed: replaces its line, adds the line to its section, or adds the section.
 *  A map is a section of its own. The result has to be parsed again, because a value over several lines is not
 *  recognised as one. */
export function edited(text: string, path: string, value: unknown): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const start = lines.findIndex((line) => line.trim() === `[${path}]`)
    const section = [`[${path}]`, ...stringify(value).trim().split('\n')]
    if (start < 0) return `${[...lines, '', ...section].join('\n').trimStart()}\n`
    const end = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line))
    lines.splice(start, (end < 0 ? lines.length : end) - start, ...section)
    return `${lines.join('\n')}\n`
  }
  const [sectionName = '', key = ''] = path.split('.')
  const entry = stringify({ [key]: value }).trim()
  const header = lines.findIndex((line) => line.trim() === `[${sectionName}]`)
  if (header < 0) return `${[...lines, ...(lines.length > 0 ? [''] : []), `[${sectionName}]`, entry].join('\n')}\n`
  const next = lines.findIndex((line, index) => index > header && /^\s*\[/.test(line))
  const end = next < 0 ? lines.length : next
  const at = lines.findIndex(
    (line, index) => index > header && index < end && new RegExp(`^\\s*${key}\\s*=`).test(line),
  )
  if (at < 0) lines.splice(header + 1, 0, entry)
  else lines[at] = entry
  return `${lines.join('\n')}\n`
}
