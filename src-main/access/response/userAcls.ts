/** Requests and answers as ManifoldCF's servlet `UserACLs` has them, so that programs that ask ManifoldCF can ask Loupe. Pure. */
import {
  accessRequest,
  type AccessRequest,
  type AuthorityStatus,
  type UserAccess,
} from '../../contract/services/authorities.ts'
import { formEncoded } from '../model/tokens.ts'

/** A request in a query. */
export interface AclsRequest {
  request: AccessRequest
  /** Whether tokens are wanted (`aclneeded`), and the name of the user (`idneeded`). */
  needs: { tokens: boolean; id: boolean }
}

/** Reads `username` and `domain`, and further pairs `username_0`, `domain_0` and so on. Returns undefined where no user is named, or the values
 *  are beyond the bounds of a request. */
export function aclsRequestIn(query: URLSearchParams): AclsRequest | undefined {
  const users = suffixesIn(query).map((suffix) => ({
    user: query.get(`username${suffix}`) ?? '',
    domain: query.get(`domain${suffix}`) ?? '',
  }))
  const { success, data } = accessRequest.safeParse({ users })
  if (!success) return undefined
  const isTrue = (name: string, usual: string) => (query.get(name) ?? usual).toLowerCase() === 'true'
  return { request: data, needs: { tokens: isTrue('aclneeded', 'true'), id: isTrue('idneeded', 'false') } }
}

/** Returns what follows `username` in the names of the query: nothing, or `_0`, `_1` and so on without a gap, as ManifoldCF reads them. */
function suffixesIn(query: URLSearchParams): string[] {
  const found = query.has('username') ? [''] : []
  for (let number = 0; query.has(`username_${number}`); number += 1) found.push(`_${number}`)
  return found
}

const prefixes: Record<AuthorityStatus, string> = {
  OK: 'AUTHORIZED',
  UNREACHABLE: 'UNREACHABLEAUTHORITY',
  USERNOTFOUND: 'USERNOTFOUND',
  USERUNAUTHORIZED: 'UNAUTHORIZED',
}

/** Returns the lines of an answer: what each authority said, by its description or else its name; the tokens; the users. All characters are
 *  ASCII. */
export function aclsText({ answers, tokens }: UserAccess, { request: { users }, needs }: AclsRequest): string {
  const lines = [
    ...(needs.tokens
      ? answers.map(
          ({ status, description, authority }) => `${prefixes[status]}:${formEncoded(description || authority)}`,
        )
      : []),
    ...(needs.tokens ? tokens.map((token) => `TOKEN:${token}`) : []),
    ...(needs.id ? users.map(({ user }) => `ID:${formEncoded(user)}`) : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
