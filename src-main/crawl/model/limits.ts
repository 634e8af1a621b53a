/** Settings and bounds of the crawl engine, each with its unit in its name. Users may change `CrawlSettings`; bounds that
 *  only protect the machine are constants, each with its reason. */

import type { PayloadDigestKind, WarcVersion } from '../../formats/records/warcWriter.ts'

/** Deduplication indexes that a run can use: those of the archive, or none. */
export const deduplicationIndexes = ['archive', 'none'] as const

/** Records of a capture that did not change: the revisit alone, or also its request and its metadata. */
export const revisitRecordChoices = ['alone', 'complete'] as const
export type RevisitRecords = (typeof revisitRecordChoices)[number]

/** How the records of metadata files are compressed. */
export const metadataCompressions = ['none', 'gzip'] as const
export type MetadataCompression = (typeof metadataCompressions)[number]

/** Settings that a user may change. */
export interface CrawlSettings {
  workers: number
  /** Delay between the end of one request to a host and the start of the next. */
  delayMs: number
  /** Factor on the duration of the last answer; the delay is at least this product. */
  delayFactor: number
  /** Largest delay that the factor can lead to. */
  delayMsMax: number
  connectionsPerHost: number
  userAgent: string
  connectMsMax: number
  /** Longest silence of a server before its answer counts as timed out. */
  silenceMsMax: number
  /** Longest time for one answer as a whole; the data received until then is kept and marked as truncated. */
  responseMsMax: number
  /** Largest answer; the data received until then is kept and marked as truncated. */
  responseBytesMax: number
  /** How often a document is tried before it counts as failed. */
  attemptsMax: number
  /** Wait before the second attempt; doubled for each further one. */
  retryDelayMs: number
  /** A WARC file is closed when it reaches this size. 1 GB is the usual size in web archives (WARC 1.1 annex C). */
  fileBytesMax: number
  /** Version of the records written: 1.0 for tools that cannot read 1.1. */
  warcVersion: WarcVersion
  /** Which digest of a chunked body WARC-Payload-Digest contains. */
  payloadDigest: PayloadDigestKind
  /** Whether a revisit has records of its request and of how it was found, as a response has. */
  revisitRecords: RevisitRecords
  /** How new metadata files are compressed (NetarchiveSuite, `settings.harvester.harvesting.metadata.compression`). */
  metadataCompression: MetadataCompression
  /** Where runs look up what other jobs have captured: one of `deduplicationIndexes`, or the path of a module of the user. */
  deduplicationIndex: string
  /** What that module receives. */
  deduplicationIndexSettings: Readonly<Record<string, string>>
  /** Fetching pauses below this free space, so that the archive can still be closed properly. */
  freeBytesMin: number
  /** Age at which activities leave the history. */
  historyDays: number
  /** Most activities in the history; the oldest leave first. */
  historyRowsMax: number
  /** Memory of the whole process, for any length of the queue (`memory.ts`). */
  memoryBytesMax: number
}

/** The settings until a user changes them. */
export const defaultCrawlSettings: CrawlSettings = {
  workers: 8,
  delayMs: 1_000,
  delayFactor: 1,
  delayMsMax: 30_000,
  connectionsPerHost: 1,
  userAgent: 'Mozilla/5.0 (compatible; Loupe/0.1; web archiving)',
  connectMsMax: 20_000,
  silenceMsMax: 30_000,
  responseMsMax: 1_200_000,
  responseBytesMax: 1_000_000_000,
  attemptsMax: 3,
  retryDelayMs: 2_000,
  fileBytesMax: 1_000_000_000,
  warcVersion: '1.1',
  payloadDigest: 'standard',
  revisitRecords: 'alone',
  metadataCompression: 'none',
  deduplicationIndex: 'archive',
  deduplicationIndexSettings: {},
  freeBytesMin: 400_000_000,
  historyDays: 365,
  // Some 400 MB of the database; a report over all of it takes a few seconds.
  historyRowsMax: 2_000_000,
  memoryBytesMax: 536_870_912,
}

/** Largest HTTP header. Real servers send up to some 100 kB (cookies, policies); more is an attack or an error. */
export const headBytesMax = 262_144
/** Largest robots.txt to parse; the rest is ignored. RFC 9309 section 2.5 requires at least 500 KiB. */
export const robotsBytesMax = 512_000
/** Most redirects of a robots.txt to follow. RFC 9309 section 2.3.1.2 requires at least five. */
export const robotsRedirectsMax = 5
/** Most redirects in a chain: more of them are a trap; browsers stop after 20. */
export const redirectsMax = 20
/** Longest Crawl-delay of a robots.txt that is obeyed: with a longer one a site would never be finished (Heritrix stops at
 *  300 s). */
export const crawlDelayMsMax = 60_000
/** Most bytes of a body that are searched for links; no page meant for readers is longer. */
export const extractBytesMax = 16_000_000
/** Most links taken from one document: real index pages hold tens of thousands. */
export const linksMax = 50_000
/** Bytes of one answer that are kept in memory; the rest goes to a file in the job's folder. */
export const answerBytesInMemoryMax = 4_000_000
/** Most results waiting for their commit; fetching pauses beyond this so that a slow disk does not fill the memory. */
export const uncommittedCountMax = 256
/** Most bytes of answers waiting for their commit: beyond this no further fetch begins. */
export const uncommittedBytesMax = 64_000_000
/** Numbers that an ordered run may have issued and not committed, for each worker: a fetcher's batch, in Yioop's terms. */
export const numbersPerWorker = 4
/** Most bytes of early results of an ordered run in memory; others are written to files. */
export const earlyMemoryBytesMax = 16_000_000
/** Most bytes of early results of an ordered run in files; no further number is issued beyond this. */
export const earlyBytesMax = 1_000_000_000
/** Time after which a document of an ordered run is handed out again if its answer has not come. */
export const answerMsMax = 30_000
/** How often a number is given again before its place stays empty, so that no document stops the line for ever. */
export const reschedulesMax = 4
/** Longest delay before another attempt during which a document keeps its number. */
export const rescheduleDelayMsMax = 30_000
/** Longest time that all wait for a document that may not be handed out: its host is paused, or has no robots.txt yet. */
export const handOutMsMax = 120_000
/** Idle connections are closed after this: most servers close theirs after 5 s and more. */
export const idleConnectionMsMax = 4_000
/** Interval at which the engine looks for requests of users. It is too short for the delay after a click to be noticed. */
export const pollMs = 150
/** Time without running jobs after which the engine rests, and gives back memory that its work needed. */
export const restMs = 5_000
/** Longest wait at the end of a job for its outputs to be told; they are told later then. */
export const outputsToldMsMax = 600_000
/** Longest wait for a deduplication index (NetarchiveSuite, `indexRequestTimeout`); the run then begins without it. */
export const indexWaitMsMax = 3_600_000
/** Most jobs that a job continues: some twenty years of weekly harvests. */
export const continuedJobsMax = 1_000
/** Longest Retry-After that is honoured; a longer one is reduced to this. */
export const retryAfterMsMax = 120_000
/** Longest validator to keep, since it is sent back to its server with every further request; real ones have some dozens of
 *  characters. */
export const versionFieldCharactersMax = 1_000
/** Documents that one step of a scan changes: a tenth of a second, so that other users of the database hardly wait. */
export const scannedCountMax = 2_000
/** Documents that leave a list in one transaction: some ten milliseconds, as a commit of captures. */
export const removedCountMax = 500
/** The latest time that a Date can hold (ECMA-262 21.4.1.1); due time of documents that are never due. */
export const neverMs = 8.64e15
/** Longest use of a robots.txt before it is fetched again (RFC 9309 section 2.4: 24 hours). */
export const rulesMsMax = 86_400_000
