/** The harvest form as it is typed, and what the contract makes of it. The form has no rules of its own: every complaint
 *  comes from the contract's schema, so the form and the engine can never disagree. */
import type { z } from 'zod'
import type { scopes } from '../../../src-main/contract/choices.ts'
import { harvestDefinition, type HarvestDefinition } from '../../../src-main/contract/contract.ts'
import { connectorInput, usualConnector, type ConnectorDraft } from './connectorDraft.ts'
import { emptyHops, hopsInput, type HopsDraft } from './hopsDraft.ts'
import { emptyLogin, loginInput, type LoginDraft } from './loginDraft.ts'
import { recheckInput, usualRecheck, type RecheckDraft } from './recheckDraft.ts'
import { throttleInput, type ThrottleRuleDraft } from './throttleDraft.ts'
import { scheduleInput, type ScheduleDraft } from '../schedule/scheduleDraft.ts'

export const byteUnits = { kB: 1_000, MB: 1_000_000, GB: 1_000_000_000 } as const
export const timeUnits = { seconds: 1, minutes: 60, hours: 3_600 } as const

/** What a number field holds: nothing, or what was typed so far. */
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
  workers: Typed
  delayMs: Typed
  connectionsPerHost: Typed
  robots: 'obey' | 'ignore'
  include: string
  exclude: string
  userAgent: string
  resolve: string
  throttle: ThrottleRuleDraft[]
  recheck: RecheckDraft
  hops: HopsDraft
  login: LoginDraft
  connectors: ConnectorDraft
  /** Null: it starts at once. */
  schedule: ScheduleDraft | null
}

export const emptyDraft: HarvestDraft = {
  seeds: '',
  name: '',
  scope: 'host',
  maxHops: '',
  maxObjects: '',
  maxBytes: '',
  maxBytesUnit: 'MB',
  maxSeconds: '',
  maxSecondsUnit: 'minutes',
  workers: '',
  delayMs: '',
  connectionsPerHost: '',
  robots: 'obey',
  include: '',
  exclude: '',
  userAgent: '',
  resolve: '',
  throttle: [],
  recheck: usualRecheck,
  hops: emptyHops,
  login: emptyLogin,
  connectors: usualConnector,
  schedule: null,
}

export interface Complaint {
  issue: z.core.$ZodIssue
  /** Which line of a field of several lines, from 1. */
  line: number | null
}

export type Complaints = Partial<Record<keyof HarvestDraft, Complaint>>
export type Defined = { definition: HarvestDefinition } | { complaints: Complaints }

export function defined(draft: HarvestDraft): Defined {
  const lines = { seeds: numbered(draft.seeds), include: numbered(draft.include), exclude: numbered(draft.exclude) }
  const loginUrls = numbered(draft.login.urls)
  const login = loginInput(draft.login, loginUrls.map(({ text }) => text)) // prettier-ignore
  const connectors = connectorInput(draft.connectors)
  const hops = hopsInput(draft.hops)
  const recheck = recheckInput(draft.recheck)
  const throttle = throttleInput(draft.throttle)
  const checked = harvestDefinition.safeParse({
    seeds: lines.seeds.map(({ text }) => text),
    scope: draft.scope,
    robots: draft.robots,
    include: lines.include.map(({ text }) => text),
    exclude: lines.exclude.map(({ text }) => text),
    resolve: Object.fromEntries(numbered(draft.resolve).map(({ text }) => pair(text))),
    ...(login === undefined ? {} : { login }),
    ...(connectors === undefined ? {} : { connectors }),
    ...(hops === undefined ? {} : { hops }),
    ...(recheck === undefined ? {} : { recheck }),
    ...(throttle === undefined ? {} : { throttle }),
    ...(draft.schedule === null ? {} : { schedule: scheduleInput(draft.schedule) }),
    ...optional('name', draft.name.trim()),
    ...optional('userAgent', draft.userAgent.trim()),
    ...optional('maxHops', draft.maxHops),
    ...optional('maxObjects', draft.maxObjects),
    ...optional('maxBytes', times(draft.maxBytes, byteUnits[draft.maxBytesUnit])),
    ...optional('maxSeconds', times(draft.maxSeconds, timeUnits[draft.maxSecondsUnit])),
    ...optional('workers', draft.workers),
    ...optional('delayMs', draft.delayMs),
    ...optional('connectionsPerHost', draft.connectionsPerHost),
  })
  if (checked.success) return { definition: checked.data }
  const complaints: Complaints = {}
  for (const issue of checked.error.issues) {
    const [field, index] = issue.path
    if (!isField(field)) throw new Error(`the harvest form has no field ${String(field)}`)
    const line =
      (field === 'seeds' || field === 'include' || field === 'exclude') && typeof index === 'number'
        ? lines[field][index]?.line
        : // As in login.areas.0.urls.2.
          issue.path.at(-2) === 'urls'
          ? loginUrls[Number(issue.path.at(-1))]?.line
          : undefined
    complaints[field] ??= { issue, line: line ?? null }
  }
  return { complaints }
}

/** Lines that are not empty, with their number in the field. */
function numbered(text: string): { line: number; text: string }[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')
}

/** `host address`, as in a hosts file but with the name first; an address that is missing is the schema's to refuse. */
function pair(line: string): [host: string, address: string | undefined] {
  const [host = '', address] = line.split(/[\s=]+/)
  return [host, address]
}

function optional(name: keyof HarvestDefinition, value: Typed): Record<string, Typed> {
  return value === '' ? {} : { [name]: value }
}

/** Bytes and seconds are whole, also when 1.5 GB were asked for. */
function times(value: Typed, factor: number): Typed {
  return typeof value === 'number' ? Math.round(value * factor) : value
}

function isField(field: PropertyKey | undefined): field is keyof HarvestDraft {
  return typeof field === 'string' && Object.hasOwn(emptyDraft, field)
}
