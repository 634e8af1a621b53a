/** Settings of this floor, under `notifications` in loupe.toml. */
import { z } from 'zod'
import { refusedAs } from '../../contract/calls/refusedValue.ts'
import { numberSetting, type SettingDeclaration } from '../../contract/services/settings.ts'
import { message } from '../../contract/words/message.ts'
import { readRule } from './rules.ts'

/** Values of all settings of the floor. */
export interface NotificationSettings {
  rules: readonly string[]
  /** `smtp://HOST:PORT` or `smtps://HOST:PORT`; '': no e-mail. */
  smtp: string
  /** Name of the credential for the mail server; '': none is needed. */
  smtpCredential: string
  /** Sender of e-mails. */
  from: string
  /** URL to which notifications are posted; '': none. */
  webhook: string
  /** Path of an ES module of the user; '': none. */
  module: string
  moduleSettings: Readonly<Record<string, string>>
  /** Equal notifications within this time are one. */
  combineMinutes: number
  /** Attempts of a channel after which a notification is given up. */
  attemptsMax: number
}

const rule = z.string().superRefine((text, { addIssue }) => {
  const read = readRule(text)
  if ('problem' in read) addIssue({ code: 'custom', ...refusedAs(() => read.problem) })
})
const urlOf = (...protocols: string[]) =>
  z.string().refine(
    (text) => text === '' || (URL.canParse(text) && protocols.includes(new URL(text).protocol)),
    refusedAs((field) => message('value.urlOf', { field, protocols: protocols.map((each) => `${each}//`).join(', ') })),
  )

function text(name: string, example: string, shape: z.ZodType = z.string()): SettingDeclaration {
  return { path: `notifications.${name}`, kind: 'text', default: '', example, shape, atStart: false }
}

/** The declarations. */
export const notificationSettings: readonly SettingDeclaration[] = [
  {
    ...{ path: 'notifications.rules', kind: 'list', shape: z.array(rule), atStart: false },
    default: ['all -> log', 'warnings -> desktop'],
    example: ['all -> log', 'errors -> desktop, email:anna@library.example', 'abnormalRun in News* -> webhook'],
  },
  text('smtp', 'smtp://mail.library.example:587', urlOf('smtp:', 'smtps:')),
  text('smtpCredential', 'mail'),
  text('from', 'loupe@library.example'),
  text('webhook', 'https://chat.library.example/hooks/loupe', urlOf('http:', 'https:')),
  { ...text('module', '/etc/loupe/pager.mjs'), isOfArchive: true },
  {
    ...{ path: 'notifications.moduleSettings', kind: 'map', default: {}, atStart: false, isOfArchive: true },
    ...{ example: { number: '+45 1234' }, shape: z.record(z.string(), z.string()) },
  },
  numberSetting('notifications.combineMinutes', { unit: 'min', min: 0, default: 60, example: 1_440 }),
  numberSetting('notifications.attemptsMax', { min: 1, default: 10, example: 3 }),
]

/** The values where the file has none. */
export const defaultNotificationSettings = Object.fromEntries(
  notificationSettings.map(({ path, default: usual }) => [path.slice('notifications.'.length), usual]),
) as unknown as NotificationSettings
