/** Replies in the form that wabac.js takes from a proxy (`ArchiveResponse.fromResponse` in its source). `fetch` in the worker would follow a redirect,
 *  hide cookies, and has a page of wabac.js instead of an archived error, so these travel in fields of their own. Pure. */
import { locationOf } from '../../formats/http/http.ts'
import type { Field, Reply } from '../model/reply.ts'

/** Fields that the worker must not get as they are. Policies: the worker sets one for every page (`worker.js`). The browser must keep nothing, since
 *  the same address shows another view later. */
const replaced = new Set(['location', 'set-cookie', 'content-security-policy', 'cache-control', 'etag', 'vary'])

/** Makes a captured document that is opened without the worker harmless: it is no page of this origin. */
const inert: readonly Field[] = [
  ['Content-Security-Policy', "sandbox; default-src 'none'"],
  ['Cache-Control', 'no-store'],
]

/** Converts a reply for the URL that the page requested. */
export function replyForWorker(reply: Reply, url: string): Reply {
  const kept = reply.fields.filter(([name]) => !replaced.has(name.toLowerCase()))
  const fields = [...kept, ...redirectFields(reply, url), ...cookieFields(reply), ...inert]
  if (isTakenAsIs(reply.status)) return { ...reply, fields }
  return { ...reply, status: 200, reason: 'OK', fields: [...fields, ...statusFields(reply)] }
}

/** Whether `fetch` and wabac.js pass this status to the page. wabac.js replaces pages with other errors. */
function isTakenAsIs(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304 || status === 404
}

/** The archived status. A response of a worker cannot have one above 599 (Fetch 5.5), which is an error of its class at most. */
function statusFields({ status, reason }: Reply): Field[] {
  return [
    ['X-Redirect-Status', String(status > 599 ? 500 : status)],
    ['X-Redirect-StatusText', reason],
  ]
}

function redirectFields({ status, fields }: Reply, url: string): Field[] {
  const target = status >= 300 && status < 400 ? locationOf({ fields }, url) : undefined
  return target === undefined ? [] : [['X-Orig-Location', target.href]]
}

/** All cookies in one field, as wabac.js takes them. */
function cookieFields({ fields }: Reply): Field[] {
  const cookies = fields.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value)
  return cookies.length === 0 ? [] : [['X-Proxy-Set-Cookie', cookies.join(', ')]]
}
