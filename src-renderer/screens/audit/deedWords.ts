/** An entry of the audit trail in words: what was done by whom to what, and how it was before and after. What was told of a
 *  deed is whatever its doer wrote down (see `archive/audit/audit.ts`), so everything here is looked at before it is believed: an
 *  entry of an older Loupe, or one that somebody edited, is still to be read. */
import { auditDeeds, auditShells, type AuditDeed } from '../../../src-main/contract/shapes/choices.ts'
import type { AuditEntry } from '../../../src-main/contract/services/archive.ts'
import { checkStates, preservationStates } from '../../../src-main/contract/states/states.ts'
import { checksumStart, type Formats } from '../../parts/formats.ts'
import { isWord, type Say } from '../../words/words.tsx'

export interface DeedWords {
  what: string
  before: string
  after: string
}

export interface Language {
  say: Say
  formats: Formats
}

export function deedWords(language: Language, entry: AuditEntry): DeedWords {
  const deed = auditDeeds.find((known) => known === entry.what)
  if (deed === undefined)
    return { what: language.say('audit.what.unknown', { what: entry.what }), before: '–', after: '–' }
  const given = { was: fieldsOf(entry.was), became: fieldsOf(entry.became), ...language }
  const { what, before, after } = deeds[deed](given)
  return { what: what ?? language.say(`audit.what.${deed}`), before: before ?? '–', after: after ?? '–' }
}

type Given = Language & { was: Fields; became: Fields }
type Said = { [Part in keyof DeedWords]?: string | undefined }

const deeds: Record<AuditDeed, (given: Given) => Said> = {
  store: ({ say, formats, became }) => ({
    before: say('audit.said.notInArchive'),
    after: say('audit.said.stored', {
      size: typeof became['bytes'] === 'number' ? formats.bytes(became['bytes']) : '?',
      replicas: listOf(became['replicas']),
    }),
  }),
  recover: ({ say, formats, became }) =>
    'registered' in became
      ? {
          after: say('audit.said.recovered', {
            files: numberOf(became['registered']),
            jobs: Array.isArray(became['jobs']) ? became['jobs'].length : 0,
          }),
        }
      : {
          before: say('audit.said.notInArchive'),
          after: say('audit.said.stored', {
            size: typeof became['bytes'] === 'number' ? formats.bytes(became['bytes']) : '?',
            replicas: listOf(became['replicas']),
          }),
        },
  assignJob: ({ say, was, became }) => ({ before: ownerOf(say, was['job']), after: ownerOf(say, became['job']) }),
  checkBegun: ({ say, became }) => ({
    what: numberOf(became['filesDone'])
      ? say('audit.said.check.resumed')
      : sentence({ say }, `audit.said.check.${textOf(became['kind'])}`),
    after: say('audit.said.checked', {
      copies: numberOf(became['filesTotal']),
      replicas: listOf(became['replicas']),
    }),
  }),
  checkEnded: ({ say, formats, became }) => ({
    what: sentence({ say }, `audit.said.checkEnded.${textOf(became['state'])}`),
    after: say('audit.said.checkedSome', {
      done: formats.count(numberOf(became['filesDone'])),
      copies: formats.count(numberOf(became['filesTotal'])),
      findings: numberOf(became['findings']),
    }),
  }),
  spotCheckBegun: ({ say, became }) => ({
    after: say('audit.said.files', { files: Array.isArray(became['files']) ? became['files'].length : 0 }),
  }),
  spotCheckEnded: ({ say, became }) => {
    const files = Array.isArray(became['files']) ? became['files'] : []
    const agreed = files.filter((file: unknown) => fieldsOf(file)['verdict'] === 'agree').length
    return { after: say('audit.said.spotsAgreed', { agreed, files: files.length }) }
  },
  finding: (given) => ('spotCheck' in given.became ? spotFinding(given) : copyFinding(given)),
  inOrderAgain: (given) => ({ before: copyState(given, given.was), after: copyState(given, given.became) }),
  repair: (given) => ({
    what: sentence(given, `audit.said.repair.${textOf(given.became['kind'])}`),
    before: copyBytes(given, given.was),
    after: given.say('audit.said.fromReplica', {
      replica: textOf(given.became['replica']),
      text: shortChecksum(given.became['sha256']) ?? given.say('audit.said.unknownThere'),
      source: textOf(given.became['source']),
    }),
  }),
  repairRefused: (given) => ({ before: copyBytes(given, given.was), after: said(given.became['text']) }),
  repairFailed: (given) => ({ before: copyBytes(given, given.was), after: said(given.became['text']) }),
  setAside: (given) => ({
    before: copyBytes(given, given.was),
    after: given.say('audit.said.inAttic', { attic: numberOf(given.became['attic']) }),
  }),
  restoreFromAttic: ({ say, was, became }) => ({
    before: say('audit.said.inAttic', { attic: numberOf(was['attic']) }),
    after:
      became['state'] === 'stored'
        ? say('audit.said.asFile', { name: textOf(became['name']) })
        : say('audit.said.notStored'),
  }),
  auditHeadMade: ({ say, was }) => ({
    before: typeof was['movedTo'] === 'string' ? say('audit.said.databaseBefore', { file: was['movedTo'] }) : undefined,
  }),
  permissions: ({ say, was, became }) => ({
    before: say('audit.said.permissions', { mode: textOf(was['mode']) }),
    after: say('audit.said.permissions', { mode: textOf(became['mode']) }),
  }),
  settings: (given) => ({
    before: changedOf(given, given.was, given.became),
    after: changedOf(given, given.became, given.was),
  }),
  databaseRestored: ({ say, was, became }) => ({
    before: typeof was['movedTo'] === 'string' ? say('audit.said.databaseBefore', { file: was['movedTo'] }) : undefined,
    after:
      typeof became['made'] === 'string'
        ? say('audit.said.databaseAfter', { made: became['made'].slice(0, 16).replace('T', ' ') })
        : say('audit.said.databaseAfter.unknown'),
  }),
}

/** Whose a file was, or is. */
function ownerOf(say: Say, job: unknown): string {
  return typeof job === 'number' ? say('audit.said.ofJob', { job }) : say('audit.said.ofNoJob')
}

/** Of these settings, those that are not so in the others. */
function changedOf({ say }: Pick<Given, 'say'>, these: Fields, others: Fields): string | undefined {
  const changed = Object.entries(these).filter(
    ([path, value]) => JSON.stringify(value) !== JSON.stringify(others[path]),
  )
  if (changed.length === 0) return undefined
  return changed
    .map(([path, value]) => `${sentence({ say }, `audit.field.${path}`) ?? path}: ${JSON.stringify(value)}`)
    .join('; ')
}

function copyFinding(given: Given): Said {
  const { say, was, became } = given
  const finding = textOf(became['finding'])
  const known = Object.hasOwn(withoutCopy, finding) ? withoutCopy[finding as keyof typeof withoutCopy] : undefined
  return {
    what: sentence({ say }, `audit.said.finding.${finding}`),
    before: known ? undefined : copyState(given, was),
    after: known
      ? say('audit.said.copy', { replica: textOf(became['replica']), text: say(known) })
      : copyState(given, became),
  }
}

/** What is found where the catalogue knows no copy, which therefore has no state. */
const withoutCopy = { surplus: 'audit.said.notInCatalogue', notStored: 'audit.said.isNotStored' } as const

function spotFinding({ say, became }: Given): Said {
  return {
    what: sentence({ say }, `audit.said.spot.${textOf(became['verdict'])}`),
    after: say('audit.said.spotCheck', { number: numberOf(became['spotCheck']) }),
  }
}

/** 'ONE: Missing'. */
function copyState({ say }: Pick<Given, 'say'>, { replica, state }: Fields): string | undefined {
  const known = preservationStates.states.find((name) => name === state)
  return known && say('audit.said.copy', { replica: textOf(replica), text: preservationStates.rows[known].badge })
}

/** 'ONE: 2f0c46e1aa…'. */
function copyBytes({ say }: Pick<Given, 'say'>, { replica, sha256, seen }: Fields): string {
  const nothing = seen === undefined || seen === 'absent' ? 'audit.said.nothingThere' : 'audit.said.unknownThere'
  return say('audit.said.copy', { replica: textOf(replica), text: shortChecksum(sha256) ?? say(nothing) })
}

/** Who did it; a job leads to its page. */
export function actorWords({ say }: Pick<Language, 'say'>, who: string): { text: string; job: number | null } {
  const job = /^job ([1-9]\d{0,14})$/.exec(who)?.[1]
  if (job !== undefined) return { text: say('audit.who.theJob', { job }), job: Number(job) }
  const known = (['person', 'schedule', 'opening', 'recovery', 'upload'] as const).find((actor) => actor === who)
  return { text: known ? say(`audit.who.${known}`) : who, job: null }
}

/** The account, the host and the shell. `short` leaves out the host, which is the same in most entries of an archive. */
export function originWords(
  { say }: Pick<Language, 'say'>,
  { origin }: Pick<AuditEntry, 'origin'>,
): { short: string; whole: string } {
  if (origin === null) return { short: '', whole: say('audit.origin.unknown') }
  const known = auditShells.find((name) => name === origin.shell)
  const told = { ...origin, shell: known ? say(`audit.shell.${known}`) : origin.shell }
  return { short: say('audit.origin.short', told), whole: say('audit.origin.whole', told) }
}

/** Deeds whose subject is a file that the catalogue knows; a file may be called as a check is. */
const deedsOnFiles: readonly string[] = [
  'store',
  'finding',
  'inOrderAgain',
  'repair',
  'repairRefused',
  'repairFailed',
  'setAside',
  'restoreFromAttic',
] satisfies AuditDeed[]

export type Subject =
  | { is: 'file'; text: string }
  | { is: 'text'; text: string }
  | { is: 'check'; text: string; check: number }

export function subjectOf({ say }: Pick<Language, 'say'>, { what, subject, became }: AuditEntry): Subject {
  if (deedsOnFiles.includes(what)) {
    const isKnown = fieldsOf(became)['finding'] !== 'surplus'
    return isKnown ? { is: 'file', text: subject } : { is: 'text', text: subject }
  }
  const check = /^check (\d+)$/.exec(subject)?.[1]
  if (check !== undefined)
    return { is: 'check', text: say('audit.subject.check', { number: check }), check: Number(check) }
  const spotCheck = /^spot check (\d+)$/.exec(subject)?.[1]
  return { is: 'text', text: spotCheck ? say('audit.subject.spotCheck', { number: spotCheck }) : subject }
}

/** What was told, name by name; a name that nobody has words for stands as it is. */
export function toldFacts(language: Language, told: unknown): { name: string; value: string }[] {
  return Object.entries(fieldsOf(told))
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ({
      name: sentence(language, `audit.field.${key}`) ?? key,
      value: valueWords(language, key, value),
    }))
}

function valueWords(language: Language, key: string, value: unknown): string {
  const { say, formats } = language
  if (typeof value === 'number') return key === 'bytes' ? formats.bytes(value) : formats.count(value)
  if (typeof value === 'string')
    return sentence(language, `audit.value.${key}.${value}`) ?? stateWords(language, key, value)
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value
    .map((item: unknown) => {
      const { replica, hmac, why, problem } = fieldsOf(item)
      if (replica === undefined) return typeof item === 'string' ? item : JSON.stringify(item)
      if (typeof hmac === 'string') return say('audit.value.answer.hmac', { replica: textOf(replica), hmac })
      if (typeof problem === 'string') return say('audit.value.replica', { replica: textOf(replica), problem })
      return say('audit.value.answer.why', { replica: textOf(replica), why: textOf(why) })
    })
    .join('\n')
}

function stateWords({ say }: Language, key: string, value: string): string {
  if (key === 'finding') return sentence({ say }, `finding.${value}`) ?? value
  if (key !== 'state') return value
  const copy = preservationStates.states.find((name) => name === value)
  const check = checkStates.states.find((name) => name === value)
  return copy ? preservationStates.rows[copy].badge : check ? checkStates.rows[check].badge : value
}

type Fields = Record<string, unknown>

function fieldsOf(told: unknown): Fields {
  return typeof told === 'object' && told !== null ? Object.fromEntries(Object.entries(told)) : {}
}

function sentence({ say }: Pick<Language, 'say'>, id: string): string | undefined {
  return isWord(id) ? say(id) : undefined
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

function said(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
