/** Search engines that take documents in batches: Solr by its JSON update handler, OpenSearch by its `_bulk` API. A document has its id in
 *  the index, so that sending it again replaces it. */
import { z } from 'zod'
import { message } from '../../contract/words/message.ts'
import type { Document } from '../model/document.ts'
import { destinationKind, type SendResult } from '../model/steps.ts'
import { jsonOf, post, statusFault } from './post.ts'

const accepted: SendResult = { isAccepted: true }

/** Settings that both have. */
const engineSettings = {
  url: z.url({ protocol: /^https?$/ }),
  /** Names of the fields that are sent; empty: all. */
  fields: z.array(z.string().min(1)).default([]),
  headers: z.record(z.string(), z.string()).default({}),
}

/** Returns the fields that are sent: one value as such, several as a list. */
function sentFields({ fields }: Document, names: readonly string[]): Record<string, string | readonly string[]> {
  const wanted = Object.entries(fields).filter(([name]) => names.length === 0 || names.includes(name))
  return Object.fromEntries(wanted.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]))
}

const solrAnswer = z.object({
  responseHeader: z.object({ errors: z.array(z.object({ id: z.string(), message: z.string() })).default([]) }),
})

/** Solr: `url` is that of the collection, such as `http://localhost:8983/solr/pages`. A batch with a bad document is refused as a whole,
 *  unless the collection has the processor TolerantUpdateProcessor, which names the bad ones. */
export const solr = destinationKind({
  ...{ effect: 'idempotent', isMutating: false, guarantee: 'atLeastOnce', batchMax: 100 },
  settings: z.strictObject({
    ...engineSettings,
    idField: z.string().min(1).default('id'),
    commitWithinMs: z.int().min(0).default(10_000),
  }),
  open: ({ url, fields, headers, idField, commitWithinMs }) => ({
    async send(documents, signal) {
      const body = documents.map((document) => ({ ...sentFields(document, fields), [idField]: document.id }))
      const target = `${url.replace(/\/$/, '')}/update?commitWithin=${commitWithinMs}&wt=json`
      const answer = await post(target, JSON.stringify(body), { headers, signal })
      if (answer.status !== 200) throw statusFault(answer)
      const read = solrAnswer.safeParse(jsonOf(answer))
      const problems = new Map(read.data?.responseHeader.errors.map((error) => [error.id, error.message]))
      return documents.map(({ id }) => refusedOr(problems.get(id)))
    },
  }),
})

const bulkAnswer = z.object({
  items: z.array(
    z.object({
      index: z.object({
        status: z.int(),
        error: z.union([z.string(), z.looseObject({ reason: z.string().optional() })]).optional(),
      }),
    }),
  ),
})

/** OpenSearch, and Elasticsearch: `url` is that of the server. The answer has a result for each document. */
export const openSearch = destinationKind({
  ...{ effect: 'idempotent', isMutating: false, guarantee: 'atLeastOnce', batchMax: 100 },
  settings: z.strictObject({
    ...engineSettings,
    index: z.string().regex(/^[^A-Z\s/\\*?"<>|,#_-][^A-Z\s/\\*?"<>|,#]*$/),
  }),
  open: ({ url, index, fields, headers }) => ({
    async send(documents, signal) {
      const lines = documents.flatMap((document) => [
        JSON.stringify({ index: { _index: index, _id: document.id } }),
        JSON.stringify(sentFields(document, fields)),
      ])
      const target = `${url.replace(/\/$/, '')}/_bulk`
      const answer = await post(target, `${lines.join('\n')}\n`, {
        headers,
        signal,
        contentType: 'application/x-ndjson',
      })
      if (answer.status !== 200) throw statusFault(answer)
      const { items } = bulkAnswer.parse(jsonOf(answer))
      return documents.map((_, at) => itemResult(items[at]?.index))
    },
  }),
})

type BulkItem = z.output<typeof bulkAnswer>['items'][number]['index']

function itemResult(item: BulkItem | undefined): SendResult {
  if (item && item.status < 300) return accepted
  const { status = 0, error } = item ?? {}
  const problem = (typeof error === 'string' ? error : error?.reason) ?? String(status)
  // 429: the queue of the server is full; 409: another writer was faster.
  const isLasting = status >= 400 && status < 500 && status !== 429 && status !== 409
  return { isAccepted: false, problem: message('delivery.http.refused', { problem }), isLasting }
}

function refusedOr(problem: string | undefined): SendResult {
  if (problem === undefined) return accepted
  return { isAccepted: false, problem: message('delivery.http.refused', { problem }), isLasting: true }
}
