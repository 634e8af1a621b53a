/** Settings of a template as TOML. TOML has no null: where a setting may be null, the text says "never". Pure. */
import { parse, stringify, TomlDate, TomlError } from 'smol-toml'
import type { TemplateProblem, TemplateSettings } from '../../contract/services/templates.ts'
import { message } from '../../contract/words/message.ts'
import { checkedSettings } from './templateProblems.ts'

/** A null of a setting, as TOML has it. */
const nullWord = 'never'

/** Settings that may be null are all times of this table. */
const tableWithNulls = 'recheck'

/** Writes settings as TOML. `readToml` gives the same settings again. */
export function tomlOf(settings: TemplateSettings): string {
  return stringify(plain(settings, (value) => (value === null ? nullWord : value)))
}

/** Reads the TOML text of a template. Returns the settings with their defaults, or all problems. */
export function readToml(toml: string): { settings: TemplateSettings } | { problems: TemplateProblem[] } {
  const table = parsed(toml)
  return 'problem' in table ? { problems: [table.problem] } : checkedSettings(withNulls(table.values))
}

function parsed(toml: string): { values: Record<string, unknown> } | { problem: TemplateProblem } {
  try {
    // A date is a text in the settings.
    const values = plain(parse(toml), (value) => (value instanceof TomlDate ? value.toISOString() : value))
    return { values: values as Record<string, unknown> }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const problem = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? ''
    return { problem: { path: [], message: message('template.toml', { line: error.line, problem }) } }
  }
}

function withNulls(values: Record<string, unknown>): Record<string, unknown> {
  const table = values[tableWithNulls]
  if (typeof table !== 'object' || table === null || Array.isArray(table)) return values
  return { ...values, [tableWithNulls]: plain(table, (value) => (value === nullWord ? null : value)) }
}

/** Copies a value with each part of it replaced. Half of a surrogate pair, which TOML cannot have, becomes U+FFFD, as in the database. */
function plain(value: unknown, replaced: (value: unknown) => unknown): unknown {
  const found = replaced(value)
  if (typeof found === 'string') return found.toWellFormed()
  if (typeof found !== 'object' || found === null) return found
  if (Array.isArray(found)) return found.map((each: unknown) => plain(each, replaced))
  const entries = Object.entries(found).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries.map(([name, each]) => [name.toWellFormed(), plain(each, replaced)]))
}
