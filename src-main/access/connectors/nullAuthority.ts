/** The authority that gives nobody a token: for documents that nobody may see yet, and for trials. */
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
