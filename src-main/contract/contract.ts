/** What the interface and the command line may ask and hear, declared once. Neither pages nor WARC bytes cross it: they go
 *  through the viewer's port. Times are ISO 8601 in UTC; sizes are bytes; digests are lower-case hexadecimal SHA-256 unless
 *  the name says otherwise. */
import { z } from 'zod'
import { auditActors, auditDeeds, exportFormats, reportFormats, scopes, waczVersions } from './choices.ts'
import { connectorChoice, connectorsContract } from './connectors.ts'
import { faultCodes } from './faults.ts'
import { credentialCalls, loginShape } from './login.ts'
import { historyCalls } from './history.ts'
import { liveCalls } from './live.ts'
import { patternShape } from './pattern.ts'
import { recheckShape } from './recrawl.ts'
import { hopsShape } from './hops.ts'
import {
  batchStates,
  checkStates,
  documentStates,
  exportStates,
  importedFileStates,
  jobStates,
  preservationStates,
  uploadStates,
} from './states.ts'
import { scheduleService, scheduleShape } from './schedule.ts'
import { call, event, type Services } from './service.ts'
import { throttleShape } from './throttle.ts'

const time = z.iso.datetime()
const count = z.int().min(0)
const jobId = z.int().min(1)
const nothing = z.object({})
/** As `sha256sum` prints it, in whatever letters. */
const sha256 = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, 'not a SHA-256: 64 digits and letters a to f')
const pattern = patternShape
const page = { offset: count.default(0), limit: z.int().min(1).max(1000).default(200) }

export const stopReasons = [
  'DOWNLOAD_COMPLETE',
  'OBJECT_LIMIT',
  'SIZE_LIMIT',
  'TIME_LIMIT',
  'DOWNLOAD_UNFINISHED',
] as const
/** How a document ended. A duplicate is a fetched document whose payload another capture of the job has too: counted beside. */
export const outcomes = ['fetched', 'failed', 'excluded'] as const

/** It becomes a line of a request: printable ASCII only. */
export const userAgentShape = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[ -~]*$/, 'only printable ASCII characters can stand in it')

/** What a harvest is to do. Limits that are absent do not limit. */
export const harvestDefinition = z.strictObject({
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
  include: z.array(pattern).default([]),
  exclude: z.array(pattern).default([]),
  userAgent: userAgentShape.optional(),
  /** Host name → address or address:port, asked before the resolver: for a site that moves, or is not public yet. */
  resolve: z.record(z.string(), z.string()).default({}),
  recheck: recheckShape.optional(),
  connectors: connectorChoice.optional(),
  /** With one it waits for its first window, or for somebody who starts it; without it starts at once. */
  schedule: scheduleShape.optional(),
  login: loginShape.optional(),
})
export type HarvestDefinition = z.output<typeof harvestDefinition>

const documentCounts = z.object({ total: count, fetched: count, failed: count, excluded: count, duplicate: count })

export const jobSummary = z.object({
  job: jobId,
  harvest: z.string(),
  kind: z.enum(['event', 'import']),
  state: z.enum(jobStates.states as [string, ...string[]]),
  /** What a person calls the state: a job that is not running is 'Not yet run', 'Done', 'Stopped' or 'Error'. */
  status: z.string(),
  stopReason: z.enum(stopReasons).nullable(),
  /** Why it ended in an error, or why it does nothing at the moment. */
  reason: z.string().nullable(),
  documents: documentCounts,
  /** Waiting and in flight. */
  queued: count,
  bytes: count,
  seconds: z.number().min(0),
  documentsPerSecond: z.number().min(0),
  created: time,
  started: time.nullable(),
  ended: time.nullable(),
  /** The first of them; all are in the definition. */
  seeds: z.array(z.string()),
})
export type JobSummary = z.output<typeof jobSummary>

const finding = z.object({ level: z.enum(['error', 'warning', 'note']), text: z.string() })

export const jobWhole = jobSummary.extend({
  definition: harvestDefinition,
  byStatus: z.array(z.object({ status: z.string(), documents: count })),
  byMediaType: z.array(z.object({ mediaType: z.string(), documents: count, bytes: count })),
  byReason: z.array(z.object({ outcome: z.enum(outcomes), reason: z.string(), text: z.string(), documents: count })),
  hosts: z.array(
    z.object({ origin: z.string(), waiting: count, fetched: count, failed: count, excluded: count, bytes: count }),
  ),
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
  state: z.enum(documentStates.states as [string, ...string[]]),
  outcome: z.enum(outcomes).nullable(),
  /** A key of contract/outcomes: why it failed or was excluded. */
  code: z.string().nullable(),
  /** The same for a person, with the rule or message behind it; also what is odd about a fetched one. */
  reason: z.string().nullable(),
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

export const viewSummary = z.object({
  view: z.int().min(1),
  jobs: z.array(jobId),
  /** Nearest to this moment is shown; null: the newest. */
  at: time.nullable(),
  captures: count,
  /** Files of the jobs that no replica could give: their captures cannot be shown. */
  filesMissing: z.array(z.string()),
  /** Where a viewing would well begin: the seeds of the jobs. */
  seeds: z.array(z.string()),
  misses: count,
})
export type ViewSummary = z.output<typeof viewSummary>

/** One request of the browser and what the viewer proxy answered. */
export const answer = z.object({
  id: count,
  view: z.int().min(1),
  at: time,
  method: z.string(),
  url: z.string(),
  referrer: z.string(),
  /** The browser asked for a page (a frame or a window), not for a part of one. */
  navigation: z.boolean(),
  found: z.boolean(),
  status: z.int(),
  mediaType: z.string().nullable(),
  bytes: count.nullable(),
  captured: time.nullable(),
  job: jobId.nullable(),
  file: z.string().nullable(),
  offset: count.nullable(),
})
export type Answer = z.output<typeof answer>

export const miss = z.object({
  id: count,
  view: z.int().min(1),
  url: z.string(),
  referrer: z.string(),
  method: z.string(),
  times: z.int().min(1),
  first: time,
  last: time,
  /** What the jobs of the view know about it: its document's outcome and reason, or that it was never queued. */
  why: z.string(),
})
export type Miss = z.output<typeof miss>

export const capturedPage = z.object({ url: z.string(), captured: time, status: z.int(), mediaType: z.string() })
export type CapturedPage = z.output<typeof capturedPage>

export const replicaSummary = z.object({
  replica: z.string(),
  /** `checksums`: it holds only which checksum each file had. */
  kind: z.enum(['files', 'checksums']),
  folder: z.string(),
  /** False: the folder cannot be read now (a drive not mounted, say). */
  reachable: z.boolean(),
  files: count,
  /** What it holds: of checksums the list of them, and null while that cannot be looked at. */
  bytes: count.nullable(),
  freeBytes: count.nullable(),
  lastMissingCheck: time.nullable(),
  lastChecksumCheck: time.nullable(),
  neverChecked: count,
  missing: count,
  corrupt: count,
  notStored: count,
  /** What was done with it since Loupe was started, by the part of Loupe that answers; a harvest stores in its own. */
  operations: z.array(z.object({ operation: z.string(), count, failures: count, bytes: count, durationMs: count })),
  lastFailure: z.object({ at: time, operation: z.string(), file: z.string().nullable(), text: z.string() }).nullable(),
})
export type ReplicaSummary = z.output<typeof replicaSummary>

export const archivedFile = z.object({
  name: z.string(),
  kind: z.enum(['content', 'metadata']),
  job: jobId.nullable(),
  bytes: count,
  sha256: z.string(),
  stored: time.nullable(),
  replicas: z.array(
    z.object({
      replica: z.string(),
      upload: z.enum(uploadStates.states as [string, ...string[]]),
      problem: z.string().nullable(),
      preservation: z.enum(preservationStates.states as [string, ...string[]]),
      checked: time.nullable(),
      verified: time.nullable(),
    }),
  ),
})
export type ArchivedFile = z.output<typeof archivedFile>

/** `notStored`: never brought there whole; `overdue`: not bad as far as anyone knows, but not compared for too long. */
export const copyStandings = ['missing', 'corrupt', 'neverChecked', 'overdue', 'notStored', 'stored'] as const
export type CopyStanding = (typeof copyStandings)[number]
export const fileOrders = ['name', 'job', 'bytes', 'stored'] as const
export type FileOrder = (typeof fileOrders)[number]

/** It lies in a replica's folder, and nobody told Loupe of it. */
export const surplusFile = z.object({
  replica: z.string(),
  name: z.string(),
  path: z.string(),
  check: z.int().min(1),
  at: time,
})
export type SurplusFile = z.output<typeof surplusFile>

export const preservationFinding = z.object({
  replica: z.string(),
  name: z.string(),
  finding: z.enum(['missing', 'wrongLength', 'wrongChecksum', 'unreadable', 'surplus']),
  expected: z.string().nullable(),
  found: z.string().nullable(),
  job: jobId.nullable(),
})
export type PreservationFinding = z.output<typeof preservationFinding>

export const checkSummary = z.object({
  check: z.int().min(1),
  kind: z.enum(['missing', 'checksums']),
  replicas: z.array(z.string()),
  begunBy: z.enum(['person', 'schedule']),
  /** The pattern of the files that were chosen, and how many of them by chance; null: all. */
  files: z.string().nullable(),
  sample: z.int().min(1).nullable(),
  state: z.enum(checkStates.states as [string, ...string[]]),
  started: time,
  ended: time.nullable(),
  filesTotal: count,
  filesDone: count,
  bytesTotal: count,
  bytesDone: count,
  findings: count,
  problem: z.string().nullable(),
})
export type CheckSummary = z.output<typeof checkSummary>

const checkRequest = z.strictObject({
  kind: z.enum(['missing', 'checksums']),
  replica: z.string().optional(),
  files: pattern.optional(),
  sample: z.int().min(1).optional(),
})
export type CheckRequest = z.input<typeof checkRequest>

/** What a check would look at. */
export const checkEstimate = z.object({
  /** Files that are chosen, of those that match. */
  files: count,
  of: count,
  /** Their copies in the replicas, and the bytes of these that are read. Of a sample: as if each had the usual size. */
  copies: count,
  bytes: count,
  /** The first that match. */
  names: z.array(z.string()),
})
export type CheckEstimate = z.output<typeof checkEstimate>

/** A copy that nobody has looked at since it was stored, or whose checksum was compared too long ago. */
export const agingCopy = z.object({
  replica: z.string(),
  name: z.string(),
  finding: z.enum(['neverChecked', 'overdue']),
  /** When its checksum was last compared. */
  verified: time.nullable(),
  stored: time,
  job: jobId.nullable(),
})
export type AgingCopy = z.output<typeof agingCopy>

/** Who is right about a file: the registered checksum and every replica have a vote, more than half of all decides. */
export const fileVote = z.object({
  name: z.string(),
  job: jobId.nullable(),
  bytes: count,
  /** The checksum of the catalogue. */
  registered: z.string(),
  registeredVerdict: z.enum(['right', 'wrong', 'unknown']),
  /** The checksum that won; null when none has enough votes. */
  winner: z.string().nullable(),
  votes: count,
  needed: z.int().min(1),
  copies: z.array(
    z.object({
      replica: z.string(),
      verdict: z.enum(['right', 'corrupt', 'missing', 'unknown']),
      /** As it was last read; null when it is gone, or has changed since. */
      checksum: z.string().nullable(),
    }),
  ),
  /** The same for a person. */
  text: z.string(),
})
export type FileVote = z.output<typeof fileVote>

/** What the replicas answered to one salted question about one file. */
export const spotFinding = z.object({
  name: z.string(),
  job: jobId.nullable(),
  at: time,
  /** Hexadecimal, as the key of the HMAC was given: whoever doubts an answer makes it again from the bytes. */
  salt: z.string(),
  /** `single`: only one replica could be asked, so nothing was compared; `none`: none could. */
  verdict: z.enum(['agree', 'differ', 'failed', 'single', 'none']),
  answers: z.array(
    z.object({
      replica: z.string(),
      /** `notAsked`: it holds checksums only, or never got the file; `away`: its drive is. */
      kind: z.enum(['answered', 'notAsked', 'failed', 'away']),
      hmac: z.string().nullable(),
      why: z.string().nullable(),
    }),
  ),
})
export type SpotFinding = z.output<typeof spotFinding>

export const spotCheckSummary = z.object({
  spotCheck: z.int().min(1),
  begunBy: z.enum(['person', 'schedule']),
  started: time,
  /** Null: it was stopped before its end. */
  ended: time.nullable(),
  files: z.array(spotFinding),
})
export type SpotCheckSummary = z.output<typeof spotCheckSummary>

/** A replica with the ages of its copies. */
export const replicaStanding = replicaSummary.extend({
  /** Where it is, as the settings say; null when they do not. */
  place: z.string().nullable(),
  /** Not bad as far as anyone knows, but their checksums were compared too long ago. */
  overdue: count,
  /** The longest that a checksum has not been compared; null when none ever was. */
  oldestVerified: time.nullable(),
})
export type ReplicaStanding = z.output<typeof replicaStanding>

/** A file whose bytes no replica has any more, as far as anyone knows. */
export const lostFile = z.object({ name: z.string(), job: jobId.nullable(), bytes: count })
export type LostFile = z.output<typeof lostFile>

export const archiveStatus = z.object({
  at: time,
  /** Nothing needs a person: all replicas are there, nothing is wrong, nothing was never checked, nothing is overdue. */
  fine: z.boolean(),
  overdueDays: z.int().min(1),
  /** Files of which no replica has a good copy; where there are many, the first of `lostTotal`. */
  lost: z.array(lostFile),
  lostTotal: count,
  replicas: z.array(replicaStanding),
  /** What is wrong, as far as anyone knows. */
  findings: z.array(preservationFinding),
  /** What nobody has looked at, or not for too long; of each replica at most a thousand, the oldest first. */
  aging: z.array(agingCopy),
  /** Who is right about each file of which a copy is bad. */
  votes: z.array(fileVote),
  /** Spots that found something wrong and were not looked into since. */
  spots: z.array(spotFinding),
})
export type ArchiveStatus = z.output<typeof archiveStatus>

/** What is lost with one file. */
export const affectedFile = z.object({
  name: z.string(),
  job: jobId.nullable(),
  bytes: count,
  vote: fileVote,
  /** Replicas whose copies nobody has a reason to doubt. */
  goodIn: z.array(z.string()),
  /** Null when nobody can say: no index has its lines, and no copy of it can be read. */
  content: z
    .object({
      captures: count,
      domains: z.array(z.object({ domain: z.string(), captures: count })),
      domainsTotal: count,
      /** Captures with a payload of their own, and how many of them have the same payload in another file too. */
      withPayload: count,
      elsewhere: count,
      /** Other files that were looked into, of all that have index lines. */
      othersRead: count,
      othersTotal: count,
      /** False: the time was up, so these numbers are the least. */
      complete: z.boolean(),
    })
    .nullable(),
})
export type AffectedFile = z.output<typeof affectedFile>

/** What must hold before a copy is repaired, and what is then done, in this order. */
export const repairCondition = z.object({
  condition: z.enum([
    'replicaUsable',
    'goodCopy',
    'majority',
    'asConfirmed',
    'differs',
    'expected',
    'setAside',
    'brought',
    'goodAfter',
  ]),
  /** The same for a person, with what was seen. */
  sentence: z.string(),
  /** `open`: it waits for the person, or is still to be done. */
  state: z.enum(['open', 'met', 'failed']),
})
export type RepairCondition = z.output<typeof repairCondition>

/** `restore`: nothing lies under the name; `replace`: something wrong does; `right`: nothing is to be repaired. */
const repairKind = z.enum(['restore', 'replace', 'right'])

export const repairPlan = z.object({
  name: z.string(),
  replica: z.string(),
  kind: repairKind,
  bytes: count,
  registered: z.string(),
  /** The checksum of what lies there, read just now; null when nothing does, or it cannot be read. */
  found: z.string().nullable(),
  /** Why what lies there cannot be read; null when it can, or when nothing does. */
  unreadable: z.string().nullable(),
  /** The replica with the good copy. */
  source: z.string().nullable(),
  /** No condition failed: it may be tried, once what is open is confirmed. */
  allowed: z.boolean(),
  conditions: z.array(repairCondition),
})
export type RepairPlan = z.output<typeof repairPlan>

export const repairOutcome = z.object({
  name: z.string(),
  replica: z.string(),
  kind: repairKind,
  /** `refused`: a condition did not hold, and nothing was changed. `failed`: it could not be brought to its end; the text
   *  says how it stands. */
  state: z.enum(['running', 'repaired', 'refused', 'failed']),
  source: z.string().nullable(),
  /** The entry of the attic that holds what was there before. */
  attic: z.int().min(1).nullable(),
  /** Empty while what lies there is being read. */
  conditions: z.array(repairCondition),
  text: z.string(),
  /** `recovery`: Loupe itself, of what a kill interrupted. */
  by: z.enum(['person', 'recovery']),
  begun: time,
  ended: time.nullable(),
  /** Its entry in the audit trail; null when there is none (yet). */
  audit: z.int().min(1).nullable(),
})
export type RepairOutcome = z.output<typeof repairOutcome>

export const repairableCopy = z.object({
  name: z.string(),
  replica: z.string(),
  state: z.enum(['missing', 'corrupt', 'notStored']),
  bytes: count,
  registered: z.string(),
  /** Replicas that may give the good copy: nobody knows of anything wrong with theirs. */
  sources: z.array(z.string()),
  /** Why it cannot be repaired now, as a sentence; null: as far as is known it can. */
  hindrance: z.string().nullable(),
})
export type RepairableCopy = z.output<typeof repairableCopy>

/** What was taken out of service. Loupe removes nothing from there. */
export const atticEntry = z.object({
  id: z.int().min(1),
  name: z.string(),
  replica: z.string(),
  /** Null: nobody could read it when it was taken, and it was taken as it was. */
  sha256: z.string().nullable(),
  /** Null: a line of checksums, or what nobody could read. */
  bytes: count.nullable(),
  /** The checksum that it should have had. */
  registered: z.string(),
  who: z.string(),
  reason: z.string(),
  at: time,
  /** `open`: Loupe was interrupted, and does not know yet whether it was taken. */
  state: z.enum(['kept', 'open']),
  /** The file that holds it. */
  where: z.string().nullable(),
  /** When the good copy was in its place. */
  brought: time.nullable(),
  /** The name under which it was put beside. */
  restoredAs: z.string().nullable(),
})
export type AtticEntry = z.output<typeof atticEntry>

/** Whether the bytes of an entry are still what was put there. `there`: with their length, nobody read them; `right`: read
 *  and compared; `none`: a line of checksums has no bytes; `unknown`: its replica cannot be used, or it is open. */
export const atticLook = z.object({
  id: z.int().min(1),
  state: z.enum(['there', 'right', 'changed', 'gone', 'none', 'unknown']),
  text: z.string(),
})
export type AtticLook = z.output<typeof atticLook>

/** One deed on ground truth. */
export const auditEntry = z.object({
  number: z.int().min(1),
  at: time,
  who: z.string(),
  what: z.string(),
  subject: z.string(),
  /** Before and after, as whoever did it wrote it down; null where there was nothing. */
  was: z.unknown(),
  became: z.unknown(),
  /** The hash of the entry before. */
  previous: z.string(),
  hash: z.string(),
})
export type AuditEntry = z.output<typeof auditEntry>

/** What was seen of one copy, from one look to another, for as long as it was the same. */
export const copySighting = z.object({
  replica: z.string(),
  /** `present`: it was there with its right length; nobody read it. `stored`: read back when it was stored. */
  seen: z.enum(['stored', 'right', 'present', 'missing', 'wrongLength', 'wrongChecksum', 'unreadable']),
  /** What it was read as; null when it was not read. */
  sha256: z.string().nullable(),
  bytes: count.nullable(),
  first: time,
  last: time,
  times: z.int().min(1),
})
export type CopySighting = z.output<typeof copySighting>

/** Everything that was written down of one file; what looks into copies or indexes is `repairPlan` and `affected`. */
export const fileHistory = z.object({
  file: archivedFile,
  vote: fileVote,
  /** Newest first, of all its copies. */
  sightings: z.array(copySighting),
  attic: z.array(atticEntry),
  /** The entries of the audit trail about it, newest first, at most a hundred. */
  audit: z.array(auditEntry),
})
export type FileHistory = z.output<typeof fileHistory>

/** What was done about a replica and what it showed: a part of the strip of its history. */
export const replicaEvent = z.object({
  kind: z.enum(['missing', 'checksums', 'spot', 'repair']),
  /** Its check or spot check; of repairs that followed each other, the entry of the first in the audit trail. */
  number: z.int().min(1),
  at: time,
  begunBy: z.enum(['person', 'schedule', 'recovery']),
  /** Files of this replica that were looked at, or repaired; of how many. */
  files: count,
  filesTotal: count,
  /** What was wrong with them; of repairs, the copies that could not be put right. */
  findings: count,
  /** `unfinished`: stopped, failed, or going on. */
  state: z.enum(['done', 'unfinished']),
})
export type ReplicaEvent = z.output<typeof replicaEvent>

/** The first entry that is not what was written there. */
export const brokenLink = z.object({
  number: z.int().min(1),
  kind: z.enum(['removed', 'changed', 'unlinked']),
  text: z.string(),
})
export type BrokenLink = z.output<typeof brokenLink>

/** What the file beside the database says of the trail. `behind` says nothing: Loupe was killed between the two. */
export const auditWitness = z.object({
  state: z.enum(['agrees', 'behind', 'absent', 'unreadable', 'contradicts']),
  /** The entry that it names. */
  number: z.int().min(1).nullable(),
})
export type AuditWitness = z.output<typeof auditWitness>

export const auditVerdict = z.object({
  /** No entry was changed, removed or moved, and the file beside the database contradicts nothing. */
  whole: z.boolean(),
  /** Entries in order from the first: all of them, or those before the one that is not in order. */
  entries: count,
  broken: brokenLink.nullable(),
  head: z.string().nullable(),
  witness: auditWitness,
  /** The same for a person. */
  text: z.string(),
})
export type AuditVerdict = z.output<typeof auditVerdict>

/** How far the verifying of the trail is: entries in order so far, of those that there were when it began. */
export const auditProgress = z.object({ entries: count, entriesTotal: count })
export type AuditProgress = z.output<typeof auditProgress>

/** How the archive stands, for whoever answers for it. */
export const preservationReport = archiveStatus.extend({
  archive: z.string(),
  software: z.string(),
  files: count,
  bytes: count,
  audit: auditVerdict,
  lastSpotCheck: spotCheckSummary.nullable(),
  /** The last checks, newest first. */
  checks: z.array(checkSummary),
  /** The NDSA levels (2019) of these areas. */
  levels: z.array(
    z.object({
      area: z.enum(['storage', 'integrity', 'metadata']),
      level: z.int().min(0).max(4),
      conditions: z.array(
        z.object({
          id: z.string(),
          level: z.int().min(1).max(4),
          sentence: z.string(),
          /** `declared`: the institution says so in the settings; Loupe cannot know. */
          state: z.enum(['met', 'declared', 'notMet']),
          need: z.string(),
        }),
      ),
      /** What is lacking for the next level. */
      next: z.array(z.string()),
    }),
  ),
})
export type PreservationReport = z.output<typeof preservationReport>

const severity = z.enum(['error', 'warning', 'note'])

/** What a rule of the formats has to say about a place in a file. */
export const fileFinding = z.object({
  /** A rule of `formats/rules`, `recordTorn` say. */
  rule: z.string(),
  severity,
  /** The standard with its clause, or whose practice it is. */
  clause: z.string(),
  /** What the rule means for whoever keeps the file, and what to do. */
  means: z.string(),
  /** What was found here. */
  text: z.string(),
  file: z.string(),
  /** Which record of the file, from 1; null when it is about the file. */
  record: z.int().min(1).nullable(),
  offset: count.nullable(),
})
export type FileFinding = z.output<typeof fileFinding>

const findingCounts = z.object({ errors: count, warnings: count, notes: count })

/** A file that an import was given, or that it found in a folder or a WACZ it was given. */
export const importedFile = z.object({
  /** Where it was taken from: a path, and behind `!` its place in a package. */
  from: z.string(),
  /** Under which name the archive has it; null while it has not. */
  name: z.string().nullable(),
  /** What its bytes are, in words: 'WARC, gzip', 'ARC', 'WACZ' … */
  kind: z.string(),
  state: z.enum(importedFileStates.states as [string, ...string[]]),
  bytesTotal: count,
  bytesDone: count,
  records: count,
  captures: count,
  findings: findingCounts,
  /** Why it was refused, or what was done to it: one sentence. */
  problem: z.string().nullable(),
  /** Of a refused one, what the problem would have been called in an answer. */
  code: z.enum(faultCodes).nullable(),
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
  /** Null when the record was asked for by its place alone: nobody has counted those before it. */
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

export const exportRequest = z.strictObject({
  jobs: z.array(jobId).min(1).max(1000),
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
export type ExportRequest = z.output<typeof exportRequest>

export const exportSummary = z.object({
  export: z.int().min(1),
  request: exportRequest,
  state: z.enum(exportStates.states as [string, ...string[]]),
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

export const batchRequest = z.strictObject({
  /** A built-in one's name, or the absolute path of a file that ends with .mjs. That is code which a person chose: it runs
   *  with the rights of whoever runs Loupe, and there is no sandbox around it. */
  module: z.string().min(1),
  /** Only files whose name matches this regular expression. */
  files: pattern.optional(),
  job: jobId.optional(),
  kind: z.enum(['content', 'metadata', 'both']).default('both'),
  /** Only its copies; else each file from the first replica that gives a good copy. */
  replica: z.string().min(1).optional(),
  /** Of the whole run: seven days, as NetarchiveSuite has it. Of each file: an hour is for the largest on the slowest drive. */
  timeoutSeconds: z.int().min(1).max(2_000_000).default(604_800),
  fileTimeoutSeconds: z.int().min(1).max(2_000_000).default(3_600),
})
export type BatchRequest = z.output<typeof batchRequest>

export const batchRunSummary = z.object({
  run: z.int().min(1),
  name: z.string(),
  request: batchRequest,
  state: z.enum(batchStates.states as [string, ...string[]]),
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
      upload: z.enum(uploadStates.states as [string, ...string[]]),
      problem: z.string().nullable(),
    }),
  ),
})
export type UploadedFile = z.output<typeof uploadedFile>

export const uploadSummary = z.object({
  upload: z.int().min(1),
  filesDone: count,
  filesTotal: count,
  /** Written to and read again from the replica that is furthest behind. */
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
        certificate: z.object({ path: z.string(), spkiSha256: z.string() }),
        runtime: z.string(),
      }),
    ),
    /** What went wrong while nobody waited for an answer, where, and what it would have been called in an answer. */
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
        outcome: z.enum([...outcomes, 'queued']).optional(),
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
    /** A job's numbers or its state changed; at most a few times a second for each job. */
    changed: event(jobSummary),
    /** A job that was deleted is no more. */
    removed: event(z.object({ job: jobId })),
  },
  schedules: scheduleService,
  queue: liveCalls,
  viewer: {
    /** Builds or reuses the capture index of these jobs and makes it what the proxy answers from. */
    open: call(
      z.strictObject({ jobs: z.array(jobId).min(1), at: time.optional() }),
      viewSummary.extend({ url: z.string().nullable() }),
    ),
    current: call(nothing, viewSummary.nullable()),
    /** Pages (HTML captures) whose address contains what was typed, best first. */
    suggest: call(
      z.strictObject({ text: z.string(), limit: z.int().min(1).max(100).default(20) }),
      z.array(capturedPage),
    ),
    /** Every capture of one URL in the view, oldest first. */
    captures: call(z.strictObject({ url: z.string() }), z.array(capturedPage.extend({ job: jobId.nullable() }))),
    /** Where the capture of a URL nearest to a moment lies, in any set of jobs; null when they have none. */
    locate: call(
      z.strictObject({ jobs: z.array(jobId).min(1), url: z.string(), at: time.optional() }),
      z.object({ file: z.string(), offset: count, captured: time }).nullable(),
    ),
    /** The last answers of the proxy, oldest first, bounded. */
    answers: call(z.strictObject({ after: count.default(0) }), z.array(answer)),
    answered: event(answer),
  },
  connectors: connectorsContract,
  missing: {
    list: call(z.strictObject({ view: z.int().min(1).optional() }), z.array(miss)),
    clear: call(z.strictObject({ view: z.int().min(1).optional() }), z.object({ cleared: count })),
  },
  archive: {
    replicas: call(nothing, z.array(replicaSummary)),
    files: call(
      z.strictObject({
        text: z.string().optional(),
        job: jobId.optional(),
        /** How a copy stands, in any replica or in the one that is named; a replica alone: what is stored there. */
        state: z.enum(copyStandings).optional(),
        replica: z.string().optional(),
        order: z.enum(fileOrders).default('name'),
        direction: z.enum(['ascending', 'descending']).default('ascending'),
        ...page,
      }),
      /** Not complete: more were found than can be listed; `total` is how many are. */
      z.object({ rows: z.array(archivedFile), total: count, complete: z.boolean() }),
    ),
    /** What the last whole check for missing files found in each replica's folder that the catalogue does not know. */
    surplus: call(nothing, z.array(surplusFile)),
    check: call(checkRequest, checkSummary),
    /** How much that would be. Looks at no file and changes nothing. */
    checkEstimate: call(checkRequest, checkEstimate),
    stopCheck: call(z.strictObject({ check: z.int().min(1) }), checkSummary),
    resumeCheck: call(z.strictObject({ check: z.int().min(1) }), checkSummary),
    checks: call(nothing, z.array(checkSummary)),
    findings: call(z.strictObject({ check: z.int().min(1).optional() }), z.array(preservationFinding)),
    checkChanged: event(checkSummary),
    /** What is known of every replica, with ages and votes. It looks at no file. */
    status: call(nothing, archiveStatus),
    /** The same with checks, audit and NDSA levels: as data, and as a text in the format, with a name for its file. */
    report: call(
      z.strictObject({ format: z.enum(reportFormats).default('json') }),
      z.object({ data: preservationReport, name: z.string(), mediaType: z.string(), text: z.string() }),
    ),
    /** Newest first. */
    auditTrail: call(
      z.strictObject({
        what: z.enum(auditDeeds).optional(),
        who: z.enum(auditActors).optional(),
        /** How the subject begins. */
        subject: z.string().min(1).optional(),
        ...page,
      }),
      z.object({ rows: z.array(auditEntry), total: count }),
    ),
    verifyAudit: call(nothing, auditVerdict),
    /** While a trail is verified that is long enough for somebody to wait for it. */
    auditVerifying: event(auditProgress),
    /** Asks every replica for the HMAC of some files, chosen by chance, under a salt of each. */
    spotCheck: call(z.strictObject({ files: z.int().min(1).max(1000).default(10) }), spotCheckSummary),
    affected: call(z.strictObject({ name: z.string().min(1) }), affectedFile),
    /** The copies that can be repaired, as far as is known. */
    repairable: call(
      z.strictObject({ replica: z.string().optional(), files: pattern.optional() }),
      z.array(repairableCopy),
    ),
    /** Reads every replica's copy of the file, and says what would hold. Changes nothing in the replicas. */
    repairPlan: call(z.strictObject({ name: z.string().min(1), replica: z.string() }), repairPlan),
    /** `expected`: the checksum that the file should have; `found`: what the person saw there instead, null for nothing,
     *  `unreadable` for what cannot be read and is to be set aside all the same. Everything is looked at anew. */
    repair: call(
      z.strictObject({
        name: z.string().min(1),
        replica: z.string(),
        expected: sha256,
        found: z.union([sha256, z.literal('unreadable')]).nullable(),
      }),
      repairOutcome,
    ),
    /** Each time a condition of a repair is decided. */
    repairChanged: event(repairOutcome),
    /** The repairs under way, and how the last ones ended since the engine started; of each copy the last one. */
    repairs: call(nothing, z.array(repairOutcome)),
    /** Newest first. */
    attic: call(nothing, z.array(atticEntry)),
    /** With `id`: reads the bytes of this entry and compares them. Without: a glance at those of all entries. */
    lookInAttic: call(z.strictObject({ id: z.int().min(1).optional() }), z.array(atticLook)),
    /** Stores the bytes under a name that is free, beside what is in service, in every replica; they stay in the attic too. */
    restoreFromAttic: call(
      z.strictObject({ id: z.int().min(1), as: z.string().min(1).optional() }),
      z.object({
        id: z.int().min(1),
        name: z.string(),
        sha256: z.string(),
        state: z.enum(['stored', 'failed']),
        problems: z.array(z.object({ replica: z.string(), problem: z.string() })),
      }),
    ),
    /** Of one file: what was seen of its copies over time. */
    file: call(z.strictObject({ name: z.string().min(1) }), fileHistory),
    /** The last things that were done about each replica, oldest first. */
    history: call(nothing, z.array(z.object({ replica: z.string(), events: z.array(replicaEvent) }))),
    changed: event(nothing),
  },
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
    /** Begins; refused when the file exists, a job does not or has not ended, or the disk has no room for it. */
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
