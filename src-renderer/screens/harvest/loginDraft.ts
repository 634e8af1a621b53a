/** The login part of the harvest form as it is typed, and the input for the contract's schema. */
import { usualAvoid, type AnswerRule, type Login, type LoginArea } from '../../../src-main/contract/services/login.ts'
import { textsIn } from './typedLines.ts'

export const loginKinds = ['form', 'basic', 'digest'] as const satisfies readonly LoginArea['kind'][]
export const answerRules = ['success', 'loggedOut'] as const
export const answerFields = ['text', 'textAbsent', 'address', 'status'] as const

export type AnswerRuleDraft = Record<Exclude<(typeof answerFields)[number], 'status'>, string> & {
  status: number | string
}

/** Input for one login method is kept when another is chosen. */
export interface LoginAreaDraft extends Record<(typeof answerRules)[number], AnswerRuleDraft> {
  /** Identifies the area in the form when one before it is removed. */
  id: number
  kind: LoginArea['kind']
  credential: string
  urls: string
  untrusted: boolean
  page: string
  userField: string
  passwordField: string
  /** `name=value`, one per line. */
  otherFields: string
  submitsTo: string
  avoid: string
}

export interface LoginDraft {
  areas: LoginAreaDraft[]
  recorded: Login['recorded']
}

export const noLogin: LoginDraft = { areas: [], recorded: 'withoutSecrets' }
const emptyRule: AnswerRuleDraft = { text: '', textAbsent: '', address: '', status: '' }

export function emptyArea(id: number): LoginAreaDraft {
  return {
    id,
    kind: 'form',
    credential: '',
    urls: '',
    untrusted: false,
    page: '',
    userField: '',
    passwordField: '',
    otherFields: '',
    submitsTo: '',
    success: emptyRule,
    loggedOut: emptyRule,
    avoid: usualAvoid.join('\n'),
  }
}

/** Undefined when there is no login. */
export function loginInput({ areas, recorded }: LoginDraft): object | undefined {
  return areas.length === 0 ? undefined : { areas: areas.map(areaInput), recorded }
}

function areaInput(draft: LoginAreaDraft): object {
  const { kind, credential, untrusted } = draft
  const common = { credential, urls: textsIn(draft.urls), untrusted }
  if (kind !== 'form') return { kind, ...common }
  return {
    kind,
    ...common,
    page: draft.page,
    userField: draft.userField,
    passwordField: draft.passwordField,
    otherFields: Object.fromEntries(textsIn(draft.otherFields).map(pair)),
    ...(draft.submitsTo.trim() === '' ? {} : { submitsTo: draft.submitsTo }),
    success: ruleInput(draft.success),
    loggedOut: ruleInput(draft.loggedOut),
    avoid: textsIn(draft.avoid),
  }
}

/** Empty fields are omitted. A status that is not a number is refused by the schema. */
function ruleInput({ status, ...texts }: AnswerRuleDraft): object {
  const filled = Object.entries(texts).filter(([, text]) => text.trim() !== '')
  return {
    ...Object.fromEntries(filled.map(([name, text]) => [name, text.trim()])),
    ...(status === '' ? {} : { status }),
  }
}

function pair(line: string): [name: string, value: string] {
  const end = line.indexOf('=')
  return end < 0 ? [line, ''] : [line.slice(0, end).trim(), line.slice(end + 1).trim()]
}

export function loginDraftOf(login: Login | undefined): LoginDraft {
  if (!login) return noLogin
  return { areas: login.areas.map(areaDraftOf), recorded: login.recorded }
}

function areaDraftOf(area: LoginArea, id: number): LoginAreaDraft {
  const { kind, credential, untrusted } = area
  const common = { ...emptyArea(id), kind, credential, untrusted, urls: area.urls.join('\n') }
  if (area.kind !== 'form') return common
  const { page, userField, passwordField, otherFields, submitsTo = '', success, loggedOut, avoid } = area
  return {
    ...common,
    ...{ page, userField, passwordField, submitsTo },
    otherFields: Object.entries(otherFields)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
    success: ruleDraftOf(success),
    loggedOut: ruleDraftOf(loggedOut),
    avoid: avoid.join('\n'),
  }
}

function ruleDraftOf({ text = '', textAbsent = '', address = '', status }: AnswerRule): AnswerRuleDraft {
  return { text, textAbsent, address, status: status ?? '' }
}
