/** An output connection as it is typed, and what the contract makes of it. */
import { isPathPart, type FieldPath } from '../../../src-main/contract/calls/faults.ts'
import {
  outputChange,
  outputInput,
  outputRequestsUsual,
  type OutputChange,
  type OutputInput,
  type OutputRow,
  type OutputStep,
} from '../../../src-main/contract/services/outputs.ts'
import { outputKinds } from '../../../src-main/contract/shapes/choices.ts'
import type { Problem } from '../harvest/harvestDraft.ts'
import type { Result } from './connectionDraft.ts'

/** Settings of all kinds: each shows its own. */
export interface OutputDraft {
  name: string
  description: string
  /** One of `outputKinds`, or `module:` with the name of a connector. */
  connector: string
  url: string
  index: string
  folder: string
  idField: string
  /** Separated by commas. */
  fields: string
  /** `Name: value` per line. */
  headers: string
  /** `name=value` per line. */
  settings: string
  steps: OutputStep[]
  requestsMax: number | string
}

export const newOutput: OutputDraft = {
  ...{ name: '', description: '', connector: 'solr', url: '', index: '', folder: '', idField: 'id', fields: '' },
  ...{ headers: '', settings: '', steps: ['title', 'text'], requestsMax: outputRequestsUsual },
}

/** Settings that the form has for each kind, in its order. */
export const settingsOf = {
  solr: ['url', 'idField', 'fields', 'headers'],
  openSearch: ['url', 'index', 'fields', 'headers'],
  webhook: ['url', 'headers'],
  folder: ['folder'],
  module: ['settings'],
} as const satisfies Record<(typeof outputKinds)[number], readonly (keyof OutputDraft)[]>

export type OutputKindName = keyof typeof settingsOf

/** Returns the kind of a choice, and the connector of the user where it has one. */
export function kindOf(connector: string): { kind: OutputKindName; name: string | undefined } {
  const [, name] = /^module:(.*)$/s.exec(connector) ?? []
  return { kind: name === undefined ? (outputKinds.find((kind) => kind === connector) ?? 'solr') : 'module', name }
}

/** The form for an output connection. */
export function outputDraftOf({ name, description, settings, steps, requestsMax }: OutputRow): OutputDraft {
  const common = { ...newOutput, name, description, steps: [...steps], requestsMax }
  if (settings.connector === 'module')
    return { ...common, connector: `module:${settings.name}`, settings: linesOf(settings.settings, '=') }
  const { connector, ...rest } = settings
  const written = {
    ...('url' in rest && { url: rest.url }),
    ...('index' in rest && { index: rest.index }),
    ...('folder' in rest && { folder: rest.folder }),
    ...('idField' in rest && { idField: rest.idField }),
    ...('fields' in rest && { fields: rest.fields.join(', ') }),
    ...('headers' in rest && { headers: linesOf(rest.headers, ': ') }),
  }
  return { ...common, connector, ...written }
}

/** Returns a new output connection, or everything that is wrong with it. */
export function addedOutput(draft: OutputDraft): Result<OutputInput> {
  return checked(outputInput.safeParse({ name: draft.name, ...changeIn(draft) }))
}

/** Returns what of an output connection is changed, or everything that is wrong with it. `before`: as it is. */
export function changedOutput(draft: OutputDraft, before: OutputRow): Result<OutputChange> {
  return checked(outputChange.safeParse(changeIn(draft, before)))
}

function changeIn(draft: OutputDraft, before?: OutputRow): object {
  const { kind, name } = kindOf(draft.connector)
  const shown = Object.fromEntries(settingsOf[kind].map((setting) => [setting, settingIn(draft, setting)]))
  // What the form does not show stays.
  const settings = { ...before?.settings, connector: kind, ...(name !== undefined && { name }), ...shown }
  const { description, steps, requestsMax } = draft
  return { description: description.trim(), settings, steps, requestsMax }
}

function settingIn(draft: OutputDraft, setting: (typeof settingsOf)[OutputKindName][number]): unknown {
  switch (setting) {
    case 'fields':
      return draft.fields.split(/[\s,]+/).filter((part) => part !== '')
    case 'headers':
      return pairsIn(draft.headers, ':')
    case 'settings':
      return pairsIn(draft.settings, '=')
    default:
      return draft[setting].trim()
  }
}

function pairsIn(text: string, sign: ':' | '='): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(sign)
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}

function linesOf(pairs: Readonly<Record<string, string>>, sign: string): string {
  return Object.entries(pairs)
    .map((pair) => pair.join(sign))
    .join('\n')
}

type Parsed<Value> = { success: true; data: Value } | { success: false; error: { issues: Issue[] } }
type Issue = Exclude<Problem['issue'], { code: 'engine' }>

function checked<Value>(result: Parsed<Value>): Result<Value> {
  if (result.success) return { value: result.data }
  return { problems: result.error.issues.map((issue) => ({ path: issue.path.filter(isPathPart), issue, line: null })) }
}

/** Name of the control of a field of an output connection. */
export function outputControlOf([field, setting]: FieldPath): string {
  if (field !== 'settings') return `output.${field ?? 'name'}`
  return setting === undefined || setting === 'connector' || setting === 'name'
    ? 'output.connector'
    : `output.${setting}`
}
