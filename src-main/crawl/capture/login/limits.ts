/** The bounds of logging in. */

/** Requests for one document of an area: without, with, and once more with a newer nonce. */
export const requestsPerDocumentMax = 3
/** Redirects before and behind a form: portals that log in at another server make some five. */
export const loginRedirectsMax = 20
/** Of a page with a form, or of one that is looked at for a text: login pages are small, whatever they carry. */
export const pageBytesMax = 2_000_000
/** As many documents in a row showed that nobody is logged in, each right after a login that had succeeded. */
export const loginsInVainMax = 5
/** As many times in a row the server of the login gave no answer to work with. */
export const loginsUnansweredMax = 10
/** As often one document waits for another login: sessions may end while it waits for its turn, but not for ever. */
export const sentBackTimesMax = 20
