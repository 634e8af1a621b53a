/** Every bound of the viewer, with its reason. None is a setting: nobody would turn them. */

/** Sockets that the proxy holds at once. Chromium opens at most 32 to one proxy; the rest is for tools and tests beside it. */
export const connectionsMax = 512

/** A request's head. Long query strings and cookie jars are real; a larger one is not a browser's. */
export const requestHeadBytesMax = 64 * 1024

/** What came with a request, read whole to find the answer that was archived for it. Forms and queries of scripts are some
 *  kilobytes; files that somebody uploads are larger, and no index has keys of those. */
export const requestContentBytesMax = 1024 * 1024

/** From the first byte of a request to the end of its head; longer than any browser on loopback takes. */
export const requestHeadMsMax = 15_000

/** Streams of one HTTP/2 connection at a time: what RFC 9113 5.1.2 calls the least that lets pages load side by side, and what
 *  browsers count on. */
export const streamsMax = 100

/** Given to a stream of HTTP/2 at once: its connection keeps what the stream has not taken, 12.5 MiB for all of them. */
export const sentBytes = 128 * 1024

/** What one HTTP/2 connection may hold beyond which it takes no new streams: the above twice, with heads. */
export const sessionMegabytesMax = 32

/** Fields of a request over HTTP/2. Browsers send about twenty; cookies come one a field. */
export const requestFieldsMax = 512

/** Streams of a connection that were reset, beyond those that were answered: leaving a page ends all of its loads at once, but
 *  opening and resetting without end is an attack (CVE-2023-44487). Node's own bound, 1,000 whatever was
 *  answered, comes later. */
export const streamResetsMax = 500

/** Frames that break the protocol, streams that are refused, settings and pings that wait: a browser has hardly any of them. */
export const invalidFramesMax = 100
export const refusedStreamsMax = 100
export const settingsMax = 32
export const waitingPingsMax = 10

/** A kept-alive connection, or a tunnel before its first byte, that says nothing. Chromium drops its own after 5 minutes. */
export const idleMsMax = 120_000

/** Certificates for host names, each 3.6 ms to make and about 10 kB with its TLS context. */
export const leavesMax = 1_000

/** An answer's body up to here is read whole before its head is sent: then it goes out in one send, with its exact length,
 *  and a record that turns out to be broken can still give way to the next capture. */
export const wholeBodyBytesMax = 512 * 1024

/** A coded body whose parts are asked for is decoded once to count it and once to send: no video is coded, and a page that
 *  grows beyond this is an attack. */
export const decodedBytesMax = 1024 * 1024 * 1024

/** What one read of a whole archive file takes. */
export const readBytes = 256 * 1024

/** Parts of one answer that may be asked for at once. Readers of PDF ask for a few; a hundred tiny ones are an attack
 *  (RFC 9110 17.15). */
export const rangesMax = 16

/** Redirects that are followed to see whether they lead back: a browser follows twenty, a site that means it needs three. */
export const redirectHopsMax = 8

/** Captures of one URL that are tried before the viewer says that it has none: each costs a read of a record. */
export const candidatesMax = 16

/** Originals tried for one revisit. */
export const originalsMax = 4

/** Archive files held open for the next request: a page's parts lie in one or two files of its job. */
export const openFilesMax = 32

/** How long each is. A page asks for its parts within a second. */
export const openFileMsMax = 2_000

/** The last answers, kept for the interface that opens after the page did. */
export const answersMax = 2_000

/** What was sent with the last requests, kept so that their answers can be explained: thousands of forms and queries of scripts. */
export const sentKeptBytesMax = 8 * 1024 * 1024

/** Records known to have broken while they were sent: more of them are a lost drive, which other records tell as well. */
export const brokenRecordsMax = 1_000

/** A finding waits at most so long for its batch; nobody reading the list can tell. */
export const findingFlushMsMax = 250

/** Findings waiting for their batch before it is written at once. */
export const findingBatchMax = 500

/** Different findings that wait because they cannot be written (the disk is full), some 10 MB; further ones are not taken. */
export const findingsWaitingMax = 5_000

/** Different findings of one view in one viewing. A page that polls with a new query each second would otherwise fill the disk in a
 *  night. */
export const findingsPerListMax = 100_000

/** A URL longer than this is cut in the list of findings; browsers themselves stop at 2 MB, request heads at 64 kB. */
export const findingUrlCharactersMax = 8_192

/** How often it is told at most how far an index is that grows: a person sees it move, and reads nothing faster. */
export const progressReportMsMin = 250

/** Files whose captures cannot be shown, of which a person is told name and reason: with a drive unplugged it is all of them. */
export const filesMissingShownMax = 20

/** While an index grows, an address that is not in it yet is looked for again this often. */
export const growingPollMs = 200
/** How long a page waits for it: then it is answered by one that says so, and asks again by itself. */
export const growingPageWaitMsMax = 2_000
/** What belongs to a page asks only once, so it waits longer. A browser has six such requests of a host at a time. */
export const growingPartWaitMsMax = 20_000
/** When whoever was told to wait may ask again. */
export const growingRetrySeconds = 2

/** Viewings of their own at once: each holds an index open. */
export const viewingsMax = 100

/** Captures that a fuzzy rule looks at under one path. */
export const fuzzyCapturesMax = 500

/** Lines of one answer of the CDX server; what is behind them is asked for with its resume key. */
export const cdxLinesMax = 10_000

/** Of a page that is read for its title: it stands in the head. */
export const titleBytesMax = 128 * 1024

/** Of a title: no list shows more of it, and twenty thousand of them are kept. */
export const titleCharactersMax = 300

/** Titles read by one thread before it may do something else: some tenths of a second. */
export const titlesAtOnce = 100

/** Captures looked at for the addresses that begin with what is typed: at each keystroke, so some milliseconds. */
export const suggestionRowsMax = 500

/** An image that the inspector shows: larger ones are photographs of no use in a frame, or bombs. */
export const imageBytesMax = 32 * 1024 * 1024
