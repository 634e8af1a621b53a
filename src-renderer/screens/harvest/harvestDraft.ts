/** The harvest form as it is typed, and what the contract makes of it. The form has no rules of its own: every problem
 *  comes from the contract's schema, so the form and the engine can never disagree. */
import type { z } from 'zod'
import type { orders, scopes } from '../../../src-main/contract/shapes/choices.ts'
import { harvestDefinition, type HarvestDefinition } from '../../../src-main/contract/services/definition.ts'
import { templateSettings, type TemplateSettings } from '../../../src-main/contract/services/templates.ts'
import { isPathPart, type Fault, type FieldPath } from '../../../src-main/contract/calls/faults.ts'
import { byteUnits, inUnit, timeUnits } from '../../parts/units.ts'
import { faultText } from '../../words/language.ts'
import { connectorDraftOf, connectorInput, usualConnector, type ConnectorDraft } from './connectorDraft.ts'
import {
  deduplicationDraftOf,
  deduplicationInput,
  usualDeduplicationDraft,
  type DeduplicationDraft,
} from './deduplicationDraft.ts'
import { emptyHops, hopsDraftOf, hopsInput, type HopsDraft } from './hopsDraft.ts'
import { loginDraftOf, loginInput, noLogin, type LoginDraft } from './loginDraft.ts'
import { outputsDraftOf, outputsInput, type OutputDraft } from './outputsDraft.ts'
import { recheckDraftOf, recheckInput, usualRecheck, type RecheckDraft } from './recheckDraft.ts'
import { noThrottle, throttleDraftOf, throttleInput, type ThrottleDraft } from './throttleDraft.ts'
import { linesIn, textsIn } from './typedLines.ts'
import { draftOf as scheduleDraftOf, scheduleInput, type ScheduleDraft } from '../schedule/scheduleDraft.ts'

/** Value of a number field: empty, or the text typed so far. */
type Typed = number | string

export interface HarvestDraft {
  seeds: string
  name: string
  scope: (typeof scopes)[number]
  maxHops: Typed
  maxObjects: Typed
  maxBytes: Typed
  maxBytesUnit: keyof typeof byteUnits
  maxSeconds: Typed
  maxSecondsUnit: keyof typeof timeUnits
  maxNoResponseSeconds: Typed
  maxNoResponseSecondsUnit: keyof typeof timeUnits
  maxInactiveSeconds: Typed
  maxInactiveSecondsUnit: keyof typeof timeUnits
  workers: Typed
  delayMs: Typed
  connectionsPerHost: Typed
  order: (typeof orders)[number]
  robots: 'obey' | 'ignore'
  include: string
  exclude: string
  /** Crawler traps of single domains: a domain and a pattern per line. */
  domains: string
  userAgent: string
  resolve: string
  throttle: ThrottleDraft
  recheck: RecheckDraft
  deduplication: DeduplicationDraft
  hops: HopsDraft
  login: LoginDraft
  connectors: ConnectorDraft
  outputs: OutputDraft[]
  /** Null when the harvest starts at once. */
  schedule: ScheduleDraft | null
}

/** Fields in the order of the form. */
export const emptyDraft: HarvestDraft = {
  connectors: usualConnector,
  seeds: '',
  name: '',
  scope: 'host',
  maxHops: '',
  maxObjects: '',
  maxBytes: '',
  maxBytesUnit: 'MB',
  maxSeconds: '',
  maxSecondsUnit: 'minutes',
  maxNoResponseSeconds: '',
  maxNoResponseSecondsUnit: 'minutes',
  maxInactiveSeconds: '',
  maxInactiveSecondsUnit: 'minutes',
  schedule: null,
  recheck: usualRecheck,
  deduplication: usualDeduplicationDraft,
  delayMs: '',
  connectionsPerHost: '',
  workers: '',
  order: 'asFetched',
  robots: 'obey',
  throttle: noThrottle,
  login: noLogin,
  hops: emptyHops,
  include: '',
  exclude: '',
  domains: '',
  userAgent: '',
  resolve: '',
  outputs: [],
}

export interface Problem {
  /** Path in the definition. */
  path: FieldPath
  /** Issue of the schema, or the engine's message. */
  issue: z.core.$ZodIssue | { code: 'engine'; message: string }
  /** Line of a field with several lines, from 1. */
  line: number | null
}

export type Problems = Partial<Record<keyof HarvestDraft, Problem>>
export type Defined = { definition: HarvestDefinition } | { problems: Problems }

export function defined(draft: HarvestDraft): Defined {
  const checked = harvestDefinition.safeParse({
    ...settingsIn(draft),
    seeds: textsIn(draft.seeds),
    ...(draft.schedule === null ? {} : { schedule: scheduleInput(draft.schedule) }),
    ...optional('name', draft.name.trim()),
  })
  return checked.success ? { definition: checked.data } : { problems: problemsIn(checked.error, draft) }
}

/** What the form gives a template, which has no seeds, name or schedule. */
export function definedSettings(draft: HarvestDraft): { settings: TemplateSettings } | { problems: Problems } {
  const checked = templateSettings.safeParse(settingsIn(draft))
  return checked.success ? { settings: checked.data } : { problems: problemsIn(checked.error, draft) }
}

function settingsIn(draft: HarvestDraft): Record<string, unknown> {
  const login = loginInput(draft.login)
  const connectors = connectorInput(draft.connectors)
  const hops = hopsInput(draft.hops)
  const recheck = recheckInput(draft.recheck)
  const deduplication = deduplicationInput(draft.deduplication)
  const throttle = throttleInput(draft.throttle)
  const outputs = outputsInput(draft.outputs)
  return {
    scope: draft.scope,
    ...(draft.order === 'asFetched' ? {} : { order: draft.order }),
    robots: draft.robots,
    include: textsIn(draft.include),
    exclude: textsIn(draft.exclude),
    resolve: Object.fromEntries(textsIn(draft.resolve).map(pair)),
    ...(draft.domains.trim() === '' ? {} : { domains: domainRulesIn(draft.domains) }),
    ...(login === undefined ? {} : { login }),
    ...(connectors === undefined ? {} : { connectors }),
    ...(hops === undefined ? {} : { hops }),
    ...(recheck === undefined ? {} : { recheck }),
    ...(deduplication === undefined ? {} : { deduplication }),
    ...(throttle === undefined ? {} : { throttle }),
    ...(outputs === undefined ? {} : { outputs }),
    ...optional('userAgent', draft.userAgent.trim()),
    ...optional('maxHops', draft.maxHops),
    ...optional('maxObjects', draft.maxObjects),
    ...optional('maxBytes', times(draft.maxBytes, byteUnits[draft.maxBytesUnit])),
    ...seconds(draft, 'maxSeconds'),
    ...seconds(draft, 'maxNoResponseSeconds'),
    ...seconds(draft, 'maxInactiveSeconds'),
    ...optional('workers', draft.workers),
    ...optional('delayMs', draft.delayMs),
    ...optional('connectionsPerHost', draft.connectionsPerHost),
  }
}

function problemsIn(error: z.ZodError, draft: HarvestDraft): Problems {
  const problems: Problems = {}
  for (const issue of error.issues) {
    const path = issue.path.filter(isPathPart)
    const [field] = path
    if (!isField(field)) throw new Error(`the harvest form has no field ${String(field)}`)
    problems[field] ??= { path, issue, line: lineOf(draft, path) }
  }
  return problems
}

/** The problems that the engine found in a definition. A field that is not in the form is left out: its message is shown on its own. */
export function problemsOf(fault: Fault, draft: HarvestDraft): Problems {
  const problems: Problems = {}
  const message = faultText(fault)
  for (const refused of fault.fields) {
    const path = refused[0] === 'definition' || refused[0] === 'settings' ? refused.slice(1) : refused
    const [field] = path
    if (isField(field)) problems[field] ??= { path, issue: { code: 'engine', message }, line: lineOf(draft, path) }
  }
  return problems
}

/** Problems in the order of the form. */
export function inOrder(problems: Problems): Problem[] {
  const fields = Object.keys(emptyDraft).filter(isField)
  return fields.flatMap((field) => problems[field] ?? [])
}

/** The definition of an edited job. Fields that are unchanged since the form was opened keep the job's current value, so values with
 *  several spellings keep theirs, and changes made elsewhere meanwhile are kept. */
export function redefined(
  { opened, now }: Record<'opened' | 'now', HarvestDefinition>,
  draft: HarvestDraft,
  timeZone: string,
): Defined {
  const result = defined(draft)
  const untouched = defined(draftOf(opened, timeZone))
  if ('problems' in result || 'problems' in untouched) return result
  const names = Object.keys(harvestDefinition.shape) as (keyof HarvestDefinition)[]
  const entries = names.map((name) => [name, isSame(result, untouched, name) ? now[name] : result.definition[name]])
  return { definition: harvestDefinition.parse(Object.fromEntries(entries.filter(([, value]) => value !== undefined))) }
}

type Whole = Extract<Defined, { definition: HarvestDefinition }>

function isSame(one: Whole, other: Whole, name: keyof HarvestDefinition): boolean {
  return JSON.stringify(one.definition[name]) === JSON.stringify(other.definition[name])
}

/** Line of the field for a path such as seeds.3 or login.areas.0.urls.2. */
function lineOf(draft: HarvestDraft, path: FieldPath): number | null {
  const index = path.at(-1)
  const typed = typedLines(draft, path)
  return typed === undefined || typeof index !== 'number' ? null : (linesIn(typed)[index]?.line ?? null)
}

function typedLines({ login, ...draft }: HarvestDraft, [field, , row, list]: FieldPath) {
  if (field === 'seeds' || field === 'include' || field === 'exclude') return draft[field]
  return list === 'urls' || list === 'avoid' ? login.areas[Number(row)]?.[list] : undefined
}

/** `host address`, as in a hosts file but with the name first. The schema refuses a missing address. */
function pair(line: string): [host: string, address: string | undefined] {
  const [host = '', address] = line.split(/[\s=]+/)
  return [host, address]
}

/** Rules from lines of a domain and a pattern. The schema refuses a line without a pattern. */
function domainRulesIn(text: string): Record<string, { exclude: string[] }> {
  const rules: Record<string, { exclude: string[] }> = {}
  for (const line of textsIn(text)) {
    const [, domain = line, pattern = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? []
    rules[domain] = { exclude: [...(rules[domain]?.exclude ?? []), pattern] }
  }
  return rules
}

function domainLines(domains: HarvestDefinition['domains'] = {}): string {
  return Object.entries(domains)
    .flatMap(([domain, rules]) => rules.exclude.map((pattern) => `${domain} ${pattern}`))
    .join('\n')
}

/** The form that `defined` would turn into this definition. */
export function draftOf(
  definition: TemplateSettings & Partial<Pick<HarvestDefinition, 'seeds' | 'name' | 'schedule'>>,
  timeZone: string,
): HarvestDraft {
  const { seeds = [], include, exclude, resolve, maxBytes, schedule } = definition
  const bytes = inUnit(maxBytes, byteUnits, emptyDraft.maxBytesUnit)
  return {
    seeds: seeds.join('\n'),
    name: definition.name ?? '',
    scope: definition.scope,
    maxHops: definition.maxHops ?? '',
    maxObjects: definition.maxObjects ?? '',
    maxBytes: bytes.amount,
    maxBytesUnit: bytes.unit,
    ...timeDraft(definition, 'maxSeconds'),
    ...timeDraft(definition, 'maxNoResponseSeconds'),
    ...timeDraft(definition, 'maxInactiveSeconds'),
    workers: definition.workers ?? '',
    delayMs: definition.delayMs ?? '',
    connectionsPerHost: definition.connectionsPerHost ?? '',
    order: definition.order ?? 'asFetched',
    robots: definition.robots,
    include: include.join('\n'),
    exclude: exclude.join('\n'),
    domains: domainLines(definition.domains),
    userAgent: definition.userAgent ?? '',
    resolve: Object.entries(resolve)
      .map((line) => line.join(' '))
      .join('\n'),
    throttle: throttleDraftOf(definition.throttle),
    recheck: recheckDraftOf(definition.recheck),
    deduplication: deduplicationDraftOf(definition.deduplication),
    hops: hopsDraftOf(definition.hops),
    login: loginDraftOf(definition.login),
    connectors: connectorDraftOf(definition.connectors),
    outputs: outputsDraftOf(definition.outputs),
    schedule: schedule ? scheduleDraftOf(schedule, timeZone) : null,
  }
}

type TimeField = 'maxSeconds' | 'maxNoResponseSeconds' | 'maxInactiveSeconds'

function seconds(draft: HarvestDraft, field: TimeField): Record<string, Typed> {
  return optional(field, times(draft[field], timeUnits[draft[`${field}Unit`]]))
}

function timeDraft<Field extends TimeField>(
  definition: Pick<HarvestDefinition, TimeField>,
  field: Field,
): Pick<HarvestDraft, Field | `${Field}Unit`> {
  const { amount, unit } = inUnit(definition[field], timeUnits, emptyDraft[`${field}Unit`])
  return { [field]: amount, [`${field}Unit`]: unit } as Pick<HarvestDraft, Field | `${Field}Unit`>
}

function optional(name: keyof HarvestDefinition, value: Typed): Record<string, Typed> {
  return value === '' ? {} : { [name]: value }
}

/** Bytes and seconds are rounded to whole numbers, also for 1.5 GB. */
function times(value: Typed, factor: number): Typed {
  return typeof value === 'number' ? Math.round(value * factor) : value
}

function isField(field: string | number | undefined): field is keyof HarvestDraft {
  return typeof field === 'string' && Object.hasOwn(emptyDraft, field)
}
