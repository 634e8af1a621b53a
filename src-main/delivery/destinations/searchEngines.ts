/** Search engines that take documents in batches: Solr by its JSON update handler, OpenSearch by its `_bulk` API. A document has its id in
 *  the index, so that sending it again replaces it. */
import { z } from 'zod'
import { openSearchSettings, solrSettings } from '../../contract/shapes/destinations.ts'
import { message } from '../../contract/words/message.ts'
import type { Document } from '../model/document.ts'
import { destinationKind, StepFault, type SendResult } from '../model/steps.ts'
import { ask, jsonOf, post, statusFault } from './request.ts'

const accepted: SendResult = { isAccepted: true }

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
  settings: solrSettings,
  open({ url, fields, headers, idField, commitWithinMs }) {
    const collection = url.replace(/\/$/, '')
    async function update(query: string, body: string, signal: AbortSignal) {
      const answer = await post(`${collection}/update?${query}&wt=json`, body, { headers, signal })
      if (answer.status !== 200) throw statusFault(answer)
      return answer
    }
    return {
      async send(documents, signal) {
        const body = updateOf(documents, (document) => ({ ...sentFields(document, fields), [idField]: document.id }))
        const read = solrAnswer.safeParse(jsonOf(await update(`commitWithin=${commitWithinMs}`, body, signal)))
        const problems = new Map(read.data?.responseHeader.errors.map((error) => [error.id, error.message]))
        return documents.map(({ id }) => refusedOr(problems.get(id)))
      },
      // Documents are visible, and removed ones gone, after a commit only.
      completed: async (_, signal) => void (await update('commit=true', '{}', signal)),
      async check(signal) {
        const answer = await ask(`${collection}/select?q=*:*&rows=0&wt=json`, { headers, signal })
        if (answer.status !== 200) throw indexFault(answer)
      },
    }
  },
})

/** Returns the body of an update. Names of commands repeat in it, as Solr's JSON update handler has it. */
function updateOf(documents: readonly Document[], sent: (document: Document) => object): string {
  const adds = documents.filter(({ isRemoval }) => !isRemoval)
  if (adds.length === documents.length) return JSON.stringify(adds.map(sent))
  const removed = documents.filter(({ isRemoval }) => isRemoval).map(({ id }) => id)
  const commands = adds.map((document) => `"add":${JSON.stringify({ doc: sent(document) })}`)
  return `{${[...commands, `"delete":${JSON.stringify(removed)}`].join(',')}}`
}

function indexFault({ status, text }: { status: number; text: string }): StepFault {
  return new StepFault(message('output.noIndex', { status, problem: text.slice(0, 200) }), { failure: 'refused' })
}

const bulkItem = z.object({
  status: z.int(),
  error: z.union([z.string(), z.looseObject({ reason: z.string().optional() })]).optional(),
})
type BulkItem = z.output<typeof bulkItem>
const bulkAnswer = z.object({ items: z.array(z.object({ index: bulkItem.optional(), delete: bulkItem.optional() })) })

/** OpenSearch, and Elasticsearch. The answer has a result for each document. */
export const openSearch = destinationKind({
  ...{ effect: 'idempotent', isMutating: false, guarantee: 'atLeastOnce', batchMax: 100 },
  settings: openSearchSettings,
  open({ url, index, fields, headers }) {
    const server = url.replace(/\/$/, '')
    return {
      async send(documents, signal) {
        const lines = documents.flatMap((document) => linesOf(document, { index, fields }))
        const contentType = 'application/x-ndjson'
        const answer = await post(`${server}/_bulk`, `${lines.join('\n')}\n`, { headers, signal, contentType })
        if (answer.status !== 200) throw statusFault(answer)
        const { items } = bulkAnswer.parse(jsonOf(answer))
        return documents.map(({ isRemoval }, at) =>
          isRemoval ? removalResult(items[at]?.delete) : itemResult(items[at]?.index),
        )
      },
      async completed(_, signal) {
        const answer = await post(`${server}/${index}/_refresh`, '', { headers, signal })
        // An index is made by the first document in it.
        if (answer.status !== 200 && answer.status !== 404) throw statusFault(answer)
      },
      async check(signal) {
        const answer = await ask(`${server}/${index}`, { headers, signal })
        if (answer.status !== 200 && answer.status !== 404) throw indexFault(answer)
      },
    }
  },
})

function linesOf(document: Document, { index, fields }: { index: string; fields: readonly string[] }): string[] {
  const target = { _index: index, _id: document.id }
  if (document.isRemoval) return [JSON.stringify({ delete: target })]
  return [JSON.stringify({ index: target }), JSON.stringify(sentFields(document, fields))]
}

/** 404: the document was not there. */
function removalResult(item: BulkItem | undefined): SendResult {
  return item?.status === 404 ? accepted : itemResult(item)
}

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
