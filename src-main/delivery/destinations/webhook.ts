/** A webhook: each document is posted as JSON, with its id as `Idempotency-Key`. */
import { z } from 'zod'
import { destinationKind } from '../model/steps.ts'
import { post, statusFault } from './post.ts'

export const webhook = destinationKind({
  ...{ effect: 'potent', isMutating: false, guarantee: 'atMostOnce', batchMax: 1 },
  settings: z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string(), z.string()).default({}),
  }),
  open: ({ url, headers }) => ({
    async send(documents, signal) {
      for (const { id, parentId, originalId, hash, fields } of documents) {
        // An id may have characters that a header cannot.
        const key = encodeURIComponent(`${id} ${hash}`)
        const body = JSON.stringify({ id, parentId, originalId, fields })
        const answer = await post(url, body, { headers: { ...headers, 'Idempotency-Key': key }, signal })
        if (answer.status >= 300) throw statusFault(answer)
      }
      return documents.map(() => ({ isAccepted: true }))
    },
  }),
})
