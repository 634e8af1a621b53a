/** Accounts of a server and their sessions. No answer contains a password or a token. */
import { z } from 'zod'
import { roles } from '../calls/caller.ts'
import { refusedAs } from '../calls/refusedValue.ts'
import { call } from '../calls/service.ts'
import { count, nothing, time } from '../shapes/shapes.ts'
import { message } from '../words/message.ts'

/** A name is shown in sentences, lists and the audit log. */
const accountName = z
  .string()
  .trim()
  .refine(
    (text) => /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(text),
    refusedAs((field) => message('value.accountName', { field })),
  )

/** Least length in characters, without rules about their kinds (NIST SP 800-63B-4, 3.1.1.2). */
export const passwordCharactersMin = 15
const newPassword = z.string().min(passwordCharactersMin).max(1_000)

/** An account. */
const accountRow = z.object({
  name: z.string(),
  roles: z.array(z.enum(roles)),
  added: time,
  passwordSet: time,
  /** Sessions in the database: those whose time is over are removed at the next log-in. */
  sessions: count,
})
export type AccountRow = z.output<typeof accountRow>

/** A session: an account that is logged in. */
const sessionRow = z.object({
  session: z.int().min(1),
  account: z.string(),
  /** IP address of the client that logged in. */
  address: z.string(),
  /** How that client names itself (User-Agent). */
  client: z.string(),
  begun: time,
  /** Time of the last request, at most a minute old. */
  seen: time,
  /** Whether it is the session of the caller. */
  isOwn: z.boolean(),
})
export type SessionRow = z.output<typeof sessionRow>

/** What a client gives to log in. Lengths are bounded, since it has not been admitted yet. */
export const logInRequest = z.strictObject({ name: z.string().max(200), password: z.string().max(1_000) })

/** How accounts log in, for a client that has not been admitted yet. */
export const logInOffer = z.object({
  /** Whether there is an account at all. */
  isAny: z.boolean(),
  /** The account that a server in front has logged in, with every request; null: accounts log in here. */
  account: z.string().nullable(),
  /** Name of the provider with which accounts can log in, too; null: there is none. */
  provider: z.string().nullable(),
})
export type LogInOffer = z.output<typeof logInOffer>

const chosenRoles = z.array(z.enum(roles)).min(1)
const named = z.strictObject({ name: accountName })

export const accountCalls = {
  list: call(nothing, z.array(accountRow)),
  /** Adds an account. Refused with badInput where the name is taken, in any case. */
  add: call(z.strictObject({ name: accountName, roles: chosenRoles, password: newPassword }), accountRow),
  /** Removes an account and ends its sessions. What it did stays in the audit log. */
  remove: call(named, nothing),
  /** Sets another password and ends the sessions of the account. */
  setPassword: call(z.strictObject({ name: accountName, password: newPassword }), accountRow),
  /** Gives the password of the caller's account again, for some minutes. Rejects with notAllowed for a wrong one, and with refused while attempts have
   *  to wait. For the account of the operating system there is nothing to confirm. */
  confirm: call(z.strictObject({ password: z.string().max(1_000) }), nothing),
  /** Sets the roles, which apply from the next request of each session. */
  setRoles: call(z.strictObject({ name: accountName, roles: chosenRoles }), accountRow),
}

export const sessionCalls = {
  /** Sessions whose time is not over, oldest first. */
  list: call(nothing, z.array(sessionRow)),
  /** Ends a session. */
  revoke: call(z.strictObject({ session: z.int().min(1) }), nothing),
}
