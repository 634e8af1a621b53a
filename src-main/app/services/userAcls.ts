/** Answers requests for the tokens of a user in the text of ManifoldCF's servlet `UserACLs`, from the service `authorities`. */
import { aclsRequestIn, aclsText } from '../../access/access.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Loupe } from '../../contract/contract.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** Text with its HTTP status: 400 for a request that names no user, or one that cannot be understood; 403 where a connector is not
 *  installed; 500 where there is no answer for another reason. */
export interface TextAnswer {
  status: 200 | 400 | 403 | 500
  text: string
}

/** Returns a function that answers queries. It rejects for bugs only. */
export function userAclsOf({
  authorities,
}: Pick<Loupe, 'authorities'>): (query: URLSearchParams) => Promise<TextAnswer> {
  return async (query) => {
    const asked = aclsRequestIn(query)
    if (!asked) return { status: 400, text: `${textOf(message('authority.request'))}\n` }
    try {
      return { status: 200, text: aclsText(await authorities.ask(asked.request), asked) }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const status = error.code === 'badInput' ? 400 : error.code === 'notAllowed' ? 403 : 500
      return { status, text: `${error.message}\n` }
    }
  }
}
