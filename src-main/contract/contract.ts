/** The calls and events of the engine, as the interface and the command line use them. Neither pages nor WARC bytes cross it: they go
 *  through the viewer's port. Times are ISO 8601 in UTC; sizes are bytes; digests are lower-case hexadecimal SHA-256 unless
 *  the name says otherwise. */
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
/** How a document ended. Duplicates, whose payload another capture of the job has too, are fetched documents that are also counted on
 *  their own. */
export const outcomes = ['fetched', 'failed', 'excluded'] as const

/** It becomes a line of a request: printable ASCII only. */
export const userAgentShape = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[ -~]*$/, 'must contain only printable ASCII characters')

/** Patterns of one list: every trap that an archive knows. */
const patternsMax = 10_000

/** What a harvest is to do, as it is stored. Limits that are absent do not limit. Its patterns may be refused today: an earlier
 *  Loupe took all that JavaScript takes. */
export const storedDefinition = z.strictObject({
  seeds: z.array(z.string().trim().min(1)).min(1, 'at least one seed is needed').max(10_000),
  name: z.string().trim().max(200).optional(),
  /** Which pages belong to it, as seen from the seeds. Page requisites are fetched from any host whatever the scope. */
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
  /** Host name → address or address:port, asked before the resolver: for a site that moves, or is not public yet. */
  resolve: z.record(z.string(), z.string()).default({}),
  recheck: recheckShape.optional(),
  connectors: connectorChoice.optional(),
  /** With a schedule the job waits for its first window or a manual start; without one it starts at once. */
  schedule: scheduleShape.optional(),
  login: loginShape.optional(),
})
export type HarvestDefinition = z.output<typeof storedDefinition>

/** As it may be asked for. */
export const harvestDefinition = storedDefinition.superRefine((definition, { addIssue }) => {
  for (const { path, message } of patternComplaints(definition)) addIssue({ code: 'custom', path, message })
})

interface PatternComplaint {
  /** Where it stands in the definition. */
  path: (string | number)[]
  written: string
  message: string
}

/** Every pattern of the definition that is none. */
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
  /** All URLs found, also those that are excluded. */
  total: count,
  /** Answered by their server and archived, whatever the status: a "not found (404)" too. Of an import: captures. */
  fetched: count,
  /** Tried, and without an answer that can be archived. */
  failed: count,
  /** Not tried, because the scope, a rule, robots.txt or a limit excludes them. */
  excluded: count,
  /** Of those fetched: with the same payload as another URL of this run. */
  duplicate: count,
  /** Of those fetched or imported: captures that are not whole. */
  truncated: count,
})

const findingCounts = z.object({ errors: count, warnings: count, notes: count })

export const jobSummary = z.object({
  job: jobId,
  harvest: z.string(),
  kind: z.enum(['event', 'import']),
  state: z.enum(jobStates.states),
  /** What a person calls the state: a job that is not running is 'Not yet run', 'Done', 'Done, incomplete' (some of its captures are
   *  truncated), 'Done, with errors' (an import that refused files, or found errors in them), 'Empty' (done, and nothing was fetched
   *  or imported), 'Stopped' or 'Error'. An import of files that other jobs have already is 'Done'. */
  status: z.string(),
  stopReason: z.enum(stopReasons).nullable(),
  /** Why it ended in an error, or why it does nothing at the moment. */
  reason: z.string().nullable(),
  /** Which kind of fault `reason` is; null where it is none. */
  reasonCode: z.enum(faultCodes).nullable(),
  documents: documentCounts,
  /** URLs in scope: those that have a result in this run (fetched or failed), and all. Excluded URLs are in neither. */
  progress: z.object({ done: count, total: count }),
  /** URLs in the queue: waiting for their turn (in a continuous job also for their next check), and in progress. */
  queued: count,
  /** What needs attention. Of a harvest: each URL that failed, each capture that is truncated, and one for each further sentence in
   *  `findings` of the whole job. Of an import: each place in its files that breaks a rule, as `loupe check` counts them. */
  findingCounts,
  /** Bytes received in this run, with HTTP headers and before compression. Of an import: bytes of the files that it took in. */
  bytes: count,
  /** How long its last run has been active, without pauses and without time in which the machine was suspended. */
  seconds: z.number().min(0),
  documentsPerSecond: z.number().min(0),
  created: time,
  started: time.nullable(),
  ended: time.nullable(),
  /** The first of them; all are in the definition. */
  seeds: z.array(z.string()),
})
export type JobSummary = z.output<typeof jobSummary>

/** What is left of a job that was deleted: its files in the archive, under its number. */
export const deletedJob = z.object({
  job: jobId,
  /** Of its harvest; null: the database does not know it, only the catalogue its number. */
  name: z.string().nullable(),
  deleted: time.nullable(),
  files: count,
  bytes: count,
})
export type DeletedJob = z.output<typeof deletedJob>

const finding = z.object({
  level: z.enum(['error', 'warning', 'note']),
  text: z.string(),
  /** How many URLs, captures or files the text is about; 1 where it is about the job. */
  count,
})

/** URLs of a run by the answer of their server. All but `notFound` add up to the URLs fetched and failed. */
export const answerCounts = z.object({
  /** 2xx. */
  success: count,
  /** 3xx. */
  redirects: count,
  /** 4xx, those not found among them. */
  clientErrors: count,
  /** 404. */
  notFound: count,
  /** 5xx. */
  serverErrors: count,
  /** Archived without a status of these: 1xx, or a source without HTTP. */
  other: count,
  /** Failed: no answer that can be archived. */
  none: count,
})
export type AnswerCounts = z.output<typeof answerCounts>

export const jobRun = z.object({
  /** From 1. */
  run: z.int().min(1),
  started: time,
  /** Null while it runs; also where it was ended to begin the next run. */
  ended: time.nullable(),
  /** Active time, as `seconds` of the job. */
  seconds: z.number().min(0),
  stopReason: z.enum(stopReasons).nullable(),
  /** The error that it ended with. */
  reason: z.string().nullable(),
  /** URLs fetched, which is what `documents.fetched` of the job says of its last run. */
  captures: count,
  /** Bytes received. */
  bytes: count,
  /** Findings of this run: the sum of `findingCounts`. Null: not known, since the run was recovered from older files. */
  findings: count.nullable(),
})
export type JobRun = z.output<typeof jobRun>

/** A field of a definition that cannot be changed while a run is under way, and why: the end of a sentence. */
const fixedField = z.object({ field: z.array(z.union([z.string(), count])), why: z.string() })
export type FixedField = z.output<typeof fixedField>

export const jobWhole = jobSummary.extend({
  /** What it does, or what it waits for when it does nothing, in a sentence. */
  doing: z.string(),
  definition: storedDefinition,
  /** What the last run ran with, of which the numbers are; null where the definition has not been changed since. */
  ranWith: storedDefinition.nullable(),
  /** The last first. Runs that ended before Loupe kept their numbers are not in it. */
  runs: z.array(jobRun),
  /** Null of an import: its captures are not counted by status. */
  answers: answerCounts.nullable(),
  /** What of the definition cannot be changed at the moment. */
  fixed: z.array(fixedField),
  byStatus: z.array(z.object({ status: z.string(), documents: count })),
  byMediaType: z.array(z.object({ mediaType: z.string(), documents: count, bytes: count })),
  byReason: z.array(z.object({ outcome: z.enum(outcomes), reason: z.string(), text: z.string(), documents: count })),
  /** Captures that are not whole, by why. */
  byTruncation: z.array(z.object({ truncation: z.enum(truncationNames), text: z.string(), documents: count })),
  hosts: z.array(
    z.object({ origin: z.string(), queued: count, fetched: count, failed: count, excluded: count, bytes: count }),
  ),
  /** Size on disk of the archived files of all runs, compressed as they are: the sum of the bytes of `files`. */
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

export const documentRow = z.object({
  id: count,
  url: z.string(),
  state: z.enum(documentStates.states),
  outcome: z.enum(outcomes).nullable(),
  /** A key of contract/outcomes: why it failed or was excluded. */
  code: z.string().nullable(),
  /** The reason as text, with the rule or message that caused it; also what is unusual about a fetched URL. */
  reason: z.string().nullable(),
  /** Of a fetched one: why its capture is not whole; null: it is. */
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

/** What a rule of the formats has to say about a place in a file. */
export const fileFinding = z.object({
  /** A rule of `formats/rules`, `recordTorn` say. */
  rule: z.string(),
  severity,
  /** The standard with its clause, or whose practice it is. */
  clause: z.string(),
  /** What the rule means for keeping the file, and what to do. */
  means: z.string(),
  /** What was found here. */
  text: z.string(),
  file: z.string(),
  /** Which record of the file, from 1; null when it is about the file. */
  record: z.int().min(1).nullable(),
  offset: count.nullable(),
})
export type FileFinding = z.output<typeof fileFinding>

/** A file that an import was given, or that it found in a folder or a WACZ it was given. */
export const importedFile = z.object({
  /** The source: a path, and after `!` the place in a package. */
  from: z.string(),
  /** Under which name the archive has it; null while it has not. */
  name: z.string().nullable(),
  /** What its bytes are, in words: 'WARC, gzip', 'ARC', 'WACZ' … */
  kind: z.string(),
  state: z.enum(importedFileStates.states),
  bytesTotal: count,
  bytesDone: count,
  records: count,
  captures: count,
  findings: findingCounts,
  /** Why it was refused, or what was done to it: one sentence. */
  problem: z.string().nullable(),
  /** Of a refused one, what the problem would have been called in an answer. */
  code: z.enum(faultCodes).nullable(),
  /** Of one that was archived before: the very file in the archive, and the job that has it. */
  archived: z.object({ name: z.string(), job: jobId.nullable() }).nullable(),
})
export type ImportedFile = z.output<typeof importedFile>

/** One line of a record list: what the record says of itself. */
export const recordRow = z.object({
  number: z.int().min(1),
  offset: count,
  /** Bytes in the file; 0 for a record that shares its gzip member with the next. */
  length: count,
  addressable: z.boolean(),
  type: z.string(),
  /** As written; null when it has none. */
  date: z.string().nullable(),
  status: z.int().nullable(),
  mediaType: z.string().nullable(),
  url: z.string().nullable(),
  findings: count,
})
export type RecordRow = z.output<typeof recordRow>

const headerField = z.tuple([z.string(), z.string()])

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
  /** Behind the HTTP head, without transfer and content coding; bounded, so it may be less than there is. */
  payloadBytes: count,
  payloadCut: z.boolean(),
  /** The digests that its header names, compared with its bytes. */
  digests: z.array(
    z.object({
      of: z.enum(['block', 'payload']),
      named: z.string(),
      computed: z.string(),
      verdict: z.enum(['right', 'rightWithChunks', 'rightOfBlock', 'wrong', 'unknown']),
    }),
  ),
  /** The beginning of the payload as text, where it is one. */
  text: z.string().nullable(),
  /** The first bytes of the payload in hexadecimal digits. */
  hex: z.string(),
  /** The payload is an image that a browser shows; the viewer's port has it under `getPayload`. */
  isImage: z.boolean(),
  findingList: z.array(fileFinding),
})
export type RecordWhole = z.output<typeof recordWhole>

const exportFields = z.strictObject({
  /** Of jobs and of everything also the metadata files, except in a CSV, which lists captures. */
  ...selectionShape,
  /** Only what lies under this address: the host with or without `www.`, http or https, the path and all below it. */
  url: z.string().trim().min(1).optional(),
  /** Both ends belong to it. */
  from: time.optional(),
  to: time.optional(),
  format: z.enum(exportFormats),
  /** A file that does not exist yet, as an absolute path. */
  path: z.string().min(1),
  /** A revisit has no payload of its own: with this, what it refers to is written too, though it lies outside the narrowing.
   *  By itself on, because an export without them has pages that cannot be shown. */
  withOriginals: z.boolean().default(true),
  /** Of a WACZ. */
  waczVersion: z.enum(waczVersions).default('1.1.1'),
  /** A WACZ gets a signature made with this archive's own key. */
  sign: z.boolean().default(false),
})
export const exportRequest = selecting(exportFields)
export type ExportRequest = z.output<typeof exportRequest>

export const exportSummary = z.object({
  export: z.int().min(1),
  request: exportRequest,
  state: z.enum(exportStates.states),
  /** Records written; of a CSV its rows. */
  records: count,
  /** Of the new file. */
  bytes: count,
  /** Files of the archive written out. */
  filesDone: count,
  filesTotal: count,
  /** How far it is: bytes read of all that it has to read, its own file included, which is read again at the end. */
  bytesDone: count,
  bytesTotal: count,
  /** Whether what was written was read again and has the same records and digests. */
  verified: z.boolean(),
  started: time,
  ended: time.nullable(),
  problem: z.string().nullable(),
  /** What the problem would have been called in an answer. */
  code: z.enum(faultCodes).nullable(),
  /** Nothing of the selection is lacking: no record was too damaged to be written, every revisit has its original. */
  complete: z.boolean(),
  /** What a person should know: revisits whose original is not in the selection, say. */
  remarks: z.array(z.string()),
})
export type ExportSummary = z.output<typeof exportSummary>

const storedBatchRequest = z.strictObject({
  /** A built-in one's name, or the absolute path of a file that ends with .mjs. That is code which a person chose: it runs
   *  with the rights of the user who runs Loupe, without a sandbox. */
  module: z.string().min(1),
  /** Only files whose name matches this pattern. */
  files: z.string().optional(),
  jobs: z.array(jobId).min(1).optional(),
  kind: z.enum(['content', 'metadata', 'both']).default('both'),
  /** Only its copies; else each file from the first replica that gives a good copy. */
  replica: z.string().min(1).optional(),
  /** Of the whole run: seven days, as NetarchiveSuite has it. Of each file: an hour is for the largest on the slowest drive. */
  timeoutSeconds: z.int().min(1).max(2_000_000).default(604_800),
  fileTimeoutSeconds: z.int().min(1).max(2_000_000).default(3_600),
})
export type BatchRequest = z.output<typeof storedBatchRequest>
export const batchRequest = storedBatchRequest.extend({ files: patternShape.optional() })

export const batchRunSummary = z.object({
  run: z.int().min(1),
  name: z.string(),
  request: storedBatchRequest,
  state: z.enum(batchStates.states),
  filesTotal: count,
  bytesTotal: count,
  /** Files whose turn is over, those that failed among them. */
  processed: count,
  failed: count,
  bytesDone: count,
  /** Paths: what the module wrote, and what went wrong with which file. */
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
  /** The offset of what follows. */
  next: count,
  bytesTotal: count,
})
export type BatchOutput = z.output<typeof batchOutput>

/** A file that came from elsewhere, on its way into every replica. */
export const uploadedFile = z.object({
  path: z.string(),
  name: z.string(),
  bytes: count,
  /** `stored`: every replica has it and its checksum agreed. `refused`: nothing could be begun. */
  state: z.enum(['waiting', 'storing', 'stored', 'failed', 'refused']),
  problem: z.string().nullable(),
  /** What the problem would have been called in an answer. */
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

export const uploadSummary = z.object({
  upload: z.int().min(1),
  filesDone: count,
  filesTotal: count,
  /** Written to and read again from the slowest replica. */
  bytesDone: count,
  bytesTotal: count,
  isRunning: z.boolean(),
  /** Places below the named folders that the disk would not let us see. */
  unread: z.array(z.object({ path: z.string(), text: z.string() })),
})
export type UploadSummary = z.output<typeof uploadSummary>

export const setting = z.object({
  path: z.string(),
  kind: z.enum(['text', 'number', 'choice', 'list', 'map']),
  choices: z.array(z.string()).optional(),
  unit: z.string().optional(),
  value: z.unknown(),
  default: z.unknown(),
  source: z.enum(['default', 'loupe.toml']),
  meaning: z.string(),
  /** Whether a change waits for the next start. */
  atStart: z.boolean(),
  /** It was changed since Loupe was started, which goes on with what it had then. */
  needsRestart: z.boolean(),
})
export type Setting = z.output<typeof setting>

export const contract = {
  system: {
    about: call(
      nothing,
      z.object({
        version: z.string(),
        shell: z.enum(['electron', 'server', 'cli']),
        archive: z.string(),
        /** Where a browser must point its proxy to see archived pages, `host:port`. */
        proxy: z.string(),
        /** The name under which the proxy answers about itself: getFile, getRecord, getMetadata, getStatus. */
        commandHost: z.string(),
        /** User and password of a proxy connection that may change what the interface's viewing shows and records: for scripts, never for
         *  a browser. The token is a new one at each start. */
        commandUser: z.string(),
        commandToken: z.string(),
        certificate: z.object({ path: z.string(), spkiSha256: z.string() }),
        runtime: z.string(),
      }),
    ),
    /** A problem outside of any call: where it happened, with the fault that a call would have had. */
    problem: event(
      z.object({
        at: time,
        text: z.string(),
        code: z.enum(faultCodes),
        of: z.enum(['crawl', 'viewer', 'archive']),
        /** The job that cannot go on for it, when it is the trouble of one. */
        job: jobId.nullable(),
      }),
    ),
  },
  harvests: {
    create: call(harvestDefinition, z.object({ job: jobId })),
    /** Changes the definition of a job. A run that is under way takes what it can; what it cannot is refused, and then nothing
     *  is changed. What is said of earlier runs stays what they ran with. */
    edit: call(
      z.strictObject({ job: jobId, definition: harvestDefinition }),
      z.object({
        job: jobId,
        /** Parts of the definition that are another now. */
        changed: z.array(z.string()),
        holds: z.enum(['now', 'nextRun']),
      }),
    ),
    openSample: call(nothing, z.object({ job: jobId })),
    /** Files and folders, of any kind that archives are written in; the originals are only read. */
    import: call(z.strictObject({ paths: z.array(z.string().min(1)).min(1) }), z.object({ job: jobId })),
    /** What an import was given and found, in the order in which it is taken in; empty for a job that is none. */
    imported: call(z.strictObject({ job: jobId }), z.array(importedFile)),
    /** What is wrong with the files of an import. Of one rule in one file only the first are kept: `total` says how many
     *  rows there are to page through, `byRule` how often each rule was met in truth, whichever `rule` was chosen. */
    importFindings: call(
      z.strictObject({
        job: jobId,
        /** Its name in the archive, or where it was taken from. */
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
    /** Files of an import that moved on, as they are now; at most a few times a second for each job. */
    importChanged: event(z.object({ job: jobId, files: z.array(importedFile) })),
  },
  credentials: credentialCalls,
  jobs: {
    list: call(z.strictObject({ state: z.string().optional() }), z.array(jobSummary)),
    show: call(z.strictObject({ job: jobId }), jobWhole),
    documents: call(
      z.strictObject({
        job: jobId,
        /** `truncated`: fetched, and not whole. */
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
    /** A job that has ended begins its next run. `minimal`: only what is new or changed is looked at. */
    start: call(z.strictObject({ job: jobId, minimal: z.boolean().optional() }), jobMove),
    /** Ends the run that is under way and begins the next. */
    restart: call(z.strictObject({ job: jobId, minimal: z.boolean().optional() }), jobMove),
    /** Takes the job and its list out of Loupe. What it archived stays, and can be viewed by its number. */
    delete: call(z.strictObject({ job: jobId }), jobMove),
    pause: call(z.strictObject({ job: jobId }), jobMove),
    resume: call(z.strictObject({ job: jobId }), jobMove),
    abort: call(z.strictObject({ job: jobId }), jobMove),
    /** Jobs that were deleted and of which the archive has files, the newest first: they can be viewed and exported by their numbers. */
    deleted: call(nothing, z.array(deletedJob)),
    /** A job's numbers or its state changed; at most a few times a second for each job. */
    changed: event(jobSummary),
    /** A job that was deleted is no more. */
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
    /** The records of a file of the archive in their order, a page at a time. Rows may be fewer than `limit` while there is
     *  a `next`: looking for a rare type ends after a while and goes on with the next call. */
    list: call(
      z.strictObject({
        file: z.string().min(1),
        /** The `next` of the page before; 0: from the beginning. */
        after: count.default(0),
        limit: z.int().min(1).max(500).default(100),
        type: z.string().trim().min(1).optional(),
      }),
      z.object({
        rows: z.array(recordRow),
        /** The number of the last record that was looked at; null when the file has no more. */
        next: z.int().min(1).nullable(),
        /** What is wrong with the framing in this part of the file; digests are compared by `show`. */
        findings: z.array(fileFinding),
      }),
    ),
    /** The record that begins at `offset`. Several begin there when they share a gzip member: then `number`, as `list`
     *  gave it, says which; for the others it is given back. */
    show: call(
      z.strictObject({ file: z.string().min(1), offset: count, number: z.int().min(1).optional() }),
      recordWhole,
    ),
  },
  exports: {
    /** Begins; refused when the file exists, a job has not ended, or the disk has no room for it; not found when the archive has nothing of
     *  a job, or no file of a name. */
    start: call(exportRequest, exportSummary),
    /** Newest first. */
    list: call(nothing, z.array(exportSummary)),
    stop: call(z.strictObject({ export: z.int().min(1) }), exportSummary),
    changed: event(exportSummary),
  },
  batch: {
    /** Begins; refused when the module lies in the archive, or too many are running. */
    start: call(batchRequest, batchRunSummary),
    /** Newest first. */
    list: call(nothing, z.array(batchRunSummary)),
    stop: call(z.strictObject({ run: z.int().min(1) }), batchRunSummary),
    /** A piece of what the module wrote, or of what went wrong, by its place in bytes. */
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
    /** Begins to store files that came from elsewhere; folders give all archive files in them. One that every replica has
     *  already is stored; what was stopped goes on when it is begun again. */
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
