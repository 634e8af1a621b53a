/** Logging in, as a harvest's definition has it, and what may be asked about credentials. A definition names a credential and
 *  never holds one; no answer ever gives one out. */
import { z } from 'zod'
import { loginRecordings } from '../shapes/choices.ts'
import { call } from '../calls/service.ts'

/** A name goes into file names of key stores and into sentences. */
const credentialName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must be at most 100 letters, digits, dots, _ and -')

/** Where an address begins. No user information: a password is not to stand in a definition. */
const address = z
  .string()
  .trim()
  .max(2_000)
  .regex(/^https?:\/\/[^\s/?#@]+(?:[/?][^\s#]*)?$/i, 'an address like https://example.org/members/')

/** How an answer is recognised. What is said must all hold; a rule that says nothing is Loupe's own. */
const answerRule = z.strictObject({
  status: z.int().min(100).max(599).optional(),
  /** How the address begins that one is led to. */
  address: z.string().trim().min(1).max(2_000).optional(),
  /** What stands in the page, and what must not. */
  text: z.string().min(1).max(1_000).optional(),
  textAbsent: z.string().min(1).max(1_000).optional(),
})
export type AnswerRule = z.output<typeof answerRule>

const area = {
  credential: credentialName,
  /** The documents that need it: how their addresses begin. The password goes nowhere else. */
  urls: z.array(address).min(1, 'at least one URL is needed').max(100),
  /** Also to servers with an untrusted certificate. */
  untrusted: z.boolean().default(false),
}

/** The server itself asks for name and password (RFC 7617, RFC 7616). `digest` never answers a server that asks for basic. */
const httpLogin = z.strictObject({ kind: z.enum(['basic', 'digest']), ...area })
export type HttpLogin = z.output<typeof httpLogin>

/** What logs out is recognised by its name. */
export const usualAvoid = ['(?:log|sign)[-_]?(?:out|off)']

const fieldName = z.string().min(1).max(200)

/** A form of a page is filled in and sent; what is fetched afterwards carries the cookies that came of it. */
const formLogin = z.strictObject({
  kind: z.literal('form'),
  ...area,
  /** The page with the form. */
  page: address,
  userField: fieldName,
  passwordField: fieldName,
  /** They stand in the definition, which is archived: nothing secret. */
  otherFields: z.record(z.string(), z.string().max(2_000)).default({}),
  /** Where else than at the page's own server the form may send the password. */
  submitsTo: address.optional(),
  /** The page after the form. Default: it has no such form any more, and is no error. */
  success: answerRule.default({}),
  /** A page that shows that the session has ended. Default: 401, or a redirect to the page with the form. */
  loggedOut: answerRule.default({}),
  /** Patterns, whose case is ignored, of what is never fetched there: it would end the session. */
  avoid: z.array(z.string()).max(100).default(usualAvoid),
})
export type FormLogin = z.output<typeof formLogin>

export const loginShape = z.strictObject({
  /** Where an address belongs to several, the longest beginning counts. */
  areas: z
    .array(z.discriminatedUnion('kind', [httpLogin, formLogin]))
    .min(1)
    .max(20),
  /** What WARC files hold of it: requests without Authorization and cookie values; besides, answers without the values of
   *  session cookies; or every byte as it was sent, secrets and all. */
  recorded: z.enum(loginRecordings).default('withoutSecrets'),
})
export type Login = z.output<typeof loginShape>
export type LoginArea = Login['areas'][number]

/** Where a credential can lie: in the key store of the operating system, or in a file that only the account may read. */
export const keyStoreKinds = ['secretTool', 'keychain', 'dataProtection', 'sealedFile', 'plainFile'] as const
export type KeyStoreKind = (typeof keyStoreKinds)[number]

const kept = z.object({ kind: z.enum(keyStoreKinds), text: z.string(), isProtected: z.boolean() })
export type KeptIn = z.output<typeof kept>

const credential = z.object({ name: credentialName, set: z.iso.datetime(), store: kept })
export type CredentialRow = z.output<typeof credential>

export const credentialCalls = {
  /** `store`: where the next one would be kept. */
  list: call(z.strictObject({}), z.object({ store: kept, credentials: z.array(credential) })),
  /** Takes the place of one of the same name. */
  set: call(
    z.strictObject({ name: credentialName, user: z.string().min(1).max(1_000), password: z.string().max(10_000) }),
    credential,
  ),
  remove: call(z.strictObject({ name: credentialName }), z.object({ name: credentialName })),
}
