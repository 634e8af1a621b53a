/** A connection of the authority service as it is typed, and what is wrong with it. */
import type {
  AuthorityConnectionInput,
  AuthorityConnectionRow,
  AuthorityKind,
} from '../../../src-main/contract/services/authorities.ts'
import type { Translate } from '../../words/words.tsx'
import { connectorFields, usualConnector } from './connectorFields.ts'

export interface AuthorityDraft {
  name: string
  description: string
  connector: string
  /** By name; those of other connectors stay while the form is open. */
  settings: Readonly<Record<string, string>>
  /** Settings of a module of the user: one per line, as `name=value`. */
  lines: string
  /** '': none. */
  mapping: string
  /** '': the default domain. */
  domain: string
  group: string
  connectionsMax: number | string
  answerSecondsMax: number | string
  cacheSeconds: number | string
  cachedUsersMax: number | string
}

/** Bounds of the numbers, as the contract has them. */
const bounds = {
  connectionsMax: { least: 1, most: 1_000 },
  answerSecondsMax: { least: 1, most: 600 },
  cacheSeconds: { least: 0, most: 86_400 },
  cachedUsersMax: { least: 1, most: 1_000_000 },
}
export type LimitName = keyof typeof bounds
export const limitNames = Object.keys(bounds) as LimitName[]

/** `group`: the group that a new authority has at first. */
export function newAuthority(kind: AuthorityKind, group: string): AuthorityDraft {
  return {
    ...{ name: '', description: '', connector: usualConnector[kind], settings: {}, lines: '', mapping: '' },
    ...{ domain: '', group, connectionsMax: 10, answerSecondsMax: 10, cacheSeconds: 60, cachedUsersMax: 1_000 },
  }
}

export function authorityDraftOf(row: AuthorityConnectionRow): AuthorityDraft {
  const { kind: _, mapping = '', ...rest } = row
  const lines = Object.entries(row.settings).map(([name, value]) => `${name}=${value}`)
  return { domain: '', group: '', ...rest, mapping, lines: lines.join('\n') }
}

/** The error of each control, under the engine's name of its field, in the order of the form. */
export function authorityProblems(
  t: Translate,
  kind: AuthorityKind,
  draft: AuthorityDraft,
): Record<string, string | null> {
  const needed = (text: string) => (text.trim() === '' ? t('access.needed') : null)
  const fields = connectorFields(draft.connector)
  return {
    name: needed(draft.name),
    description: null,
    connector: null,
    ...(fields
      ? Object.fromEntries(
          fields.map(({ name, isRequired }) => [name, isRequired ? needed(draft.settings[name] ?? '') : null]),
        )
      : { settings: lineProblem(t, draft.lines) }),
    ...(kind === 'authority' && { group: draft.group === '' ? t('authorities.group.none') : null, domain: null }),
    mapping: null,
    ...Object.fromEntries(limitNames.map((name) => [name, limitProblem(t, name, draft[name])])),
  }
}

function limitProblem(t: Translate, name: LimitName, value: number | string): string | null {
  const { least, most } = bounds[name]
  const isFitting = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
  return isFitting ? null : t('authorities.number', { least, most })
}

function lineProblem(t: Translate, lines: string): string | null {
  const line = lines.split('\n').findIndex((text) => text.trim() !== '' && text.indexOf('=') < 1) + 1
  return line === 0 ? null : t('authorities.settings.wrong', { line })
}

/** What the engine is given; the draft has no problem. Settings that are left empty are left out. */
export function authorityInput(kind: AuthorityKind, draft: AuthorityDraft): AuthorityConnectionInput {
  const { group, domain, mapping } = draft
  const common = {
    ...{ name: draft.name.trim(), description: draft.description.trim(), connector: draft.connector },
    settings: settingsOf(draft),
    connectionsMax: Number(draft.connectionsMax),
    answerSecondsMax: Number(draft.answerSecondsMax),
    cacheSeconds: Number(draft.cacheSeconds),
    cachedUsersMax: Number(draft.cachedUsersMax),
    ...(mapping !== '' && { mapping }),
  }
  return kind === 'mapping' ? { kind, ...common } : { kind, ...common, group, domain }
}

function settingsOf({ connector, settings, lines }: AuthorityDraft): Record<string, string> {
  const fields = connectorFields(connector)
  const pairs = fields
    ? fields.map(({ name }): [string, string] => [name, (settings[name] ?? '').trim()])
    : lines.split('\n').map((line): [string, string] => {
        const at = line.indexOf('=')
        return [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()]
      })
  return Object.fromEntries(pairs.filter(([name, value]) => name !== '' && value !== ''))
}
