/**
 * Log-ins to a server: name and password for the token of a session. Guessing is limited by account and by address, without telling which
 * accounts exist. Passwords are checked one at a time, so that only a few may wait.
 */
import type { Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import type { Clock } from '../../world/world.ts'
import { foldedName } from '../store/sameName.ts'
import type { Accounts } from './accounts.ts'
import { attemptLimits } from './attemptLimits.ts'
import type { Sessions } from './sessions.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const usual = { waitMsMin: 1_000, waitMsMax: 15 * minuteMs, forgetMs: 24 * hourMs, keysMax: 10_000 }
/** A person may mistype a password a few times. */
const accountFailuresFree = 5
/** Several people may share an address. One that tries a password on many accounts is stopped, too. */
const addressFailuresFree = 20
/** Passwords that are checked or wait for it: with 0.2 seconds each, the last one waits two seconds. */
const checksMax = 10

/** Who wants to log in, and from where. */
export interface LogIn {
  name: string
  password: string
  /** IP address. */
  address: string
  /** User-Agent; '' where there is none. */
  client: string
}

/** Log-ins, and the callers of sessions. */
export interface LogIns {
  /** Begins a session and returns its token. Rejects with `Fault`: notAllowed for a wrong name or password, refused while attempts have to wait,
   *  inUse when too many passwords are being checked. */
  logIn(given: LogIn): Promise<string>
  /** Checks a password without beginning a session, and returns the name of the account. Rejects as `logIn` does. */
  verify(given: Omit<LogIn, 'client'>): Promise<string>
  /** Begins a session of an account that an identity provider has logged in, and returns its token. Throws `Fault` notAllowed where there is no such
   *  account. */
  logInNamed(given: Omit<LogIn, 'password'>): string
  /** Ends the session of a token; does nothing where there is none. */
  logOut(token: string): void
  /** Who makes a request with a token; undefined where its session is over. */
  callerOf(token: string, address: string): Caller | undefined
  /** Who makes a request that a server in front vouches for: the account with this name, in any case. Undefined where there is none. */
  callerNamed(name: string, address: string): Caller | undefined
  /** Whether the session of a token is open. Unlike a request, the question does not prolong it. */
  isOpen(token: string): boolean
}

interface Parts {
  accounts: Pick<Accounts, 'verified' | 'find'>
  sessions: Pick<Sessions, 'begin' | 'of' | 'isOpen' | 'revoke'>
  clock: Pick<Clock, 'elapsed'>
}

/** Makes log-ins that remember no attempts. */
export function openLogIns({ accounts, sessions, clock }: Parts): LogIns {
  const byAccount = attemptLimits({ ...usual, freeFailures: accountFailuresFree })
  const byAddress = attemptLimits({ ...usual, freeFailures: addressFailuresFree })
  let checks = 0

  /** Throws while one of both has to wait; else counts the attempt. */
  function begin(account: string, address: string): void {
    const nowMs = clock.elapsed()
    const waitMs = Math.max(byAccount.waitMs(account, nowMs), byAddress.waitMs(address, nowMs))
    if (waitMs > 0) throw new Fault('refused', message('logIn.wait', { seconds: Math.ceil(waitMs / 1_000) }))
    if (checks >= checksMax) throw new Fault('inUse', message('logIn.busy'))
    byAccount.begin(account, nowMs)
    byAddress.begin(address, nowMs)
  }

  async function verify({ name, password, address }: Omit<LogIn, 'client'>): Promise<string> {
    const [account, network] = [foldedName(name.trim()), networkOf(address)]
    begin(account, network)
    checks += 1
    try {
      const found = await accounts.verified(name.trim(), password)
      if (!found) throw new Fault('notAllowed', message('logIn.wrong'))
      byAccount.clear(account)
      // Only this attempt: otherwise an attacker with an account could reset the limit of the address.
      byAddress.undo(network)
      return found.name
    } finally {
      checks -= 1
    }
  }

  return {
    async logIn({ client, ...given }) {
      const account = await verify(given)
      return sessions.begin({ account, address: given.address, client })
    },
    verify,
    logInNamed({ name, address, client }) {
      const found = accounts.find(name)
      if (!found) throw new Fault('notAllowed', message('logIn.noAccount', { name }))
      return sessions.begin({ account: found.name, address, client })
    },
    logOut(token) {
      const session = sessions.of(token)
      if (session) sessions.revoke(session.id)
    },
    isOpen: sessions.isOpen,
    callerOf(token, address) {
      const session = sessions.of(token)
      if (!session) return undefined
      return { account: session.account, roles: session.roles, shell: 'window', address, session: session.id }
    },
    callerNamed(name, address) {
      const found = accounts.find(name)
      return found && { account: found.name, roles: found.roles, shell: 'window', address }
    },
  }
}

/** The network of an address: of IPv6 the first 64 bits, since a client has all addresses below them. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const zeros = address.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : []
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
