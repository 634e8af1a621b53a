/** Everything that is wrong with the settings of a template, each with its path. A shape stops at its first kind of problem; someone who
 *  writes a template wants to know all at once. Pure. */
import type { z } from 'zod'
import { problemOf, valueAt } from '../../contract/calls/refusedValue.ts'
import { patternProblem } from '../../contract/shapes/pattern.ts'
import {
  outsideTemplates,
  storedTemplateSettings,
  type TemplateProblem,
  type TemplateSettings,
} from '../../contract/services/templates.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { message, type Message } from '../../contract/words/message.ts'

type Path = TemplateProblem['path']
type Issue = z.core.$ZodIssue

/** Checks settings of any form. Returns the settings with their defaults, or all problems. */
export function checkedSettings(value: unknown): { settings: TemplateSettings } | { problems: TemplateProblem[] } {
  const checked = storedTemplateSettings.safeParse(value)
  const ofShape = checked.success ? [] : checked.error.issues.flatMap((issue) => problemsOf(issue, value))
  const problems = [...ofShape, ...patternProblemsIn(value)]
  if (problems.length > 0) return { problems }
  if (!checked.success) throw new Error('Settings were refused without an issue.')
  return { settings: checked.data }
}

/** Each unknown key is a problem of its own. */
function problemsOf(issue: Issue, value: unknown): TemplateProblem[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(path, key) }))
  const field = path.length === 0 ? message('template.input') : named(path)
  return [{ path, message: problemOf(issue, field, valueAt(value, path) === undefined) }]
}

function named(path: Path): string {
  return path.join('.')
}

function unknownKey(path: Path, key: string): Message {
  const field = named([...path, key])
  if (path.length > 0) return message('template.unknownKey', { field })
  if (Object.hasOwn(outsideTemplates, key)) return message('template.elsewhere', { field })
  const near = nearest(key, Object.keys(storedTemplateSettings.shape))
  return near === undefined
    ? message('template.unknownKey', { field })
    : message('template.unknownKey.near', { field, near })
}

/** Where settings have patterns; `*` stands for every entry of a list. Patterns of logins are matched without case. */
const patternPlaces: readonly { place: readonly string[]; ignoresCase: boolean }[] = [
  { place: ['include', '*'], ignoresCase: false },
  { place: ['exclude', '*'], ignoresCase: false },
  { place: ['throttle', 'rules', '*', 'match'], ignoresCase: false },
  { place: ['login', 'areas', '*', 'avoid', '*'], ignoresCase: true },
]

/** Checks the patterns of settings whose other values may have any form. */
function patternProblemsIn(value: unknown): TemplateProblem[] {
  return patternPlaces.flatMap(({ place, ignoresCase }) =>
    textsAt(value, place).flatMap(({ path, text }) => {
      const problem = patternProblem(text, { ignoresCase })
      return problem === null ? [] : [{ path, message: message('value.pattern', { field: named(path), problem }) }]
    }),
  )
}

function textsAt(value: unknown, place: readonly string[], path: Path = []): { path: Path; text: string }[] {
  const [step, ...rest] = place
  if (step === undefined) return typeof value === 'string' ? [{ path, text: value }] : []
  if (step === '*')
    return Array.isArray(value) ? value.flatMap((each: unknown, at) => textsAt(each, rest, [...path, at])) : []
  return textsAt(valueAt(value, [step]), rest, [...path, step])
}
