/** What an institution defines for all of its domains: lists of crawler traps, and extended fields. */
import { Fault, type FieldPath } from '../../contract/calls/faults.ts'
import type { ExtendedField, FieldValues, TrapList } from '../../contract/services/domains.ts'
import { patternProblem } from '../../contract/shapes/pattern.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import { institutionStatements, type FieldDbRow } from './domains.sql.ts'

/** Lists of crawler traps, by name. */
export interface TrapLists {
  list(): TrapList[]
  /** Throws `Fault` badInput for a pattern that is not valid. */
  set(list: TrapList): TrapList
  /** Throws `Fault` notFound. */
  remove(name: string): void
}

/** Opens the lists of crawler traps. */
export function openTrapLists(store: Store): TrapLists {
  const sql = institutionStatements(store)
  return {
    list: () =>
      sql.trapLists.all({}).map(({ patterns, isActive, ...list }) => ({
        ...{ ...list, isActive: isActive === 1, patterns: JSON.parse(patterns) as string[] },
      })),
    set(list) {
      refusePatterns(list.patterns, ['patterns'])
      sql.setTrapList.run({ ...list, isActive: Number(list.isActive), patterns: JSON.stringify(list.patterns) })
      return list
    },
    remove(name) {
      if (sql.removeTrapList.run({ name }) === 0) throw new Fault('notFound', message('trapList.absent', { name }))
    },
  }
}

/** Throws `Fault` badInput for the first pattern that is not valid. */
export function refusePatterns(patterns: readonly string[], field: FieldPath): void {
  patterns.forEach((pattern, at) => {
    const problem = patternProblem(pattern)
    if (problem === null) return
    throw new Fault('badInput', message('value.pattern', { field: pattern, problem }), { fields: [[...field, at]] })
  })
}

/** Extended fields, by subject and name. */
export interface ExtendedFields {
  list(): ExtendedField[]
  /** Throws `Fault` badInput for a field that could have no value. */
  set(field: ExtendedField): ExtendedField
  /** Throws `Fault` notFound. */
  remove(subject: ExtendedField['subject'], name: string): void
  /** Returns the values with those that are usual. Throws `Fault` badInput, naming the field, for an unknown field, a value of a wrong
   *  kind, and a required one that is missing. */
  checked(subject: ExtendedField['subject'], values: FieldValues): FieldValues
}

/** Opens the extended fields. */
export function openExtendedFields(store: Store): ExtendedFields {
  const sql = institutionStatements(store)
  const all = () => sql.fields.all({}).map(fieldOf)
  return {
    list: all,
    set(field) {
      if (field.kind === 'choice' && field.choices.length === 0)
        throw new Fault('badInput', message('field.noChoices', { name: field.name }), { fields: [['choices']] })
      if (field.usual !== null) refuseWrong(field, field.usual, ['usual'])
      const { choices, usual, isRequired, ...columns } = field
      sql.setField.run({
        ...{ ...columns, choices: JSON.stringify(choices), isRequired: Number(isRequired) },
        usual: usual === null ? null : JSON.stringify(usual),
      })
      return field
    },
    remove(subject, name) {
      if (sql.removeField.run({ subject, name }) === 0) throw new Fault('notFound', message('field.absent', { name }))
    },
    checked: (subject, values) =>
      checkedValues(
        all().filter((field) => field.subject === subject),
        values,
      ),
  }
}

function fieldOf({ choices, usual, isRequired, ...row }: FieldDbRow): ExtendedField {
  return {
    ...{ ...row, choices: JSON.parse(choices) as string[], isRequired: isRequired === 1 },
    usual: usual === null ? null : (JSON.parse(usual) as ExtendedField['usual']),
  }
}

function checkedValues(fields: readonly ExtendedField[], values: FieldValues): FieldValues {
  const unknown = Object.keys(values).find((name) => fields.every((field) => field.name !== name))
  if (unknown !== undefined)
    throw new Fault('badInput', message('field.absent', { name: unknown }), { fields: [['fields', unknown]] })
  const entries = fields.flatMap((field): [string, string | number | boolean][] => {
    const { name, usual, isRequired } = field
    const value = values[name] ?? usual
    if (value !== null) {
      refuseWrong(field, value, ['fields', name])
      return [[name, value]]
    }
    if (!isRequired) return []
    throw new Fault('badInput', message('field.required', { name }), { fields: [['fields', name]] })
  })
  return Object.fromEntries(entries)
}

function refuseWrong({ name, kind, choices }: ExtendedField, value: unknown, path: FieldPath): void {
  const isRight = {
    text: () => typeof value === 'string',
    note: () => typeof value === 'string',
    number: () => typeof value === 'number',
    boolean: () => typeof value === 'boolean',
    date: () => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
    choice: () => choices.includes(String(value)),
  }[kind]
  if (isRight()) return
  const problem =
    kind === 'choice'
      ? message('field.wrong.choice', { name, choices: choices.join(', ') })
      : message(`field.wrong.${kind === 'note' ? 'text' : kind}`, { name })
  throw new Fault('badInput', problem, { fields: [path] })
}
