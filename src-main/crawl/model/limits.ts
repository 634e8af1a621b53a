/** Settings and bounds of the crawl engine, each with its unit in its name. Users may change `CrawlSettings`; bounds that only
 *  protect the machine are constants, with the reason next to each. */

import type { PayloadDigestKind, WarcVersion } from '../../formats/records/warcWriter.ts'

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
  /** Longest time for one answer as a whole; what came until then is kept and marked as truncated. */
  responseMsMax: number
  /** Largest answer; what came until then is kept and marked as truncated. */
  responseBytesMax: number
  /** How often a document is tried before it counts as failed. */
  attemptsMax: number
  /** Wait before the second try; doubled for each further one. */
  retryDelayMs: number
  /** A WARC file is closed when it reaches this size. 1 GB is the usual size in web archives (WARC 1.1 annex C). */
  fileBytesMax: number
  /** Version of the records written: 1.0 for tools that cannot read 1.1. */
  warcVersion: WarcVersion
  /** Which digest of a chunked body WARC-Payload-Digest names. */
  payloadDigest: PayloadDigestKind
  /** The crawl pauses its fetching below this free space, so that the archive can still be closed properly. */
  freeBytesMin: number
  /** Activities that began longer ago leave the history. */
  historyDays: number
  /** No more than so many of the newest activities stay in the history. */
  historyRowsMax: number
  /** Memory of the whole process, for any length of the queue (`memory.ts`). */
  memoryBytesMax: number
}

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
  freeBytesMin: 400_000_000,
  historyDays: 365,
  // Some 400 MB of the database; a report over all of it takes a few seconds.
  historyRowsMax: 2_000_000,
  memoryBytesMax: 536_870_912,
}

/** Real servers send up to some 100 kB of header (cookies, policies); beyond this it is an attack or an accident. */
export const headBytesMax = 262_144
/** RFC 9309 section 2.5: at least 500 KiB of a robots.txt must be parsed; the rest is ignored. */
export const robotsBytesMax = 512_000
/** RFC 9309 section 2.3.1.2: at least five redirects of a robots.txt are followed. */
export const robotsRedirectsMax = 5
/** A chain of redirects to ever new URLs is a trap; browsers stop after 20. */
export const redirectsMax = 20
/** Longest Crawl-delay of a robots.txt that is obeyed: beyond it a site would never be finished (Heritrix stops at 300 s). */
export const crawlDelayMsMax = 60_000
/** A body is looked through for links up to here; no page that people read is longer. */
export const extractBytesMax = 16_000_000
/** Links taken from one document: real index pages hold tens of thousands. */
export const linksMax = 50_000
/** Bytes of one answer that are kept in memory; beyond this they go to a file in the job's folder. */
export const answerBytesInMemoryMax = 4_000_000
/** Results waiting for their commit; fetching pauses beyond this so that a slow disk bounds the memory. */
export const uncommittedCountMax = 256
/** Bytes of answers waiting for their commit: beyond this no further fetch begins. */
export const uncommittedBytesMax = 64_000_000
/** Idle connections are closed after this: most servers close theirs after 5 s and more. */
export const idleConnectionMsMax = 4_000
/** How often the engine looks for what people asked of a job. A click is answered before it is noticed. */
export const pollMs = 150
/** Longest Retry-After that is honoured; a longer one counts as this. */
export const retryAfterMsMax = 120_000
/** A validator goes back to its server with every further request; real ones have some dozens of characters. */
export const versionFieldCharactersMax = 1_000
/** Documents that one step of a scan changes: a tenth of a second, so that other users of the database hardly wait. */
export const scannedCountMax = 2_000
/** Documents that leave a list in one transaction: some ten milliseconds, as a commit of captures. */
export const removedCountMax = 500
/** The latest time that a Date can hold (ECMA-262 21.4.1.1); due time of what is never due. */
export const neverMs = 8.64e15
/** RFC 9309 section 2.4: rules should not be used for longer than a day without another look. */
export const rulesMsMax = 86_400_000
