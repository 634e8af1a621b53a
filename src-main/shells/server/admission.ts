/** Who may use a port of the server. */
import type { IncomingMessage } from 'node:http'
import type { AccountsDoor } from '../../app/services/accountsService.ts'
import type { Caller } from '../../contract/calls/caller.ts'
import { textFor } from '../../contract/words/render.ts'
import { isSameToken, tokenOf, type Refusal } from './gate.ts'
import type { IdentityProvider } from './identityProvider.ts'
import { clientAddress, type TrustedProxy } from './trustedProxy.ts'

/** Who is admitted: the operator with the token of this start, or accounts. */
export type Admission = { token: string; operator: Caller } | AccountsAdmission

interface AccountsAdmission {
  accounts: AccountsDoor
  /** Only through this server, which may have logged them in. */
  proxy?: TrustedProxy
  /** With which they can log in, too. */
  provider?: IdentityProvider
}

/** The parts of a request that tell who made it. */
export type Sent = Pick<IncomingMessage, 'headers' | 'headersDistinct' | 'socket'>

/** Who is admitted, whatever the kind of admission. */
export interface Admitted {
  /** Why a request is not answered, whatever it asks for; undefined: it may be. */
  refusal(request: Sent): Refusal | undefined
  /** Undefined: the request permits nothing, or no longer. */
  callerOf(request: Sent): Caller | undefined
  /** Whether a request still permits what it asks for. Asking does not prolong its session. */
  isOpen(request: Sent): boolean
  /** IP address of the client. */
  addressOf(request: Sent): string
  /** Absent: there is no log-in. */
  logIns?: AccountsDoor
  /** With which accounts can log in, too. */
  provider?: IdentityProvider
  /** Name of the account that a server in front has logged in; absent where none does. */
  namedBy?: (request: Sent) => string
}

export function admittedBy(admission: Admission): Admitted {
  if ('accounts' in admission) return accountsAdmitted(admission)
  const isOpen = ({ headers }: Sent) => isSameToken(tokenOf(headers), admission.token)
  return {
    refusal: () => undefined,
    callerOf: (request) => (isOpen(request) ? admission.operator : undefined),
    isOpen,
    addressOf: (request) => clientAddress(request, undefined),
  }
}

function accountsAdmitted({ accounts, proxy, provider }: AccountsAdmission): Admitted {
  const addressOf = (request: Sent) => clientAddress(request, proxy)
  if (!proxy?.hasLogIn)
    return {
      refusal: (request) => (proxy && !proxy.sent(request) ? notThrough : undefined),
      callerOf: (request) => accounts.callerOf(tokenOf(request.headers), addressOf(request)),
      isOpen: ({ headers }) => accounts.isOpen(tokenOf(headers)),
      addressOf,
      logIns: accounts,
      ...(provider && { provider }),
    }
  const callerOf = (request: Sent) =>
    proxy.sent(request) ? accounts.callerNamed(proxy.accountOf(request), addressOf(request)) : undefined
  return {
    refusal(request) {
      if (!proxy.sent(request)) return notThrough
      const name = proxy.accountOf(request)
      if (name === '') return { status: 403, why: textFor('gate.noName') }
      return callerOf(request)
        ? undefined
        : { status: 403, why: textFor('gate.noAccount', { name: name.slice(0, 200) }) }
    },
    callerOf,
    isOpen: (request) => callerOf(request) !== undefined,
    addressOf,
    logIns: accounts,
    namedBy: (request) => callerOf(request)?.account ?? '',
  }
}

/** One reason for every request without the secret, so that it tells nothing about the secret. */
const notThrough: Refusal = { status: 403, why: textFor('gate.notThrough') }
