/** Every bound of the indexes, with its reason. */

/** Rows that are sorted in memory and inserted in one transaction. Sorted batches make inserting into the clustered table ten
 *  times as fast, and this many rows take about 40 MB. */
export const batchRows = 50_000

/** Pages that can be found by typing. Larger archives need a full-text search, not a drop-down list. */
export const pagesMax = 20_000

/** URLs with revisits that are checked for being pages: about a second, once per index. */
export const revisitedMax = 100_000
/** URLs checked before other requests get a turn: a few milliseconds. */
export const revisitedAtOnce = 500

/** Captures with the payload of a revisit that are read for one with content: the first is usually right, and an empty payload may have
 *  millions. */
export const originalsTriedMax = 4
/** Records of revisits read for the file that one of them refers to: some 20 ms. */
export const revisitsReadMax = 50
/** Jobs that get a database because revisits of a selection refer to them: more than one job continues. */
export const originalJobsMax = 16

/** Captures of one URL that are listed. A page captured every hour for a year has 8,760. */
export const capturesOfUrlMax = 10_000

/** Captures within this distance of the nearest one count as the same visit: a harvest takes hours and may capture variants of
 *  a URL at its beginning and at its end. */
export const sameVisitMs = 86_400_000

/** Captures considered on either side of the requested moment: more than a reader tries. */
export const neighboursMax = 64
/** Candidates that are ranked for a lookup: those on both sides. */
export const candidatesRankedMax = 2 * neighboursMax

/** Rows that one page of a query reads. A page that reaches this limit ends and says where the next one begins. */
export const queryRowsMax = 20_000
/** Rows read at a time. Other requests get a turn between two chunks. */
export const queryChunkRows = 1_000

/** Rows per block of a query, the same as lines per block of a ZipNum cluster. */
export const blockRows = 3_000
/** Blocks per page, so that a page has fewer rows than a query reads and a CDX server lists. */
export const pageBlocksMax = 3
/** Blocks located before other requests get a turn: about 5 ms. */
export const blocksAtOnce = 16
/** Queries whose blocks are remembered. Those of a query with ten million captures have 3,333 blocks and take 300 kB. */
export const blockQueriesMax = 16

/** Work of regular expressions per page of a query, in pattern instructions times characters: 10 s with the slowest patterns,
 *  and more than a whole page needs with usual ones. */
export const filterCostMax = 250_000_000

/** URLs that one page of a search among URLs reads, a fraction of a second. A page that reaches this limit ends and says where the next one
 *  begins. */
export const urlKeysMax = 20_000
/** URLs read before other requests get a turn: a few milliseconds. */
export const urlsAtOnce = 100
/** Captures of a URL that a list of URLs counts. */
export const urlCapturesMax = 1_000

/** Quarantined lines that are listed. All of them are in the database. */
export const quarantinedShownMax = 20

/** Characters shown of an invalid index line. */
export const badLineCharactersMax = 80

/** Domains counted per archive file. A file of the usual size has fewer captures than this. */
export const domainsMax = 100_000

/** Payloads of one archive file that are searched for in other files: about 200 MB in the worker thread. */
export const payloadsMax = 1_000_000

/** Databases that are searched for a URL that the view does not have, at about a millisecond each. */
export const otherDatabasesMax = 32
/** Captures returned by such a search. */
export const otherCapturesMax = 10
/** Time that a missing page waits for the index of a job that has none yet. The build continues, and a later request gets the
 *  result. */
export const otherCapturesMsMax = 1_000

/** Lines of a crawl log inserted per transaction: about a megabyte. */
export const logLinesAtOnce = 2_000
/** Unusable crawl log lines per archive file that are listed one by one. If all are unusable, the first ones show why. */
export const unusableLinesMax = 100
/** Duplicates inserted per transaction, with two rows each. */
export const duplicatesAtOnce = 1_000
/** Duplicates read at a time when all of them are listed. */
export const duplicatesListedAtOnce = 500
/** URLs looked up in a crawl log before other requests get a turn: a few milliseconds. */
export const logLookupsAtOnce = 100
/** Time that a list of missing resources waits for the crawl log of an imported job. Reading continues, and a later request
 *  gets the result. */
export const crawlLogMsMax = 1_000
/** Ended builds in the list of tasks. Users look for one that failed or is slow; a view of many jobs may start one per job. */
export const buildTasksKeptMax = 50
/** Captures without content that are read at a time when all of them are followed to their originals. */
export const ledgerRowsAtOnce = 5_000
/** Hosts in a ledger of deduplication: more than anyone reads. */
export const hostsMax = 1_000
/** References in a ledger that stays in memory after it was answered: some 20 MB. Larger ones are made again when they are asked for. */
export const keptReferencesMax = 100_000
/** Revisits with originals in other files that an export looks up: some 40 MB. */
export const elsewhereMax = 200_000
/** Captures without content that are listed one by one. */
export const unresolvedMax = 1_000
/** Captures read at a time when they are counted over time. */
export const growthRowsAtOnce = 5_000
/** Names of groups that are counted together: some 20 MB. */
export const growthNamesMax = 100_000
/** Periods of one answer: days of 27 years. */
export const growthPeriodsMax = 10_000
/** Captures of a search that are exported with what their pages need: more than a reader looks at. */
export const matchedMax = 20_000
/** Records in such an export: some 50 MB of places. */
export const matchedPlacesMax = 500_000
/** URLs of matches that are kept as likely start pages. */
export const matchedUrlsMax = 100
/** Steps from a page to what it needs: a frame in a frame, its style sheet, a picture of that, and a redirect of each. */
export const embeddedStepsMax = 8
/** Bytes of a document that are searched for what it embeds, and the number of URLs in it. */
export const embeddedBytesMax = 16 * 1024 * 1024
export const embeddedLinksMax = 5_000
/** URLs of documents that are remembered, because the pages of a site share their style sheets: some 20 MB. */
export const embeddedKeptMax = 100_000
/** Archive files that stay open while what pages need is read. */
export const openCopiesMax = 16
/** Captures of a URL, and of a payload, that are tried for one that a replica provides. */
export const embeddedTriedMax = 8
