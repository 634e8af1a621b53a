/**
 * Logins in a harvest's definition, and calls about credentials. A definition names a credential and never contains one; no answer ever
 * returns one.
 */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { loginRecordings } from '../shapes/choices.ts'
import { messageShape, time } from '../shapes/shapes.ts'
import { call } from '../calls/service.ts'
import { message } from '../words/message.ts'

/** A name is used in file names of key stores and in sentences. */
const credentialName = z
  .string()
  .trim()
  .refine(
    (text) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text),
    refusedAs((field) => message('value.credentialName', { field })),
  )

/** Prefix of a URL. User information is refused: a definition must contain no password. */
const address = z
  .string()
  .trim()
  .max(2_000)
  .refine(
    (text) => /^https?:\/\/[^\s/?#@]+(?:[/?][^\s#]*)?$/i.test(text),
    refusedAs((field) => message('value.url', { field })),
  )

/** Conditions by which an answer is recognised. All that are given must hold; a rule without any means Loupe's default. */
const answerRule = z.strictObject({
  status: z.int().min(100).max(599).optional(),
  /** Prefix of the URL of a redirect's target. */
  address: z.string().trim().min(1).max(2_000).optional(),
  /** Text that the page contains, and text that it must not contain. */
  text: z.string().min(1).max(1_000).optional(),
  textAbsent: z.string().min(1).max(1_000).optional(),
})
export type AnswerRule = z.output<typeof answerRule>

const area = {
  credential: credentialName,
  /** Prefixes of the URLs of the documents that need the login. The password is sent to no others. */
  urls: z.array(address).min(1).max(100),
  /** Whether to log in also to servers with an untrusted certificate. */
  untrusted: z.boolean().default(false),
}

/** HTTP authentication (RFC 7617, RFC 7616). `digest` never answers a server that asks for basic. */
const httpLogin = z.strictObject({ kind: z.enum(['basic', 'digest']), ...area })
export type HttpLogin = z.output<typeof httpLogin>

/** Logout links are recognised by their names. */
export const usualAvoid = ['(?:log|sign)[-_]?(?:out|off)']

const fieldName = z.string().min(1).max(200)

/** Login by a form: it is filled in and sent, and later requests carry the resulting cookies. */
const formLogin = z.strictObject({
  kind: z.literal('form'),
  ...area,
  /** The page with the form. */
  page: address,
  userField: fieldName,
  passwordField: fieldName,
  /** Other fields of the form. The definition is archived, so they must not be secret. */
  otherFields: z.record(z.string(), z.string().max(2_000)).default({}),
  /** Address to which the form may send the password other than the server of the page. */
  submitsTo: address.optional(),
  /** Recognises the page after the form. Default: it no longer has the form, and is not an error. */
  success: answerRule.default({}),
  /** Recognises that the session has ended. Default: 401, or a redirect to the page with the form. */
  loggedOut: answerRule.default({}),
  /** Patterns, matched without case, of URLs that are never fetched in the area: they would end the session. */
  avoid: z.array(z.string()).max(100).default(usualAvoid),
})
export type FormLogin = z.output<typeof formLogin>

/** Most areas of a definition: a generated job has those of all its domains. */
const areasMax = 10_000

/** Where a URL belongs to several areas, the longest prefix counts. */
export const loginAreas = z
  .array(z.discriminatedUnion('kind', [httpLogin, formLogin]))
  .min(1)
  .max(areasMax)

/** Shape of the logins of a harvest. */
export const loginShape = z.strictObject({
  areas: loginAreas,
  /**
   * What WARC files store of a login: requests without Authorization and cookie values; in addition, answers without the values of session
   * cookies; or every byte as it was sent, including secrets.
   */
  recorded: z.enum(loginRecordings).default('withoutSecrets'),
})
export type Login = z.output<typeof loginShape>
export type LoginArea = Login['areas'][number]

/** Where credentials can be stored: the key store of the operating system, or a file that only the account may read. */
export const keyStoreKinds = ['secretTool', 'keychain', 'dataProtection', 'sealedFile', 'plainFile'] as const
export type KeyStoreKind = (typeof keyStoreKinds)[number]

const kept = z.object({ kind: z.enum(keyStoreKinds), message: messageShape, isProtected: z.boolean() })
export type KeptIn = z.output<typeof kept>

const credential = z.object({ name: credentialName, set: time, store: kept })
export type CredentialRow = z.output<typeof credential>

export const credentialCalls = {
  /** Lists credentials. `store`: where the next one would be stored. */
  list: call(z.strictObject({}), z.object({ store: kept, credentials: z.array(credential) })),
  /** Stores a credential. One of the same name is replaced. */
  set: call(
    z.strictObject({ name: credentialName, user: z.string().min(1).max(1_000), password: z.string().max(10_000) }),
    credential,
  ),
  remove: call(z.strictObject({ name: credentialName }), z.object({ name: credentialName })),
}
