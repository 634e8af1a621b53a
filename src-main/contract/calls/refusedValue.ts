/**
 * Messages for values that a shape refuses: each names the field, what is wrong with it, and what is accepted. They are made from the issues
 * of zod, whose own texts exist in English only.
 */
import type { z } from 'zod'
import { alternatives } from '../words/joined.ts'
import { message, type Message, type MessageValue } from '../words/message.ts'

type Issue = z.core.$ZodIssue
type Of<Code extends Issue['code']> = Extract<Issue, { code: Code }>

/** Makes a message about the field of this name. */
type Problem = (field: MessageValue) => Message

/** Options of a custom check (`refine`, `addIssue`): the message for a value that it refuses. */
export function refusedAs(problem: Problem): { params: { problem: Problem } } {
  return { params: { problem } }
}

/** Describes the first issue of a refused input. */
export function refusalOf({ issues: [issue] }: Pick<z.core.$ZodError, 'issues'>, input: unknown): Message {
  if (!issue) throw new Error('The input was refused without an issue.')
  return problemOf(issue, issue.path.join('.') || message('value.input'), valueAt(input, issue.path) === undefined)
}

/** Describes one issue of the field with this name. `isAbsent`: the input does not have the field. */
export function problemOf(issue: Issue, field: MessageValue, isAbsent = false): Message {
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(issue, field, isAbsent)
    case 'invalid_value':
      return message('value.oneOf', { field, values: oneOf(issue.values) })
    case 'too_small':
      return lowerBound(issue, field)
    case 'too_big':
      return upperBound(issue, field)
    case 'invalid_format':
      return formatProblem(issue, field)
    case 'unrecognized_keys':
      return message('value.unknownFields', { field, count: issue.keys.length, names: issue.keys.join(', ') })
    case 'invalid_union':
      return unionProblem(issue, field, isAbsent)
    case 'invalid_key':
      return issue.issues[0] ? problemOf(issue.issues[0], field) : message('value.wrong', { field })
    case 'custom':
      return isProblem(issue.params?.['problem']) ? issue.params['problem'](field) : message('value.wrong', { field })
    case 'not_multiple_of':
    case 'invalid_element':
      return message('value.wrong', { field })
  }
}

/** Returns the part of an input at the path of an issue. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (isKeyed(at) ? at[step] : undefined), input)
}

function isKeyed(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'function'
}

const typeNames: Readonly<Record<string, Message>> = {
  string: message('value.type.text'),
  number: message('value.type.number'),
  int: message('value.type.whole'),
  boolean: message('value.type.boolean'),
  array: message('value.type.list'),
  object: message('value.type.object'),
  record: message('value.type.object'),
}

function typeProblem({ expected }: Of<'invalid_type'>, field: MessageValue, isAbsent: boolean): Message {
  const type = typeNames[expected] ?? expected
  return isAbsent ? message('value.missing', { field, type }) : message('value.type', { field, type })
}

function oneOf(values: readonly unknown[]): Message {
  return alternatives(values.map((value) => message('text', { text: JSON.stringify(value) })))
}

function lowerBound({ origin, minimum, inclusive }: Of<'too_small'>, field: MessageValue): Message {
  const least = Number(minimum)
  if (origin === 'array') return message('value.entries.least', { field, least })
  if (origin !== 'string') return message(inclusive === false ? 'value.above' : 'value.least', { field, least })
  return least === 1 ? message('value.empty', { field }) : message('value.characters.least', { field, least })
}

function upperBound({ origin, maximum }: Of<'too_big'>, field: MessageValue): Message {
  const most = Number(maximum)
  if (origin === 'array') return message('value.entries.most', { field, most })
  return origin === 'string'
    ? message('value.characters.most', { field, most })
    : message('value.most', { field, most })
}

function formatProblem({ format }: Of<'invalid_format'>, field: MessageValue): Message {
  if (format === 'date') return message('value.date', { field, example: '2026-01-31' })
  if (format === 'datetime') return message('value.time', { field, example: '2026-01-31T09:30:00Z' })
  return message('value.wrong', { field })
}

/** Lists what each form of the value asks for, or the names of the forms. */
function unionProblem(issue: Of<'invalid_union'>, field: MessageValue, isAbsent: boolean): Message {
  if ('options' in issue && issue.options) return message('value.oneOf', { field, values: oneOf(issue.options) })
  const problems = issue.errors.flatMap(([first]) => (first ? [problemOf(first, field, isAbsent)] : []))
  if (problems.length === 0) return message('value.wrong', { field })
  return problems.reduce((first, second) => message('value.either', { first, second }))
}
