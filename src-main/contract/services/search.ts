/** Searching: in the text index, which is built from the files of jobs, and among the URLs of the capture index, which the viewer reads. A
 *  delivery plan with the destination `textIndex` fills the text index while a job runs. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { count, jobId, messageShape, nothing, time } from '../shapes/shapes.ts'

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
  /** With the facets: contents by the months (`2024-05`, UTC) of their captures, in ascending order. */
  months: facetCounts.nullable(),
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
  /** Archive files that were read, and those that a build has begun with: it goes on at the next start. */
  files: count,
  filesBegun: count,
  /** Files that an earlier version of Loupe has read: building reads them again. */
  filesOutdated: count,
})
export type IndexedJob = z.output<typeof indexedJob>

/** How a text is compared with URLs. `pattern`: `*` stands for any text. */
export const urlMatches = ['exact', 'prefix', 'host', 'domain', 'pattern'] as const
export type UrlMatch = (typeof urlMatches)[number]

const capturedUrl = z.object({
  /** Of the newest capture; URLs that a viewer does not tell apart are one. */
  url: z.string(),
  mediaType: z.string(),
  /** Null: not known, as for revisits. */
  status: z.int().nullable(),
  /** The job of the newest capture. Null: its file belongs to no job. */
  job: jobId.nullable(),
  /** At most 1,000 are counted. */
  captures: count,
  hasMoreCaptures: z.boolean(),
  first: time,
  last: time,
})
export type CapturedUrl = z.output<typeof capturedUrl>

const foundUrls = z.object({
  /** In the order of their keys (SURT). */
  urls: z.array(capturedUrl),
  /** URLs that were compared for this answer. */
  compared: count,
  /** Where the next answer begins; null: this is the last one. An answer may have few URLs or none, and a next one. */
  next: z.string().nullable(),
  /** Progress of the index, while it is being built: more may be found. Null: it is complete. */
  indexing: z.object({ filesDone: count, filesTotal: count }).nullable(),
  /** Files that could not be read. */
  filesMissing: count,
})
export type FoundUrls = z.output<typeof foundUrls>

/** What a search is about: the text of documents, or URLs. */
export const searchModes = ['text', 'urls'] as const
export type SearchMode = (typeof searchModes)[number]

const searchName = z.string().trim().min(1).max(100)

/** Shape of a search under a name. */
export const savedSearch = z.strictObject({
  name: searchName,
  mode: z.enum(searchModes),
  query: z.string().trim().min(1).max(4_000),
  /** For URLs, as the jobs; no jobs: all. */
  match: z.enum(urlMatches),
  jobs: z.array(jobId).max(10_000),
})
export type SavedSearch = z.output<typeof savedSearch>

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
  /** The words that tell most about the best results: many of these have them, and few other documents. */
  words: call(
    z.strictObject({ query: z.string(), jobs: jobIds.optional(), limit: z.int().min(1).max(200).default(60) }),
    z.object({
      /** The highest weight first. */
      words: z.array(z.object({ word: z.string(), documents: count, weight: z.number() })),
      /** Results whose texts were read. */
      read: count,
    }),
  ),
  /** Lists captured URLs of GET requests, in jobs that have ended or in the whole archive. Builds the capture index if there is none. */
  urls: call(
    z.strictObject({
      url: z.string().trim().min(1).max(4_000),
      match: z.enum(urlMatches).default('prefix'),
      /** Absent: all of the archive. */
      jobs: jobIds.optional(),
      /** `next` of the previous answer. */
      after: z.string().optional(),
      limit: z.int().min(1).max(500).default(50),
      /** Waits for an index that is being built, instead of answering from what it has. */
      untilWhole: z.boolean().default(false),
    }),
    foundUrls,
  ),
  /** Lists the saved searches by name. */
  saved: call(nothing, z.array(savedSearch)),
  /** Saves a search; another one with this name is replaced. */
  save: call(savedSearch, nothing),
  forget: call(z.strictObject({ name: searchName }), nothing),
  /** Adds the documents of jobs from their archive files, as a task. Returns when it has ended. */
  build: call(
    z.strictObject({ jobs: jobIds }),
    z.object({
      files: count,
      filesMissing: z.array(z.object({ name: z.string(), reason: messageShape })),
      documents: count,
      /** Those among them whose text could not be read, such as PDF files that are damaged or exceed their limits. */
      unreadable: count,
    }),
  ),
  /** What is in the index. */
  status: call(z.strictObject({}), z.object({ jobs: z.array(indexedJob), contents: count })),
  /** Removes the documents of jobs. What other jobs have, too, stays. */
  drop: call(z.strictObject({ jobs: jobIds }), z.object({ captures: count })),
} as const
