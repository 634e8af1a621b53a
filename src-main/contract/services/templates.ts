/**
 * Templates: crawl settings under a name, which the configurations of domains use. Each change of the settings is a new version, and all
 * versions are kept. Settings are written as TOML and are stored as they were written.
 */
import { z } from 'zod'
import { commentsShape, nameShape } from '../shapes/names.ts'
import { patternIssue } from '../shapes/pattern.ts'
import { count, messageShape, page, time } from '../shapes/shapes.ts'
import { call, event } from '../calls/service.ts'
import { refusedAs } from '../calls/refusedValue.ts'
import { message } from '../words/message.ts'
import { patternProblems, storedDefinition } from './definition.ts'

/** Fields of a definition that a template does not have: they come from domains and harvests. */
export const outsideTemplates = { seeds: true, name: true, schedule: true } as const

/** Settings of a template with the defaults of what it leaves out. Its patterns may be invalid. */
export const storedTemplateSettings = storedDefinition.omit(outsideTemplates)
export type TemplateSettings = z.output<typeof storedTemplateSettings>

/** Settings with checked patterns. */
export const templateSettings = storedTemplateSettings.superRefine((settings, { addIssue }) => {
  for (const { path, message: problem } of patternProblems(settings)) addIssue({ ...patternIssue(problem), path })
})

/** Characters of the TOML text of a template: ten thousand patterns of usual length. */
const tomlCharactersMax = 2_000_000
const toml = z.string().max(tomlCharactersMax)

/** The settings of a template, as TOML or as values. */
const written = { toml: toml.optional(), settings: templateSettings.optional() }

/** The name of the template that every archive has. New domains use it. */
export const defaultTemplateName = 'default'

const templateRow = z.object({
  name: nameShape,
  comments: z.string(),
  /** The newest version. */
  version: z.int().min(1),
  /** When that version was made; null: it came with Loupe. */
  changed: time.nullable(),
  /** Number of configurations that use the template. */
  configurations: count,
})
export type TemplateRow = z.output<typeof templateRow>

const templateVersion = z.object({ version: z.int().min(1), made: time.nullable() })

const templateDetails = templateRow.extend({
  /** The version that `toml` and `settings` are of. */
  shown: z.int().min(1),
  toml: z.string(),
  settings: storedTemplateSettings,
  /** All versions, newest first. */
  versions: z.array(templateVersion),
})
export type TemplateDetails = z.output<typeof templateDetails>

/** What is wrong with one value of a template. */
const templateProblem = z.object({ path: z.array(z.union([z.string(), z.number()])), message: messageShape })
export type TemplateProblem = z.output<typeof templateProblem>

const named = z.strictObject({ name: nameShape })

const newTemplate = z.strictObject({ name: nameShape, comments: commentsShape.default(''), ...written }).refine(
  (template) => (template.toml === undefined) !== (template.settings === undefined),
  refusedAs(() => message('template.either')),
)

/** What of a template is changed. Absent: it stays. */
const templateChange = z
  .strictObject({ name: nameShape, newName: nameShape.optional(), comments: commentsShape.optional(), ...written })
  .refine(
    (change) => change.toml === undefined || change.settings === undefined,
    refusedAs(() => message('template.either')),
  )
export type TemplateChange = z.output<typeof templateChange>

export const templateService = {
  /** Lists templates by name. `text`: those whose name contains it, in any case of letters. */
  list: call(
    z.strictObject({ ...page, text: z.string().optional() }),
    z.object({ total: count, rows: z.array(templateRow) }),
  ),
  /** Shows a template at one version, by default the newest. */
  show: call(named.extend({ version: z.int().min(1).optional() }), templateDetails),
  /** Returns all problems of a TOML text, without storing it. */
  check: call(z.strictObject({ toml }), z.object({ problems: z.array(templateProblem) })),
  add: call(newTemplate, templateDetails),
  /** Changes a template. Settings that differ from the newest version become a new one. */
  edit: call(templateChange, templateDetails),
  /** Removes a template with all its versions. Refused while a configuration uses it. */
  remove: call(named, named),
  /** A template was added, changed or removed. */
  changed: event(named),
} as const
