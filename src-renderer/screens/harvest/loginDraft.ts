/** The login part of the harvest form as it is typed: one area; a harvest with several comes from the command line. */
import type { z } from 'zod'
import type { harvestDefinition } from '../../../src-main/contract/contract.ts'

export const loginKinds = ['none', 'form', 'basic', 'digest'] as const

export interface LoginDraft {
  kind: (typeof loginKinds)[number]
  credential: string
  urls: string
  page: string
  userField: string
  passwordField: string
  success: string
  loggedOut: string
}

export const emptyLogin: LoginDraft = {
  kind: 'none',
  credential: '',
  urls: '',
  page: '',
  userField: '',
  passwordField: '',
  success: '',
  loggedOut: '',
}

type LoginInput = NonNullable<z.input<typeof harvestDefinition>['login']>

/** `urls`: the lines that are not empty. */
export function loginInput(draft: LoginDraft, urls: string[]): LoginInput | undefined {
  const { kind, credential } = draft
  if (kind === 'none') return undefined
  if (kind !== 'form') return { areas: [{ kind, credential, urls }] }
  const { page, userField, passwordField, success, loggedOut } = draft
  const rules = { ...rule('success', success), ...rule('loggedOut', loggedOut) }
  return { areas: [{ kind, credential, urls, page, userField, passwordField, ...rules }] }
}

function rule<Name extends string>(name: Name, text: string): Partial<Record<Name, { text: string }>> {
  return text.trim() === '' ? {} : ({ [name]: { text: text.trim() } } as Record<Name, { text: string }>)
}

/** Which field of the draft a complaint is about; the last of its path that is one. */
export function loginFieldOf(path: readonly PropertyKey[]): keyof LoginDraft {
  const field = path.findLast(
    (part): part is keyof LoginDraft => typeof part === 'string' && Object.hasOwn(emptyLogin, part),
  )
  return field ?? 'kind'
}
