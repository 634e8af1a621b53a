/** Limits of logins. */

/** Requests for one document of an area: without authorization, with it, and once more with a newer nonce. */
export const requestsPerDocumentMax = 3
/** Redirects before and after a form. Portals that log in at another server make about five. */
export const loginRedirectsMax = 20
/** Bytes read of a page that has a form or is searched for a text. Login pages are small. */
export const pageBytesMax = 2_000_000
/** How many sessions in a row may turn out to have ended before the login is given up. */
export const loginsInVainMax = 5
/** How many times in a row the login server may give no usable answer before the login is given up. */
export const loginsUnansweredMax = 10
/** How many times one document may wait for another login. Sessions may end while it is queued, but not indefinitely. */
export const sentBackTimesMax = 20
