/** Every bound of the viewer, with its reason. None is a setting, because no user has a reason to change them; the memory for
 *  records is one (`viewer.recordCacheBytesMax`). */

/** Open sockets of the proxy. Chromium opens at most 32 to one proxy; the rest is for tools and tests that run at the same
 *  time. */
export const connectionsMax = 512

/** Size of a request's head. Long query strings and cookie jars exist, but no browser sends a larger head. */
export const requestHeadBytesMax = 64 * 1024

/** Request content that is read whole to find the answer archived for it. Forms and script queries are a few kilobytes.
 *  Uploaded files are larger, and no index has keys for those. */
export const requestContentBytesMax = 1024 * 1024

/** Time from the first byte of a request to the end of its head. Any browser on loopback needs less. */
export const requestHeadMsMax = 15_000

/** Concurrent streams per HTTP/2 connection. RFC 9113 5.1.2 recommends no less than 100, and browsers rely on it. */
export const streamsMax = 100

/** Bytes written to one HTTP/2 stream at a time. The connection buffers what the stream has not taken: 12.5 MiB for all
 *  streams. */
export const sentBytes = 128 * 1024

/** Memory of one HTTP/2 connection, in megabytes, above which it accepts no new streams: twice the buffers above, plus heads. */
export const sessionMegabytesMax = 32

/** Header fields of one HTTP/2 request. Browsers send about twenty, and cookies may arrive one per field. */
export const requestFieldsMax = 512

/** Reset streams of a connection in excess of its answered streams. Leaving a page resets all of its loads at once, but opening
 *  and resetting streams endlessly is an attack (CVE-2023-44487). Node's own bound of 1,000 resets takes effect later. */
export const streamResetsMax = 500

/** Protocol errors, refused streams, settings frames and unanswered pings per connection. A browser causes hardly any of them. */
export const invalidFramesMax = 100
export const refusedStreamsMax = 100
export const settingsMax = 32
export const waitingPingsMax = 10

/** Time without traffic after which a kept-alive connection, or a tunnel before its first byte, is closed. Chromium closes its
 *  own after 5 minutes. */
export const idleMsMax = 120_000

/** Certificates for host names kept in memory. Each takes 3.6 ms to make and about 10 kB with its TLS context. */
export const leavesMax = 1_000

/** Bodies up to this size are read whole before the head is sent. Head and body then go out together with the exact length, and
 *  if the record turns out to be damaged, the next capture can still be used. */
export const wholeBodyBytesMax = 512 * 1024

/** Size of a decoded body. For a range request a coded body is decoded twice: once to count its bytes, once to send them.
 *  Videos are not coded, so a page that grows beyond this is an attack. */
export const decodedBytesMax = 1024 * 1024 * 1024

/** Bytes per read when a whole archive file is sent. */
export const readBytes = 256 * 1024

/** Ranges per request. PDF readers ask for a few; a hundred tiny ones are an attack (RFC 9110 17.15). */
export const rangesMax = 16

/** Redirects followed to detect a loop. Browsers follow twenty; a working site needs at most three. */
export const redirectHopsMax = 8

/** Captures of one URL that are tried before the viewer gives up. Each one costs reading a record. */
export const candidatesMax = 16

/** Originals that are tried for one revisit. */
export const originalsMax = 4

/** Archive files kept open for the next request: the resources of a page are in one or two files of its job. */
export const openFilesMax = 32

/** Time that such a file stays open. A page requests its resources within a second. */
export const openFileMsMax = 2_000

/** Time that a record stays in memory, from when it was read: longer than a user looks at one page of a site. */
export const cachedRecordMsMax = 60_000

/** Size of a body that is kept with its record. Larger ones would take the place of many that are requested more often. */
export const cachedBodyBytesMax = 1024 * 1024

/** Records that are remembered, by file and offset, as read before. About 1 MB. */
export const placesSeenMax = 10_000

/** Memory of a kept record in addition to its body: two heads, in some twenty strings each. */
export const recordHeadBytesGuess = 4096

/** Answers kept in memory, for an interface that is opened after the page. */
export const answersMax = 2_000

/** Request content kept so that answers can be explained. This is room for thousands of forms and script queries. */
export const sentKeptBytesMax = 8 * 1024 * 1024

/** Records remembered as damaged. If there are more, a whole drive is lost, and other records show that too. */
export const brokenRecordsMax = 1_000

/** Time that a finding may wait to be written together with others. Too short to notice when reading the list. */
export const findingFlushMsMax = 250

/** Number of waiting findings that are written at once, without waiting for the time above. */
export const findingBatchMax = 500

/** Distinct findings kept in memory while the disk is full, about 10 MB. Further ones are dropped. */
export const findingsWaitingMax = 5_000

/** Distinct findings per view and viewing. Without this bound, a page that polls with a new query every second would fill the
 *  disk overnight. */
export const findingsPerListMax = 100_000

/** Characters of a URL kept in the list of findings. Browsers limit URLs to 2 MB, request heads are limited to 64 kB. */
export const findingUrlCharactersMax = 8_192

/** Minimum time between two progress reports of an index build: faster updates cannot be read. */
export const progressReportMsMin = 250

/** Missing files that are listed with name and reason. When a drive is unplugged, all of its files are missing. */
export const filesMissingShownMax = 20

/** Interval for looking up a URL again while an index is being built and does not have it yet. */
export const growingPollMs = 200
/** Time that a page waits for such a lookup. Then the reply is a page that says so and reloads itself. */
export const growingPageWaitMsMax = 2_000
/** The same for resources of a page, which are requested only once and so wait longer. A browser has up to six such requests
 *  per host. */
export const growingPartWaitMsMax = 20_000
/** Seconds after which a client that was told to wait may retry (Retry-After). */
export const growingRetrySeconds = 2

/** Viewings with a user name of their own. Each keeps an index open. */
export const viewingsMax = 100

/** Captures that a fuzzy rule compares under one path. */
export const fuzzyCapturesMax = 500

/** Lines per reply of the CDX server. The resume key leads to the next ones. */
export const cdxLinesMax = 10_000

/** Bytes of a page that are read to find its title, which is in the head. */
export const titleBytesMax = 128 * 1024

/** Characters kept of a title. No list shows more, and up to twenty thousand titles are kept. */
export const titleCharactersMax = 300

/** Titles that a thread reads in one task: a few tenths of a second. */
export const titlesAtOnce = 100

/** Captures read to suggest URLs while a user types: a few milliseconds per keystroke. */
export const suggestionRowsMax = 500

/** Size of an image that the inspector shows. Larger ones are of no use in a frame, or decompression bombs. */
export const imageBytesMax = 32 * 1024 * 1024
