/**
 * The calls and events of the engine, as the interface and the command line use them. Neither pages nor WARC bytes cross the contract: they
 * go through the viewer's port. Times are ISO 8601 in UTC; sizes are bytes; digests are lower-case hexadecimal SHA-256 unless the name says
 * otherwise.
 */
import { z } from 'zod'
import { exportFormats, scopes, waczVersions } from './shapes/choices.ts'
import { archiveCalls } from './services/archive.ts'
import { backupCalls } from './services/backups.ts'
import { connectorChoice, connectorsContract } from './services/connectors.ts'
import { faultCodes } from './calls/faults.ts'
import { credentialCalls, loginShape } from './services/login.ts'
import { historyCalls } from './services/history.ts'
import { liveCalls } from './services/live.ts'
import { patternComplaint, patternShape } from './shapes/pattern.ts'
import { pictureCalls } from './services/pictures.ts'
import { recheckShape } from './shapes/recrawl.ts'
import { hopsShape } from './shapes/hops.ts'
import { truncationNames } from './states/outcomes.ts'
import {
  batchStates,
  documentStates,
  exportStates,
  importedFileStates,
  jobStates,
  uploadStates,
} from './states/states.ts'
import { scheduleService, scheduleShape } from './services/schedule.ts'
import { call, event, type Services } from './calls/service.ts'
import { selecting, selectionShape } from './shapes/selection.ts'
import { count, jobId, nothing, page, time } from './shapes/shapes.ts'
import { throttleShape } from './shapes/throttle.ts'
import { missingCalls, viewerCalls } from './services/viewer.ts'

export const stopReasons = [
  'DOWNLOAD_COMPLETE',
  'OBJECT_LIMIT',
  'SIZE_LIMIT',
  'TIME_LIMIT',
  'DOWNLOAD_UNFINISHED',
] as const
/**
 * Result of a document. Duplicates, whose payload another capture of the job has too, are fetched documents that are also counted
 * separately.
 */
export const outcomes = ['fetched', 'failed', 'excluded'] as const

/** The value becomes a line of a request: printable ASCII only. */
export const userAgentShape = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[ -~]*$/, 'must contain only printable ASCII characters')

/** Patterns in one list: enough for every crawler trap that an archive knows. */
const patternsMax = 10_000

/**
 * Definition of a harvest as it is stored. An absent limit does not apply. Its patterns may be invalid today: an earlier Loupe accepted
 * everything that JavaScript accepts.
 */
export const storedDefinition = z.strictObject({
  seeds: z.array(z.string().trim().min(1)).min(1, 'at least one seed is needed').max(10_000),
  name: z.string().trim().max(200).optional(),
  /** Which pages belong to the harvest, relative to the seeds. Page requisites are fetched from any host whatever the scope. */
  scope: z.enum(scopes).default('host'),
  maxHops: count.optional(),
  hops: hopsShape.optional(),
  maxObjects: z.int().min(1).optional(),
  maxBytes: z.int().min(1).optional(),
  maxSeconds: z.int().min(1).optional(),
  workers: z.int().min(1).max(100).optional(),
  /** Pause between two requests to one host. */
  delayMs: z.int().min(0).max(3_600_000).optional(),
  connectionsPerHost: z.int().min(1).max(100).optional(),
  robots: z.enum(['obey', 'ignore']).default('obey'),
  throttle: throttleShape.optional(),
  include: z.array(z.string()).max(patternsMax).default([]),
  exclude: z.array(z.string()).max(patternsMax).default([]),
  userAgent: userAgentShape.optional(),
  /** Host name → address or address:port, consulted before the resolver: for a site that moves, or is not public yet. */
  resolve: z.record(z.string(), z.string()).default({}),
  recheck: recheckShape.optional(),
  connectors: connectorChoice.optional(),
  /** With a schedule the job waits for its first window or a manual start; without one it starts at once. */
  schedule: scheduleShape.optional(),
  login: loginShape.optional(),
})
export type HarvestDefinition = z.output<typeof storedDefinition>

/** The definition with the checks that apply to a new one. */
export const harvestDefinition = storedDefinition.superRefine((definition, { addIssue }) => {
  for (const { path, message } of patternComplaints(definition)) addIssue({ code: 'custom', path, message })
})

interface PatternComplaint {
  /** Path in the definition. */
  path: (string | number)[]
  written: string
  message: string
}

/** Returns a complaint for every invalid pattern of the definition. */
export function patternComplaints({ include, exclude, throttle, login }: HarvestDefinition): PatternComplaint[] {
  const complaints: PatternComplaint[] = []
  const look = (written: string, path: (string | number)[], ignoresCase = false) => {
    const message = patternComplaint(written, { ignoresCase })
    if (message !== null) complaints.push({ path, written, message })
  }
  include.forEach((written, at) => look(written, ['include', at]))
  exclude.forEach((written, at) => look(written, ['exclude', at]))
  throttle?.rules.forEach(({ match }, at) => look(match, ['throttle', 'rules', at, 'match']))
  login?.areas.forEach((area, row) => {
    if (area.kind !== 'form') return
    area.avoid.forEach((written, at) => look(written, ['login', 'areas', row, 'avoid', at], true))
  })
  return complaints
}

/** URLs of a job in its current or last run, by their result. `docs/numbers.md` lists where each number is shown. */
const documentCounts = z.object({
  /** All URLs found, including those that are excluded. */
  total: count,
  /** URLs answered by their server and archived, whatever the status, including "not found (404)". For an import: captures. */
  fetched: count,
  /** URLs tried without an answer that can be archived. */
  failed: count,
  /** URLs not tried, because the scope, a rule, robots.txt or a limit excludes them. */
  excluded: count,
  /** Fetched URLs with the same payload as another URL of this run. */
  duplicate: count,
  /** Fetched or imported captures that are truncated. */
  truncated: count,
})

const findingCounts = z.object({ errors: count, warnings: count, notes: count })

/** Shape of a job as it is listed. */
export const jobSummary = z.object({
  job: jobId,
  harvest: z.string(),
  kind: z.enum(['event', 'import']),
  state: z.enum(jobStates.states),
  /**
   * The displayed state. A job that is not running is 'Not yet run', 'Done', 'Done, incomplete' (some of its captures are truncated),
   * 'Done, with errors' (an import that refused files, or found errors in them), 'Empty' (done, and nothing was fetched or imported),
   * 'Stopped' or 'Error'. An import of files that other jobs have already is 'Done'.
   */
  status: z.string(),
  stopReason: z.enum(stopReasons).nullable(),
  /** Why the job ended in an error, or why it is inactive at the moment. */
  reason: z.string().nullable(),
  /** The kind of fault of `reason`; null where it is none. */
  reasonCode: z.enum(faultCodes).nullable(),
  documents: documentCounts,
  /** URLs in scope: those with a result in this run (fetched or failed), and all. Excluded URLs are in neither. */
  progress: z.object({ done: count, total: count }),
  /** URLs in the queue: waiting for their turn (in a continuous job also for their next check), and in progress. */
  queued: count,
  /**
   * Findings that need attention. For a harvest: each URL that failed, each truncated capture, and one for each further sentence in
   * `findings` of the whole job. For an import: each place in its files that breaks a rule, as `loupe check` counts them.
   */
  findingCounts,
  /** Bytes received in this run, with HTTP headers and before compression. For an import: bytes of the files that it stored. */
  bytes: count,
  /** Seconds that its last run has been active, without pauses and without time in which the machine was suspended. */
  seconds: z.number().min(0),
  documentsPerSecond: z.number().min(0),
  created: time,
  started: time.nullable(),
  ended: time.nullable(),
  /** The first seeds; all are in the definition. */
  seeds: z.array(z.string()),
})
export type JobSummary = z.output<typeof jobSummary>

/** Remains of a deleted job: its files in the archive, under its number. */
export const deletedJob = z.object({
  job: jobId,
  /** Name of its harvest; null when the database does not have it, and only its number is in the catalogue. */
  name: z.string().nullable(),
  deleted: time.nullable(),
  files: count,
  bytes: count,
})
export type DeletedJob = z.output<typeof deletedJob>

const finding = z.object({
  level: z.enum(['error', 'warning', 'note']),
  text: z.string(),
  /** Number of URLs, captures or files that the text concerns; 1 where it concerns the job. */
  count,
})

/** URLs of a run by the answer of their server. All except `notFound` add up to the URLs fetched and failed. */
export const answerCounts = z.object({
  /** Status 2xx. */
  success: count,
  /** Status 3xx. */
  redirects: count,
  /** Status 4xx, including those not found. */
  clientErrors: count,
  /** Status 404. */
  notFound: count,
  /** Status 5xx. */
  serverErrors: count,
  /** Archived with any other status (1xx), or from a source without HTTP. */
  other: count,
  /** Failed: no answer that can be archived. */
  none: count,
})
export type AnswerCounts = z.output<typeof answerCounts>

/** Shape of one run of a job. */
export const jobRun = z.object({
  /** Number of the run, from 1. */
  run: z.int().min(1),
  started: time,
  /** Null while the run is active, and where it was ended to begin the next one. */
  ended: time.nullable(),
  /** Active time, as `seconds` of the job. */
  seconds: z.number().min(0),
  stopReason: z.enum(stopReasons).nullable(),
  /** The error that ended the run. */
  reason: z.string().nullable(),
  /** URLs fetched, the same as `documents.fetched` of the job for its last run. */
  captures: count,
  /** Bytes received. */
  bytes: count,
  /** Findings of this run: the sum of `findingCounts`. Null when unknown, since the run was recovered from older files. */
  findings: count.nullable(),
})
export type JobRun = z.output<typeof jobRun>

/** A field of a definition that cannot be changed while a run is under way, and the reason as the end of a sentence. */
const fixedField = z.object({ field: z.array(z.union([z.string(), count])), why: z.string() })
export type FixedField = z.output<typeof fixedField>

/** Shape of a job with all its details. */
export const jobWhole = jobSummary.extend({
  /** Current activity, or what the job waits for when inactive, as a sentence. */
  doing: z.string(),
  definition: storedDefinition,
  /** The definition of the last run, to which the numbers belong; null where the definition has not been changed since. */
  ranWith: storedDefinition.nullable(),
  /** Runs, the last first. Those that ended before Loupe stored their numbers are missing. */
  runs: z.array(jobRun),
  /** Null for an import: its captures are not counted by status. */
  answers: answerCounts.nullable(),
  /** Fields of the definition that cannot be changed at the moment. */
  fixed: z.array(fixedField),
  byStatus: z.array(z.object({ status: z.string(), documents: count })),
  byMediaType: z.array(z.object({ mediaType: z.string(), documents: count, bytes: count })),
  byReason: z.array(z.object({ outcome: z.enum(outcomes), reason: z.string(), text: z.string(), documents: count })),
  /** Truncated captures, by reason. */
  byTruncation: z.array(z.object({ truncation: z.enum(truncationNames), text: z.string(), documents: count })),
  hosts: z.array(
    z.object({ origin: z.string(), queued: count, fetched: count, failed: count, excluded: count, bytes: count }),
  ),
  /** Size on disk of the archived files of all runs, in their compressed form: the sum of the bytes of `files`. */
  fileBytes: count,
  files: z.array(
    z.object({
      name: z.string(),
      bytes: count,
      sha256: z.string(),
      kind: z.enum(['content', 'metadata']),
      stored: z.boolean(),
    }),
  ),
  findings: z.array(finding),
})
export type JobWhole = z.output<typeof jobWhole>

/** Shape of a URL of a job as it is listed. */
export const documentRow = z.object({
  id: count,
  url: z.string(),
  state: z.enum(documentStates.states),
  outcome: z.enum(outcomes).nullable(),
  /** A key of contract/outcomes: why it failed or was excluded. */
  code: z.string().nullable(),
  /** The reason as text, with the rule or message that caused it; for a fetched URL, anything unusual about it. */
  reason: z.string().nullable(),
  /** Why the capture of a fetched URL is truncated; null when it is complete. */
  truncated: z.enum(truncationNames).nullable(),
  status: z.int().nullable(),
  mediaType: z.string().nullable(),
  bytes: count.nullable(),
  hopPath: z.string(),
  via: z.string().nullable(),
  fetched: time.nullable(),
  durationMs: count.nullable(),
  attempts: count,
})
export type DocumentRow = z.output<typeof documentRow>

const jobMove = z.object({ job: jobId, from: z.string(), to: z.string() })
const logLine = z.object({ id: count, at: time, level: z.enum(['info', 'warning', 'error']), text: z.string() })
export type LogLine = z.output<typeof logLine>

const severity = z.enum(['error', 'warning', 'note'])

/** A finding of a rule of the formats about a place in a file. */
export const fileFinding = z.object({
  /** Name of a rule of `formats/rules`, for example `recordTorn`. */
  rule: z.string(),
  severity,
  /** The standard with its clause, or whose practice the rule follows. */
  clause: z.string(),
  /** What the rule means for preserving the file, and what to do. */
  means: z.string(),
  /** Description of this finding. */
  text: z.string(),
  file: z.string(),
  /** Number of the record in the file, from 1; null when the finding concerns the file. */
  record: z.int().min(1).nullable(),
  offset: count.nullable(),
})
export type FileFinding = z.output<typeof fileFinding>

/** A file given to an import, or found in a folder or a WACZ given to it. */
export const importedFile = z.object({
  /** The source: a path, and after `!` the place in a package. */
  from: z.string(),
  /** Name of the file in the archive; null until it is stored. */
  name: z.string().nullable(),
  /** Detected format as text: 'WARC, gzip', 'ARC', 'WACZ' … */
  kind: z.string(),
  state: z.enum(importedFileStates.states),
  bytesTotal: count,
  bytesDone: count,
  records: count,
  captures: count,
  findings: findingCounts,
  /** Why the file was refused, or how it was changed: one sentence. */
  problem: z.string().nullable(),
  /** Fault code of a refused file, as a call would return it. */
  code: z.enum(faultCodes).nullable(),
  /** For a file that was archived before: the identical file in the archive, and the job that has it. */
  archived: z.object({ name: z.string(), job: jobId.nullable() }).nullable(),
})
export type ImportedFile = z.output<typeof importedFile>

/** One row of a record list: fields of the record. */
export const recordRow = z.object({
  number: z.int().min(1),
  offset: count,
  /** Bytes in the file; 0 for a record that shares its gzip member with the next. */
  length: count,
  addressable: z.boolean(),
  type: z.string(),
  /** The date as written; null when the record has none. */
  date: z.string().nullable(),
  status: z.int().nullable(),
  mediaType: z.string().nullable(),
  url: z.string().nullable(),
  findings: count,
})
export type RecordRow = z.output<typeof recordRow>

const headerField = z.tuple([z.string(), z.string()])

/** Shape of one record in all detail. */
export const recordWhole = recordRow.extend({
  file: z.string(),
  /** Null when the record was requested by its offset alone: those before it were not counted. */
  number: z.int().min(1).nullable(),
  job: jobId.nullable(),
  /** The replicas that hold the file. */
  replicas: z.array(z.string()),
  format: z.enum(['warc', 'arc']),
  version: z.string(),
  fields: z.array(headerField),
  http: z.object({ firstLine: z.string(), fields: z.array(headerField) }).nullable(),
  blockBytes: count,
  /** Bytes after the HTTP head, without transfer and content coding; bounded, so the payload may be larger. */
  payloadBytes: count,
  payloadCut: z.boolean(),
  /** The digests in its header, compared with its bytes. */
  digests: z.array(
    z.object({
      of: z.enum(['block', 'payload']),
      named: z.string(),
      computed: z.string(),
      verdict: z.enum(['right', 'rightWithChunks', 'rightOfBlock', 'wrong', 'unknown']),
    }),
  ),
  /** The beginning of the payload, if it is text. */
  text: z.string().nullable(),
  /** The first bytes of the payload in hexadecimal digits. */
  hex: z.string(),
  /** Whether the payload is an image that a browser displays; the viewer's port serves it under `getPayload`. */
  isImage: z.boolean(),
  findingList: z.array(fileFinding),
})
export type RecordWhole = z.output<typeof recordWhole>

const exportFields = z.strictObject({
  /** For jobs and for the whole archive, this includes the metadata files, except in a CSV, which lists captures. */
  ...selectionShape,
  /** Narrows to this address: the host with or without `www.`, http or https, the path and everything below it. */
  url: z.string().trim().min(1).optional(),
  /** Both ends are included. */
  from: time.optional(),
  to: time.optional(),
  format: z.enum(exportFormats),
  /** Absolute path of a file that does not exist yet. */
  path: z.string().min(1),
  /**
   * Whether originals of revisits are written even if they are outside the narrowing: a revisit has no payload of its own. True by default,
   * because an export without them has pages that cannot be displayed.
   */
  withOriginals: z.boolean().default(true),
  /** Version of a WACZ. */
  waczVersion: z.enum(waczVersions).default('1.1.1'),
  /** Whether a WACZ gets a signature with this archive's own key. */
  sign: z.boolean().default(false),
})
export const exportRequest = selecting(exportFields)
export type ExportRequest = z.output<typeof exportRequest>

/** Shape of an export with its progress and result. */
export const exportSummary = z.object({
  export: z.int().min(1),
  request: exportRequest,
  state: z.enum(exportStates.states),
  /** Records written; for a CSV its rows. */
  records: count,
  /** Bytes of the new file. */
  bytes: count,
  /** Files of the archive that have been written. */
  filesDone: count,
  filesTotal: count,
  /** Progress: bytes read of all that must be read, including the new file, which is read again at the end. */
  bytesDone: count,
  bytesTotal: count,
  /** Whether the result was read again and has the same records and digests. */
  verified: z.boolean(),
  started: time,
  ended: time.nullable(),
  problem: z.string().nullable(),
  /** Fault code of the problem, as a call would return it. */
  code: z.enum(faultCodes).nullable(),
  /** Whether nothing of the selection is missing: no record was too damaged to be written, and every revisit has its original. */
  complete: z.boolean(),
  /** Remarks for the user, for example about revisits whose original is not in the selection. */
  remarks: z.array(z.string()),
})
export type ExportSummary = z.output<typeof exportSummary>

const storedBatchRequest = z.strictObject({
  /**
   * The name of a built-in batch job, or the absolute path of a file that ends with .mjs. The user chooses that code: it runs with the
   * rights of the user who runs Loupe, without a sandbox.
   */
  module: z.string().min(1),
  /** Only files whose name matches this pattern. */
  files: z.string().optional(),
  jobs: z.array(jobId).min(1).optional(),
  kind: z.enum(['content', 'metadata', 'both']).default('both'),
  /** Only copies in this replica; absent: each file from the first replica with a good copy. */
  replica: z.string().min(1).optional(),
  /**
   * Time limit of the whole run: seven days, as in NetarchiveSuite. For each file an hour suffices for the largest on the slowest drive.
   */
  timeoutSeconds: z.int().min(1).max(2_000_000).default(604_800),
  fileTimeoutSeconds: z.int().min(1).max(2_000_000).default(3_600),
})
export type BatchRequest = z.output<typeof storedBatchRequest>
export const batchRequest = storedBatchRequest.extend({ files: patternShape.optional() })

/** Shape of a run of a batch job with its progress and result. */
export const batchRunSummary = z.object({
  run: z.int().min(1),
  name: z.string(),
  request: storedBatchRequest,
  state: z.enum(batchStates.states),
  filesTotal: count,
  bytesTotal: count,
  /** Files that have been processed, including those that failed. */
  processed: count,
  failed: count,
  bytesDone: count,
  /** Paths of the module's output, and of the errors with their files. */
  output: z.string(),
  errors: z.string(),
  outputBytes: count,
  errorBytes: count,
  started: time,
  ended: time.nullable(),
  problem: z.string().nullable(),
  code: z.enum(faultCodes).nullable(),
})
export type BatchRunSummary = z.output<typeof batchRunSummary>

const batchOutput = z.object({
  text: z.string(),
  /** Offset of the next piece. */
  next: count,
  bytesTotal: count,
})
export type BatchOutput = z.output<typeof batchOutput>

/** A file from elsewhere that is being stored in every replica. */
export const uploadedFile = z.object({
  path: z.string(),
  name: z.string(),
  bytes: count,
  /** `stored`: every replica has the file and its checksum agreed. `refused`: storing could not begin. */
  state: z.enum(['waiting', 'storing', 'stored', 'failed', 'refused']),
  problem: z.string().nullable(),
  /** Fault code of the problem, as a call would return it. */
  code: z.enum(faultCodes).nullable(),
  replicas: z.array(
    z.object({
      replica: z.string(),
      upload: z.enum(uploadStates.states),
      problem: z.string().nullable(),
    }),
  ),
})
export type UploadedFile = z.output<typeof uploadedFile>

/** Shape of an upload with its progress. */
export const uploadSummary = z.object({
  upload: z.int().min(1),
  filesDone: count,
  filesTotal: count,
  /** Bytes written to and read again from the slowest replica. */
  bytesDone: count,
  bytesTotal: count,
  isRunning: z.boolean(),
  /** Paths below the given folders that could not be read. */
  unread: z.array(z.object({ path: z.string(), text: z.string() })),
})
export type UploadSummary = z.output<typeof uploadSummary>

/** Shape of a setting with its value. */
export const setting = z.object({
  path: z.string(),
  kind: z.enum(['text', 'number', 'choice', 'list', 'map']),
  choices: z.array(z.string()).optional(),
  unit: z.string().optional(),
  value: z.unknown(),
  default: z.unknown(),
  source: z.enum(['default', 'loupe.toml']),
  meaning: z.string(),
  /** Whether a change takes effect only at the next start. */
  atStart: z.boolean(),
  /** Whether the setting was changed since Loupe was started, which continues with the former value. */
  needsRestart: z.boolean(),
})
export type Setting = z.output<typeof setting>

/** All services of the engine, by name. */
export const contract = {
  system: {
    about: call(
      nothing,
      z.object({
        version: z.string(),
        shell: z.enum(['electron', 'server', 'cli']),
        archive: z.string(),
        /** Proxy address for browsers that display archived pages, `host:port`. */
        proxy: z.string(),
        /** Host name under which the proxy answers queries about itself: getFile, getRecord, getMetadata, getStatus. */
        commandHost: z.string(),
        /**
         * User and password of a proxy connection that may change what the interface's viewing shows and records: for scripts, never for a
         * browser. The token changes at each start.
         */
        commandUser: z.string(),
        commandToken: z.string(),
        certificate: z.object({ path: z.string(), spkiSha256: z.string() }),
        runtime: z.string(),
      }),
    ),
    /** A problem outside of any call: where it happened, with the fault that a call would have returned. */
    problem: event(
      z.object({
        at: time,
        text: z.string(),
        code: z.enum(faultCodes),
        of: z.enum(['crawl', 'viewer', 'archive']),
        /** The job that cannot continue because of the problem; null when it does not concern a single job. */
        job: jobId.nullable(),
      }),
    ),
  },
  harvests: {
    create: call(harvestDefinition, z.object({ job: jobId })),
    /**
     * Changes the definition of a job. A run that is under way adopts the changes that it can; if there is any that it cannot, the call is
     * refused and nothing is changed. Statements about earlier runs keep the definitions of those runs.
     */
    edit: call(
      z.strictObject({ job: jobId, definition: harvestDefinition }),
      z.object({
        job: jobId,
        /** Fields of the definition that have changed. */
        changed: z.array(z.string()),
        holds: z.enum(['now', 'nextRun']),
      }),
    ),
    openSample: call(nothing, z.object({ job: jobId })),
    /** Imports files and folders in any supported archive format; the originals are only read. */
    import: call(z.strictObject({ paths: z.array(z.string().min(1)).min(1) }), z.object({ job: jobId })),
    /** Lists the files that an import was given and found, in the order of processing; empty for a job that is no import. */
    imported: call(z.strictObject({ job: jobId }), z.array(importedFile)),
    /**
     * Findings in the files of an import. For each rule and file only the first are stored: `total` is the number of stored rows, `byRule`
     * the true count of each rule, whichever `rule` was chosen.
     */
    importFindings: call(
      z.strictObject({
        job: jobId,
        /** Name of the file in the archive, or its source. */
        file: z.string().optional(),
        severity: severity.optional(),
        rule: z.string().optional(),
        ...page,
      }),
      z.object({
        rows: z.array(fileFinding),
        total: count,
        byRule: z.array(z.object({ rule: z.string(), severity, count })),
      }),
    ),
    /** Files of an import that have changed, in their present state; at most a few times a second for each job. */
    importChanged: event(z.object({ job: jobId, files: z.array(importedFile) })),
  },
  credentials: credentialCalls,
  jobs: {
    list: call(z.strictObject({ state: z.string().optional() }), z.array(jobSummary)),
    show: call(z.strictObject({ job: jobId }), jobWhole),
    documents: call(
      z.strictObject({
        job: jobId,
        /** `truncated`: fetched, but incomplete. */
        outcome: z.enum([...outcomes, 'queued', 'truncated']).optional(),
        text: z.string().optional(),
        ...page,
      }),
      z.object({ rows: z.array(documentRow), total: count }),
    ),
    log: call(
      z.strictObject({ job: jobId, after: count.default(0), limit: z.int().min(1).max(1000).default(200) }),
      z.array(logLine),
    ),
    /** Starts the next run of a job that has ended. `minimal`: only new and changed documents are examined. */
    start: call(z.strictObject({ job: jobId, minimal: z.boolean().optional() }), jobMove),
    /** Ends the run that is under way and begins the next. */
    restart: call(z.strictObject({ job: jobId, minimal: z.boolean().optional() }), jobMove),
    /** Removes the job and its list from Loupe. Its archived files stay, and can be viewed by its number. */
    delete: call(z.strictObject({ job: jobId }), jobMove),
    pause: call(z.strictObject({ job: jobId }), jobMove),
    resume: call(z.strictObject({ job: jobId }), jobMove),
    abort: call(z.strictObject({ job: jobId }), jobMove),
    /** Lists deleted jobs that have files in the archive, the newest first: they can be viewed and exported by their numbers. */
    deleted: call(nothing, z.array(deletedJob)),
    /** The numbers or the state of a job have changed; at most a few times a second for each job. */
    changed: event(jobSummary),
    /** A deleted job has been removed. */
    removed: event(z.object({ job: jobId })),
  },
  schedules: scheduleService,
  queue: liveCalls,
  viewer: viewerCalls,
  connectors: connectorsContract,
  missing: missingCalls,
  pictures: pictureCalls,
  archive: archiveCalls,
  backups: backupCalls,
  records: {
    /**
     * Lists the records of a file of the archive in order, a page at a time. There may be fewer rows than `limit` although there is a
     * `next`: a search for a rare type is limited in time and continues with the next call.
     */
    list: call(
      z.strictObject({
        file: z.string().min(1),
        /** The `next` of the previous page; 0: from the beginning. */
        after: count.default(0),
        limit: z.int().min(1).max(500).default(100),
        type: z.string().trim().min(1).optional(),
      }),
      z.object({
        rows: z.array(recordRow),
        /** The number of the last record that was examined; null at the end of the file. */
        next: z.int().min(1).nullable(),
        /** Findings about the framing in this part of the file; digests are compared by `show`. */
        findings: z.array(fileFinding),
      }),
    ),
    /**
     * Shows the record that begins at `offset`. Several begin there when they share a gzip member: then `number`, from `list`, selects one;
     * otherwise it is returned unchanged.
     */
    show: call(
      z.strictObject({ file: z.string().min(1), offset: count, number: z.int().min(1).optional() }),
      recordWhole,
    ),
  },
  exports: {
    /**
     * Starts an export. Refused when the file exists, a job has not ended, or the disk has no room for it; notFound when the archive has
     * nothing of a job, or no file of a name.
     */
    start: call(exportRequest, exportSummary),
    /** Newest first. */
    list: call(nothing, z.array(exportSummary)),
    stop: call(z.strictObject({ export: z.int().min(1) }), exportSummary),
    changed: event(exportSummary),
  },
  batch: {
    /** Starts a batch job. Refused when the module is inside the archive, or too many are running. */
    start: call(batchRequest, batchRunSummary),
    /** Newest first. */
    list: call(nothing, z.array(batchRunSummary)),
    stop: call(z.strictObject({ run: z.int().min(1) }), batchRunSummary),
    /** Returns a part of the module's output, or of the errors, by its offset in bytes. */
    output: call(
      z.strictObject({
        run: z.int().min(1),
        of: z.enum(['output', 'errors']).default('output'),
        offset: count.default(0),
        limit: z.int().min(16).max(1_048_576).default(65_536),
      }),
      batchOutput,
    ),
    builtIns: call(nothing, z.array(z.object({ name: z.string(), does: z.string() }))),
    changed: event(batchRunSummary),
  },
  uploads: {
    /**
     * Starts storing files from elsewhere; for folders, all archive files in them. A file that every replica has already counts as stored;
     * after a stop, the same call continues.
     */
    start: call(z.strictObject({ paths: z.array(z.string().min(1)).min(1) }), uploadSummary),
    show: call(z.strictObject({ upload: z.int().min(1) }), uploadSummary),
    files: call(
      z.strictObject({ upload: z.int().min(1), ...page }),
      z.object({ rows: z.array(uploadedFile), total: count }),
    ),
    stop: call(z.strictObject({ upload: z.int().min(1) }), uploadSummary),
    changed: event(uploadSummary),
  },
  history: historyCalls,
  settings: {
    list: call(nothing, z.array(setting)),
    set: call(z.strictObject({ path: z.string(), value: z.unknown() }), setting),
  },
} as const

export type Loupe = Services<typeof contract>
