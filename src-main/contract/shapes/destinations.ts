/** Settings of the kinds of destinations that Loupe has: in steps of plans, and in output connections. */
import { z } from 'zod'

const url = z.url({ protocol: /^https?$/ })
const headers = z.record(z.string(), z.string()).default({})
/** Names of the fields that are sent; empty: all. */
const fields = z.array(z.string().min(1)).default([])

/** `url` is that of the collection, such as `http://localhost:8983/solr/pages`. */
export const solrSettings = z.strictObject({
  ...{ url, fields, headers },
  idField: z.string().min(1).default('id'),
  commitWithinMs: z.int().min(0).default(10_000),
})
/** `url` is that of the server. */
export const openSearchSettings = z.strictObject({
  ...{ url, fields, headers },
  index: z.string().regex(/^[^A-Z\s/\\*?"<>|,#_-][^A-Z\s/\\*?"<>|,#]*$/),
})
export const webhookSettings = z.strictObject({ url, headers })
export const folderSettings = z.strictObject({ folder: z.string().min(1) })
