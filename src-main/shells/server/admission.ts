/** Who may use a port of the server. */
import type { AccountsDoor } from '../../app/services/accountsService.ts'
import type { Caller } from '../../contract/calls/caller.ts'
import { isSameToken } from './gate.ts'

/** Who is admitted: the operator with the token of this start, or accounts that are logged in. */
export type Admission = { token: string; operator: Caller } | { accounts: AccountsDoor }

/** Who is admitted, whatever the kind of admission. */
export interface Admitted {
  /** Undefined: the token permits nothing, or no longer. */
  callerOf(token: string, address: string): Caller | undefined
  /** Whether a token still permits requests. Asking does not prolong its session. */
  isOpen(token: string): boolean
  /** Absent: nobody logs in. */
  logIns?: AccountsDoor
}

export function admittedBy(admission: Admission): Admitted {
  if ('accounts' in admission) {
    const { accounts } = admission
    return { callerOf: accounts.callerOf, isOpen: accounts.isOpen, logIns: accounts }
  }
  const isToken = (token: string) => isSameToken(token, admission.token)
  return { callerOf: (token) => (isToken(token) ? admission.operator : undefined), isOpen: isToken }
}
