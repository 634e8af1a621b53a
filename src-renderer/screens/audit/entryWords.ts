/** An entry of the audit log in words: actor, action, subject, and the state before and after. The details of an action are written by its
 *  actor (`archive/audit/audit.ts`) and checked here before use, so that an entry of an older version, or one that was edited, can still be
 *  shown. */
import { roleMessage, roles } from '../../../src-main/contract/calls/caller.ts'
import { auditActions, type AuditActionName } from '../../../src-main/contract/shapes/choices.ts'
import type { AuditEntry } from '../../../src-main/contract/services/audit.ts'
import {
  actionMessage,
  actorMessage,
  jobOfActor,
  shellMessage,
} from '../../../src-main/contract/services/auditLabels.ts'
import { preservationStates } from '../../../src-main/contract/states/states.ts'
import { taskStates } from '../../../src-main/contract/states/taskStates.ts'
import { messageIn } from '../../../src-main/contract/words/message.ts'
import { checksumStart, type Formats } from '../../parts/formats.ts'
import { isWord, type Translate } from '../../words/words.tsx'

export interface EntryWords {
  what: string
  before: string
  after: string
}

export interface Language {
  t: Translate
  formats: Formats
}

export function entryWords(language: Language, entry: AuditEntry): EntryWords {
  const action = auditActions.find((known) => known === entry.what)
  if (action === undefined) return { what: language.t(actionMessage(entry.what)), before: '–', after: '–' }
  const given = { was: fieldsOf(entry.was), became: fieldsOf(entry.became), ...language }
  const { what, before, after } = actions[action](given)
  return { what: what ?? language.t(actionMessage(action)), before: before ?? '–', after: after ?? '–' }
}

type Given = Language & { was: Fields; became: Fields }
type Said = { [Part in keyof EntryWords]?: string | undefined }

/** The roles that an account has after an action. */
function rolesSaid({ t, became }: Given): Said {
  const named = became['roles']
  const known = Array.isArray(named) ? roles.filter((role) => named.includes(role)) : []
  return { after: known.map((role) => t(roleMessage(role))).join(', ') || undefined }
}

const actions: Record<AuditActionName, (given: Given) => Said> = {
  store: ({ t, formats, became }) => ({
    before: t('audit.entry.notInArchive'),
    after: t('audit.entry.stored', {
      size: typeof became['bytes'] === 'number' ? formats.bytes(became['bytes']) : '?',
      replicas: listOf(became['replicas']),
    }),
  }),
  recover: ({ t, formats, became }) =>
    'registered' in became
      ? {
          after: t('audit.entry.recovered', {
            files: numberOf(became['registered']),
            jobs: Array.isArray(became['jobs']) ? became['jobs'].length : 0,
          }),
        }
      : {
          before: t('audit.entry.notInArchive'),
          after: t('audit.entry.stored', {
            size: typeof became['bytes'] === 'number' ? formats.bytes(became['bytes']) : '?',
            replicas: listOf(became['replicas']),
          }),
        },
  assignJob: ({ t, was, became }) => ({ before: ownerOf(t, was['job']), after: ownerOf(t, became['job']) }),
  checkBegun: ({ t, became }) => ({
    what: numberOf(became['filesDone'])
      ? t('audit.entry.check.resumed')
      : sentence({ t }, `audit.entry.check.${textOf(became['kind'])}`),
    after: t('audit.entry.checked', {
      copies: numberOf(became['filesTotal']),
      replicas: listOf(became['replicas']),
    }),
  }),
  checkEnded: ({ t, formats, became }) => ({
    what: sentence({ t }, `audit.entry.checkEnded.${textOf(became['state'])}`),
    after: t('audit.entry.checkedSome', {
      done: formats.count(numberOf(became['filesDone'])),
      copies: formats.count(numberOf(became['filesTotal'])),
      findings: numberOf(became['findings']),
    }),
  }),
  spotCheckBegun: ({ t, became }) => ({
    after: t('audit.entry.files', { files: Array.isArray(became['files']) ? became['files'].length : 0 }),
  }),
  spotCheckEnded: ({ t, became }) => {
    const files = Array.isArray(became['files']) ? became['files'] : []
    const agreed = files.filter((file: unknown) => fieldsOf(file)['verdict'] === 'agree').length
    return { after: t('audit.entry.spotsAgreed', { agreed, files: files.length }) }
  },
  finding: (given) => ('spotCheck' in given.became ? spotFinding(given) : copyFinding(given)),
  inOrderAgain: (given) => ({ before: copyState(given, given.was), after: copyState(given, given.became) }),
  repair: (given) => ({
    what: sentence(given, `audit.entry.repair.${textOf(given.became['kind'])}`),
    before: copyBytes(given, given.was),
    after: given.t('audit.entry.fromReplica', {
      replica: textOf(given.became['replica']),
      text: shortChecksum(given.became['sha256']) ?? given.t('audit.entry.unknownThere'),
      source: textOf(given.became['source']),
    }),
  }),
  repairRefused: (given) => ({ before: copyBytes(given, given.was), after: reasonText(given) }),
  repairFailed: (given) => ({ before: copyBytes(given, given.was), after: reasonText(given) }),
  setAside: (given) => ({
    before: copyBytes(given, given.was),
    after: given.t('audit.entry.inAttic', { attic: numberOf(given.became['attic']) }),
  }),
  restoreFromAttic: ({ t, was, became }) => ({
    before: t('audit.entry.inAttic', { attic: numberOf(was['attic']) }),
    after:
      became['state'] === 'stored'
        ? t('audit.entry.asFile', { name: textOf(became['name']) })
        : t('audit.entry.notStored'),
  }),
  auditHeadMade: ({ t, was }) => ({
    before: typeof was['movedTo'] === 'string' ? t('audit.entry.databaseBefore', { file: was['movedTo'] }) : undefined,
  }),
  permissions: ({ t, was, became }) => ({
    before: t('audit.entry.permissions', { mode: textOf(was['mode']) }),
    after: t('audit.entry.permissions', { mode: textOf(became['mode']) }),
  }),
  securityRule: ({ t, was, became }) => ({ before: tokensText(t, was), after: tokensText(t, became) }),
  accountAdded: rolesSaid,
  accountRemoved: () => ({}),
  passwordSet: () => ({}),
  rolesSet: rolesSaid,
  sessionRevoked: () => ({}),
  settings: (given) => ({
    before: changedOf(given, given.was, given.became),
    after: changedOf(given, given.became, given.was),
  }),
  databaseRestored: ({ t, was, became }) => ({
    before: typeof was['movedTo'] === 'string' ? t('audit.entry.databaseBefore', { file: was['movedTo'] }) : undefined,
    after:
      typeof became['made'] === 'string'
        ? t('audit.entry.databaseAfter', { made: became['made'].slice(0, 16).replace('T', ' ') })
        : t('audit.entry.databaseAfter.unknown'),
  }),
}

/** The job that a file belongs or belonged to. */
function ownerOf(t: Translate, job: unknown): string {
  return typeof job === 'number' ? t('audit.entry.ofJob', { job }) : t('audit.entry.ofNoJob')
}

/** The settings that differ from the others. */
function changedOf({ t }: Pick<Given, 't'>, these: Fields, others: Fields): string | undefined {
  const changed = Object.entries(these).filter(
    ([path, value]) => JSON.stringify(value) !== JSON.stringify(others[path]),
  )
  if (changed.length === 0) return undefined
  return changed
    .map(([path, value]) => `${sentence({ t }, `audit.field.${path}`) ?? path}: ${JSON.stringify(value)}`)
    .join('; ')
}

function copyFinding(given: Given): Said {
  const { t, was, became } = given
  const finding = textOf(became['finding'])
  const known = Object.hasOwn(withoutCopy, finding) ? withoutCopy[finding as keyof typeof withoutCopy] : undefined
  return {
    what: sentence({ t }, `audit.entry.finding.${finding}`),
    before: known ? undefined : copyState(given, was),
    after: known
      ? t('audit.entry.copy', { replica: textOf(became['replica']), text: t(known) })
      : copyState(given, became),
  }
}

/** States in which the catalogue knows no copy. */
const withoutCopy = { surplus: 'audit.entry.notInCatalogue', notStored: 'audit.entry.isNotStored' } as const

function spotFinding({ t, became }: Given): Said {
  return {
    what: sentence({ t }, `audit.entry.spot.${textOf(became['verdict'])}`),
    after: t('audit.entry.spotCheck', { number: numberOf(became['spotCheck']) }),
  }
}

/** 'ONE: Missing'. */
function copyState({ t }: Pick<Given, 't'>, { replica, state }: Fields): string | undefined {
  const known = preservationStates.states.find((name) => name === state)
  return known && t('audit.entry.copy', { replica: textOf(replica), text: t(preservationStates.rows[known].badge) })
}

/** 'ONE: 2f0c46e1aa…'. */
function copyBytes({ t }: Pick<Given, 't'>, { replica, sha256, seen }: Fields): string {
  const nothing = seen === undefined || seen === 'absent' ? 'audit.entry.nothingThere' : 'audit.entry.unknownThere'
  return t('audit.entry.copy', { replica: textOf(replica), text: shortChecksum(sha256) ?? t(nothing) })
}

/** The actor of an entry; a job links to its page. */
export function actorWords({ t }: Pick<Language, 't'>, who: string): { text: string; job: number | null } {
  return { text: t(actorMessage(who)), job: jobOfActor(who) }
}

/** The account, the host and the shell. `short` leaves out the host, which is the same in most entries of an archive. */
export function originWords(
  { t }: Pick<Language, 't'>,
  { origin }: Pick<AuditEntry, 'origin'>,
): { short: string; whole: string } {
  if (origin === null) return { short: '', whole: t('audit.origin.unknown') }
  const values = { ...origin, shell: t(shellMessage(origin.shell)) }
  return { short: t('audit.origin.short', values), whole: t('audit.origin.whole', values) }
}

/** Actions whose subject is a file of the catalogue. Other subjects, such as a check, may have the same name as a file. */
const actionsOnFiles: readonly string[] = [
  'store',
  'finding',
  'inOrderAgain',
  'repair',
  'repairRefused',
  'repairFailed',
  'setAside',
  'restoreFromAttic',
] satisfies AuditActionName[]

export type Subject =
  | { is: 'file'; text: string }
  | { is: 'text'; text: string }
  | { is: 'check'; text: string; check: number }

export function subjectOf({ t }: Pick<Language, 't'>, { what, subject, became }: AuditEntry): Subject {
  if (actionsOnFiles.includes(what)) {
    const isKnown = fieldsOf(became)['finding'] !== 'surplus'
    return isKnown ? { is: 'file', text: subject } : { is: 'text', text: subject }
  }
  const check = /^check (\d+)$/.exec(subject)?.[1]
  if (check !== undefined)
    return { is: 'check', text: t('audit.subject.check', { number: check }), check: Number(check) }
  const spotCheck = /^spot check (\d+)$/.exec(subject)?.[1]
  return { is: 'text', text: spotCheck ? t('audit.subject.spotCheck', { number: spotCheck }) : subject }
}

/** The details by name. A name without text in `words/` is shown as it is. */
export function detailFacts(language: Language, values: unknown): { name: string; value: string }[] {
  return Object.entries(fieldsOf(values))
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ({
      name: sentence(language, `audit.field.${key}`) ?? key,
      value: valueWords(language, key, value),
    }))
}

function valueWords(language: Language, key: string, value: unknown): string {
  const { t, formats } = language
  if (typeof value === 'number') return key === 'bytes' ? formats.bytes(value) : formats.count(value)
  if (typeof value === 'string')
    return sentence(language, `audit.value.${key}.${value}`) ?? stateWords(language, key, value)
  const message = messageIn(value)
  if (message) return t(message)
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value
    .map((item: unknown) => {
      const { replica, hmac, why, problem } = fieldsOf(item)
      if (replica === undefined) return typeof item === 'string' ? item : JSON.stringify(item)
      if (typeof hmac === 'string') return t('audit.value.answer.hmac', { replica: textOf(replica), hmac })
      const reason = messageIn(problem)
      if (reason) return t('audit.value.replica', { replica: textOf(replica), problem: t(reason) })
      const because = messageIn(why)
      return t('audit.value.answer.why', { replica: textOf(replica), why: because ? t(because) : '' })
    })
    .join('\n')
}

function stateWords({ t }: Language, key: string, value: string): string {
  if (key === 'finding') return sentence({ t }, `finding.${value}`) ?? value
  if (key !== 'state') return value
  const copy = preservationStates.states.find((name) => name === value)
  const check = taskStates.states.find((name) => name === value)
  return copy ? t(preservationStates.rows[copy].badge) : check ? t(taskStates.rows[check].badge) : value
}

/** The tokens of a security rule. */
function tokensText(t: Translate, rule: Fields): string | undefined {
  if (!('allow' in rule)) return undefined
  return t('audit.entry.tokens', { allow: listOf(rule['allow']) || '–', deny: listOf(rule['deny']) || '–' })
}

type Fields = Record<string, unknown>

function fieldsOf(values: unknown): Fields {
  return typeof values === 'object' && values !== null ? Object.fromEntries(Object.entries(values)) : {}
}

function sentence({ t }: Pick<Language, 't'>, id: string): string | undefined {
  return isWord(id) ? t(id) : undefined
}

function shortChecksum(value: unknown): string | undefined {
  return typeof value === 'string' ? checksumStart(value) : undefined
}

function listOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : '?'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '?'
}

/** The outcome of a repair. */
function reasonText({ t, became }: Given): string | undefined {
  const ended = messageIn(became['message'])
  return ended && t(ended)
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
