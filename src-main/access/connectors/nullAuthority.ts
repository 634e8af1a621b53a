/** The authority that returns no tokens for any user: a group without another authority hides all documents that it secures. */
import { z } from 'zod'
import { message } from '../../contract/words/message.ts'
import type { AuthorityConnector } from '../model/connector.ts'

export const nullAuthority: AuthorityConnector<object> = {
  name: 'null',
  description: message('authority.null'),
  settings: z.strictObject({}),
  open: () => ({
    ask: async () => ({ status: 'OK', tokens: [] }),
    check: async () => undefined,
  }),
}
