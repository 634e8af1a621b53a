/** A webhook: each document is posted as JSON, with its id as `Idempotency-Key`; a removal is a DELETE request with the id in the query. */
import { webhookSettings } from '../../contract/shapes/destinations.ts'
import { destinationKind } from '../model/steps.ts'
import { ask, post, statusFault } from './request.ts'

/** Statuses that mean that there is nothing to remove any more. */
const goneStatuses = [404, 410]

export const webhook = destinationKind({
  ...{ effect: 'potent', isMutating: false, guarantee: 'atMostOnce', batchMax: 1 },
  settings: webhookSettings,
  open: ({ url, headers }) => {
    async function remove(id: string, signal: AbortSignal): Promise<void> {
      const target = new URL(url)
      target.searchParams.set('id', id)
      const answer = await ask(target.href, { method: 'DELETE', headers, signal })
      if (answer.status >= 300 && !goneStatuses.includes(answer.status)) throw statusFault(answer)
    }
    return {
      async send(documents, signal) {
        for (const { id, parentId, originalId, hash, fields, isRemoval } of documents) {
          if (isRemoval) {
            await remove(id, signal)
            continue
          }
          // An id may have characters that a header cannot.
          const key = encodeURIComponent(`${id} ${hash}`)
          const body = JSON.stringify({ id, parentId, originalId, fields })
          const answer = await post(url, body, { headers: { ...headers, 'Idempotency-Key': key }, signal })
          if (answer.status >= 300) throw statusFault(answer)
        }
        return documents.map(() => ({ isAccepted: true }))
      },
      // Any answer will do: a webhook need not know HEAD.
      check: async (signal) => void (await ask(url, { method: 'HEAD', headers, signal })),
    }
  },
})
