/** The record of a job in its metadata file, from which the database can be restored with the archive alone: `job.json` (one
 *  object) and `documents.jsonl.gz` (one document per line, gzip). The content of the other reports (definition, index lines,
 *  log) is not repeated. Times are milliseconds since 1970 UTC, as in the database. */
import { z } from 'zod'
import { recordedConnection } from '../../contract/services/connections.ts'
import { outcomes } from '../../contract/services/documents.ts'
import { stopReasons } from '../../contract/services/jobSummary.ts'
import { truncationNames } from '../../contract/states/outcomes.ts'

const ms = z.int()
const count = z.int().min(0)

/** Shape of `job.json`. */
export const jobRecordShape = z.object({
  version: z.literal(1),
  /** Id of the archive that harvested, chosen at random when the archive was created. */
  archive: z.string().min(1),
  job: z.int().min(1),
  run: z.int().min(1),
  runId: z.string().min(1),
  kind: z.enum(['event', 'import']),
  name: z.string(),
  harvest: z.int().min(1),
  /** Number of the harvest definition that generated the job; null: a user started it. */
  definitionId: z.int().min(1).nullable().default(null),
  createdMs: ms,
  startedMs: ms.nullable(),
  runningMs: count,
  stopReason: z.enum(stopReasons).nullable(),
  priority: z.int().min(1).max(10),
  /** JSON as in the contract; null: the job starts only when a user starts it. */
  schedule: z.string().nullable(),
  documents: z.object({ total: count, fetched: count, failed: count, excluded: count, duplicate: count }),
  /** Number of incomplete captures of this run; null if an earlier version, which did not record it, wrote the file. */
  truncated: count.nullable().default(null),
  bytes: count,
  /** Why the run was given up, a message as JSON; null: it was not. */
  failure: z.string().nullable().default(null),
  /** Limits per registered domain. */
  limits: z
    .array(z.object({ domain: z.string().min(1), objectsMax: count.nullable(), bytesMax: count.nullable() }))
    .default([]),
  /** The connections that its definition named at the end of the run. */
  connections: z.array(recordedConnection).default([]),
  /** Samples of the progress of this run. */
  progress: z
    .array(
      z.object({
        ...{
          runningMs: count,
          isEnd: z.union([z.literal(0), z.literal(1)]),
          atMs: ms,
          discovered: count,
          queued: count,
        },
        ...{ fetched: count, failed: count, inProgress: count, bytes: count },
      }),
    )
    .default([]),
  /** The WARC files of this run. */
  files: z.array(z.object({ name: z.string().min(1), bytes: count, records: count })),
})
/** Content of `job.json`. */
export type JobRecord = z.output<typeof jobRecordShape>

const text = z.string().nullable()
const truncation = z.enum(truncationNames)

/** Shape of a line of `documents.jsonl.gz`. */
export const documentLineShape = z.object({
  url: z.string().min(1),
  via: text,
  role: z.enum(['page', 'requisite', 'robots', 'sitemap']),
  hopPath: z.string(),
  /** −1 for robots.txt, which is requested before anything else of its host. */
  hops: z.int(),
  seedMark: z.enum(['F', 'S', 'N']),
  outcome: z.enum(outcomes).nullable(),
  reason: text,
  /** As stored: data, or a message as JSON. The crawl log of the run has it in English. */
  detail: text,
  attempts: count,
  status: z.int().nullable(),
  mediaType: text,
  bytes: count.nullable(),
  /** Size without the HTTP header. */
  contentBytes: count.nullable().default(null),
  /** Why the answer is incomplete; null if it is complete. */
  truncated: truncation.nullable().default(null),
  payloadDigest: text,
  fetchedMs: ms.nullable(),
  durationMs: count.nullable(),
  /** The WARC file with the last answer, and its offset there. */
  file: text,
  offset: count.nullable(),
  comparison: z.enum(['new', 'unchanged', 'changed', 'gone']).nullable(),
  /** When it was due, which is when it was found if it was never requested; null: an earlier version wrote the file. */
  dueMs: ms.nullable().default(null),
  listedVersion: text,
  capturedVersion: text,
  /** The record that holds the payload, with which the next run compares. */
  capture: z
    .object({
      id: z.string().min(1),
      ms,
      status: z.int(),
      payloadDigest: z.string().min(1),
      /** WARC-Payload-Digest of the record, if it differs from `payloadDigest`. */
      namedDigest: text.default(null),
      etag: text,
      lastModified: text,
      file: z.string().min(1),
      offset: count,
      firstMs: ms,
      checkedMs: ms,
      changes: count,
      /** Where that record is if it is of another job: then `file` has the revisit that refers to it. */
      elsewhere: z
        .object({
          revisit: z.enum(['digest', 'notModified']),
          url: z.string().min(1),
          file: z.string().min(1),
          offset: count,
        })
        .nullable()
        .default(null),
    })
    .nullable(),
})
/** A line of `documents.jsonl.gz`. */
export type DocumentLine = z.output<typeof documentLineShape>

/** Shape of a line of `removed.jsonl`: a URL that left the list of the job in this run. */
export const removedLineShape = z.object({
  why: z.enum(['answered', 'notFound', 'expired']),
  removedMs: ms,
  url: z.string().min(1),
  via: text,
  hopPath: z.string(),
  status: z.int().nullable(),
  mediaType: text,
  bytes: count.nullable(),
  contentBytes: count.nullable(),
  truncated: truncation.nullable(),
  payloadDigest: text,
  fetchedMs: ms.nullable(),
  durationMs: count.nullable(),
})
/** A line of `removed.jsonl`. */
export type RemovedLine = z.output<typeof removedLineShape>

/** The ID of an archive or run for files of earlier versions, which contain none. */
export const unknownId = 'unknown'

/** Names in the metadata URLs: `metadata://loupe/crawl/setup/job.json?…` and `…/logs/documents.jsonl.gz?…`. */
export const jobRecordName = 'job.json'
export const documentsName = 'documents.jsonl.gz'
export const removedName = 'removed.jsonl'

/** Shape of a line of the import report (`import-report.jsonl`). */
export const importedLineShape = z.object({
  from: z.string(),
  kind: z.string(),
  bytes: count,
  sha256: text,
  state: z.string(),
  name: text,
  treatment: z.enum(['kept', 'recompressed', 'converted']).nullable(),
  records: count,
  captures: count,
  errors: count,
  warnings: count,
  notes: count,
  /** Why the file was rejected, or how it was changed, in English. */
  message: text,
  /** For a file that was already archived: its name in the archive. */
  archivedAs: text.default(null),
  /** Number of incomplete captures by reason. */
  truncated: z.partialRecord(truncation, count).default({}),
})
/** A line of the import report. */
export type ImportedLine = z.output<typeof importedLineShape>
