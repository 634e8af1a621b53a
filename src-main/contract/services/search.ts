/** Calls about the text index: building it from the files of jobs, searching in it, and what is in it. A delivery plan with the destination
 *  `textIndex` fills it while a job runs. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { count, jobId, messageShape, time } from '../shapes/shapes.ts'

const jobIds = z.array(jobId).min(1).max(10_000)

/** A piece of text. It is archived text, and never HTML. */
const snippetPart = z.object({ text: z.string(), isMatch: z.boolean() })

const searchResult = z.object({
  title: z.string(),
  url: z.string(),
  snippet: z.array(snippetPart),
  /** Of the newest capture with this content among those that were searched; the following fields, too. */
  time,
  /** Null: of no job. */
  job: jobId.nullable(),
  /** Null: not known. */
  status: z.int().nullable(),
  mediaType: z.string(),
  /** As declared; '': not. */
  language: z.string(),
  /** Where its record is. */
  file: z.string(),
  offset: count,
  /** Captures with the same content among those that were searched, and the different URLs of these. */
  captures: count,
  urls: count,
})
export type SearchResult = z.output<typeof searchResult>

const facetCounts = z.array(z.object({ value: z.string(), count }))

const found = z.object({
  /** Different contents. */
  total: count,
  results: z.array(searchResult),
  /** The most frequent values, with the number of contents that have a capture with each. */
  facets: z
    .object({
      ...{ host: facetCounts, type: facetCounts, year: facetCounts },
      ...{ language: facetCounts, job: facetCounts, status: facetCounts },
    })
    .nullable(),
  /** A query with another spelling that finds something; null: there is none. */
  suggestion: z.string().nullable(),
  /** What may not be meant in the query. */
  findings: z.array(messageShape),
})
export type SearchFound = z.output<typeof found>

const indexedJob = z.object({
  /** Null: documents of no job. */
  job: jobId.nullable(),
  captures: count,
  /** Revisits whose content is not in the index. */
  capturesWithoutContent: count,
  /** Archive files that were read, as a whole and in part. */
  files: count,
  filesBegun: count,
  /** Files that an earlier version of Loupe has read: building reads them again. */
  filesOutdated: count,
})
export type IndexedJob = z.output<typeof indexedJob>

export const searchCalls = {
  /** Searches for a query: words, "phrases", beginnings*, -not, OR, and the fields host, type, before, after, job, status, lang and url. */
  find: call(
    z.strictObject({
      query: z.string(),
      jobs: jobIds.optional(),
      /** Together at most 1,000: further results cannot be paged to. */
      offset: z.int().min(0).max(1_000).default(0),
      limit: z.int().min(1).max(100).default(20),
      facets: z.boolean().default(false),
    }),
    found,
  ),
  /** Adds the documents of jobs from their archive files, as a task. Returns when it has ended. */
  build: call(
    z.strictObject({ jobs: jobIds }),
    z.object({
      files: count,
      filesMissing: z.array(z.object({ name: z.string(), reason: messageShape })),
      documents: count,
    }),
  ),
  /** What is in the index. */
  status: call(z.strictObject({}), z.object({ jobs: z.array(indexedJob), contents: count })),
  /** Removes the documents of jobs. What other jobs have, too, stays. */
  drop: call(z.strictObject({ jobs: jobIds }), z.object({ captures: count })),
} as const
