/** Every bound of the indexes, with its reason. */

/** Rows sorted in memory and inserted in one transaction: sorting a batch is worth ten times the speed of the clustered
 *  table, and this many take about 40 MB. */
export const batchRows = 50_000

/** Pages that can be found by typing. Beyond it a person uses the search of the archive, not a drop-down list. */
export const pagesMax = 20_000

/** Addresses with revisits of which it is looked whether they are pages: about a second, once for an index. */
export const revisitedMax = 100_000
/** Before somebody else is answered: some milliseconds. */
export const revisitedAtOnce = 500

/** Captures of one URL that a person can be shown; a page captured each hour for a year has 8,760. */
export const capturesOfUrlMax = 10_000

/** Captures so much further away than the nearest are still of about then: a harvest takes hours, and comes by the variants of an address
 *  at its beginning and at its end. */
export const sameVisitMs = 86_400_000

/** Captures looked at on either side of the moment that is wanted: more than a reader tries one after the other. */
export const neighboursMax = 64

/** Rows that one page of a query looks at: beyond it the page ends, and says where the next begins. */
export const queryRowsMax = 20_000
/** Rows read at once: while one chunk is looked at, somebody else may be answered before the next. */
export const queryChunkRows = 1_000

/** Rows of one block of a query, as many as lines have a block of a ZipNum cluster. */
export const blockRows = 3_000
/** Blocks of one page: fewer rows than a query looks at, and than a CDX server lists at once. */
export const pageBlocksMax = 3
/** Blocks found before somebody else may be answered: about 5 ms. */
export const blocksAtOnce = 16
/** Queries whose blocks are remembered: one of ten million captures has 3,333, some 300 kB. */
export const blockQueriesMax = 16

/** Instructions times characters that the patterns of one page of a query may take: 10 s with the slowest, and more than all rows
 *  that a page looks at with one as people write them. */
export const filterCostMax = 250_000_000

/** Quarantined places that a person is shown; all of them are in the database. */
export const quarantinedShownMax = 20

/** Of a bad index line, what is shown of it. */
export const badLineCharactersMax = 80

/** Domains counted of one archive file: a file of the usual size has fewer captures than this. */
export const domainsCountMax = 100_000

/** Payloads of one archive file that are looked for elsewhere: about 200 MB in the thread that does it. */
export const payloadsCountMax = 1_000_000

/** Databases that are looked into for an address that what is viewed has not: each takes about a millisecond. */
export const otherDatabasesMax = 32
/** Captures of one of them that are told. */
export const otherCapturesMax = 10
/** How long a page that is missing waits for a job's index that there was none of; it is made on, for whoever asks again. */
export const otherCapturesMsMax = 1_000

/** Lines of a crawl log inserted in one transaction: about a megabyte. */
export const logLinesAtOnce = 2_000
/** Lines of the crawl logs of an archive file that are told one by one as unusable: where all are, the first say why. */
export const unusableLinesMax = 100
/** Duplicates of crawl logs inserted in one transaction: each is two rows. */
export const duplicatesAtOnce = 1_000
/** Duplicates read at once from an index, for a list of all of them. */
export const duplicatesListedAtOnce = 500
/** Addresses looked up in one before somebody else is answered: some milliseconds. */
export const logLookupsAtOnce = 100
/** How long a list of what is missing waits for the crawl log of an imported job; it is read on, for whoever asks again. */
export const crawlLogMsMax = 1_000
