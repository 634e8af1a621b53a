/** Who asks: every call, every connection to the viewer's proxy and every entry of the audit log has a caller. */
import { Fault } from './faults.ts'
import { message, type Message } from '../words/message.ts'

/**
 * Through what an action was asked for: a window of the interface (Electron or a browser), a command, or a schedule of Loupe. `server`: an
 * action of a server itself, without a window.
 */
export const shells = ['window', 'commandLine', 'schedule', 'server'] as const
export type Shell = (typeof shells)[number]

/** What accounts are for, from the one that changes nothing to the one that may do everything. A preservation officer may also harvest. */
export const roles = ['viewer', 'curator', 'preservationOfficer', 'administrator'] as const
export type Role = (typeof roles)[number]

/** Who makes a call or a request. */
export interface Caller {
  /** Name of the account: of Loupe where it has accounts, else of the operating system. */
  account: string
  roles: readonly Role[]
  shell: Shell
  /** IP address of the client; '' is a shell on the machine of the engine. */
  address: string
  /** Number of the session of the account; absent for callers that have not logged in. */
  session?: number
}

/** Whether a caller uses the machine of the engine: it could change the files without Loupe. */
export function isOfThisMachine({ address }: Pick<Caller, 'address'>): boolean {
  return address === ''
}

/** Whether a caller may do what needs at least `role`: each role may do what those before it in `roles` may. */
export function hasRole(caller: Pick<Caller, 'roles'>, role: Role): boolean {
  return caller.roles.some((own) => roles.indexOf(own) >= roles.indexOf(role))
}

/** The refusal of a call for which the caller lacks the role. */
export function lackingRole(name: string, role: Role): Fault {
  return new Fault('notAllowed', message('call.notAllowed', { name, role: roleMessage(role) }))
}

/** Makes the caller for an account of the operating system, which may do everything: whoever can start Loupe can also change its files. */
export function operatorCaller(account: string, shell: Shell): Caller {
  return { account, roles: ['administrator'], shell, address: '' }
}

/** Names a role. */
export function roleMessage(role: Role): Message {
  return message(`role.${role}`)
}
