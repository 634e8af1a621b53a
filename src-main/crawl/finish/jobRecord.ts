/** What a job's metadata file says of the job, so that the database can be made again from the archive alone: `job.json` (one object)
 *  and `documents.jsonl.gz` (one document a line, gzip). What the other reports hold (definition, index lines, log) is not
 *  repeated. Times are milliseconds since 1970 UTC, as in the database. */
import { z } from 'zod'
import { outcomes, stopReasons } from '../../contract/contract.ts'
import { truncationNames } from '../../contract/states/outcomes.ts'

const ms = z.int()
const count = z.int().min(0)

export const jobRecordShape = z.object({
  version: z.literal(1),
  /** Of the archive that harvested: chosen at random when it was made. */
  archive: z.string().min(1),
  job: z.int().min(1),
  run: z.int().min(1),
  runId: z.string().min(1),
  kind: z.enum(['event', 'import']),
  name: z.string(),
  harvest: z.int().min(1),
  createdMs: ms,
  startedMs: ms.nullable(),
  runningMs: count,
  stopReason: z.enum(stopReasons).nullable(),
  priority: z.int().min(1).max(10),
  /** As in the contract, JSON; null: it starts only when someone starts it. */
  schedule: z.string().nullable(),
  documents: z.object({ total: count, fetched: count, failed: count, excluded: count, duplicate: count }),
  /** Captures of this run that are not whole; null: an earlier version did not say. */
  truncated: count.nullable().default(null),
  bytes: count,
  /** The WARC files of this run. */
  files: z.array(z.object({ name: z.string().min(1), bytes: count, records: count })),
})
export type JobRecord = z.output<typeof jobRecordShape>

const text = z.string().nullable()
const truncation = z.enum(truncationNames)

export const documentLineShape = z.object({
  url: z.string().min(1),
  via: text,
  role: z.enum(['page', 'requisite', 'robots', 'sitemap']),
  hopPath: z.string(),
  /** −1 for robots.txt, which is asked before anything else of its host. */
  hops: z.int(),
  seedMark: z.enum(['F', 'S', 'N']),
  outcome: z.enum(outcomes).nullable(),
  reason: text,
  detail: text,
  attempts: count,
  status: z.int().nullable(),
  mediaType: text,
  bytes: count.nullable(),
  /** Of `bytes`: without the HTTP header. */
  contentBytes: count.nullable().default(null),
  /** Why the answer is not whole. */
  truncated: truncation.nullable().default(null),
  payloadDigest: text,
  fetchedMs: ms.nullable(),
  durationMs: count.nullable(),
  /** The WARC file with its last answer, and where in it. */
  file: text,
  offset: count.nullable(),
  comparison: z.enum(['new', 'unchanged', 'changed', 'gone']).nullable(),
  listedVersion: text,
  capturedVersion: text,
  /** The record that holds its payload: what the next run compares with. */
  capture: z
    .object({
      id: z.string().min(1),
      ms,
      status: z.int(),
      payloadDigest: z.string().min(1),
      /** WARC-Payload-Digest of the record, where it is another. */
      namedDigest: text.default(null),
      etag: text,
      lastModified: text,
      file: z.string().min(1),
      offset: count,
      firstMs: ms,
      checkedMs: ms,
      changes: count,
    })
    .nullable(),
})
export type DocumentLine = z.output<typeof documentLineShape>

/** Stands for the archive and the run where a file does not say them, since an earlier version wrote it. */
export const omittedFields = 'unknown'

/** Names in the metadata URLs: `metadata://loupe/crawl/setup/job.json?…` and `…/logs/documents.jsonl.gz?…`. */
export const jobRecordName = 'job.json'
export const documentsName = 'documents.jsonl.gz'

/** A line of an import's report (`import-report.jsonl`). */
export const importedLineShape = z.object({
  from: z.string(),
  kind: z.string(),
  bytes: count,
  sha256: text,
  state: z.string(),
  name: text,
  deed: z.enum(['kept', 'recompressed', 'converted']).nullable(),
  records: count,
  captures: count,
  errors: count,
  warnings: count,
  notes: count,
  problem: text,
  /** Of one that was archived before: the name of the very file in the archive. */
  knownAs: text.default(null),
  /** How many captures are not whole, by reason. */
  truncated: z.partialRecord(truncation, count).default({}),
})
export type ImportedLine = z.output<typeof importedLineShape>
