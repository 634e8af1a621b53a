/** Requests that a browser sends on its own behalf while it shows archived pages: updates, accounts, safe browsing,
 *  connectivity checks. They get a 404 like everything that was not captured, but are left out of the findings. The rules are
 *  careful, because pages use some of the same hosts, and then a miss is a finding. */
import type { IncomingHttpHeaders } from 'node:http'
import { pageTypes } from '../../contract/services/viewer.ts'

/** Service hosts of Chromium and Firefox. A leading `.` means every host below the name. */
const hosts = [
  'accounts.google.com',
  'android.clients.google.com',
  'clients1.google.com',
  'clients2.google.com',
  'clients2.googleusercontent.com',
  'clients3.google.com',
  'clients4.google.com',
  'clientservices.googleapis.com',
  'connectivitycheck.gstatic.com',
  'content-autofill.googleapis.com',
  'dl.google.com',
  'mtalk.google.com',
  'optimizationguide-pa.googleapis.com',
  'redirector.gvt1.com',
  'safebrowsing.google.com',
  'safebrowsing.googleapis.com',
  'safebrowsingohttpgateway.googleapis.com',
  'sb-ssl.google.com',
  'ssl.gstatic.com',
  'update.googleapis.com',
  'www.gstatic.com',
  '.gvt1.com',
  '.gvt2.com',
  'aus5.mozilla.org',
  'contile.services.mozilla.com',
  'content-signature-2.cdn.mozilla.net',
  'detectportal.firefox.com',
  'firefox.settings.services.mozilla.com',
  'incoming.telemetry.mozilla.org',
  'location.services.mozilla.com',
  'push.services.mozilla.com',
  'shavar.services.mozilla.com',
  'tracking-protection.cdn.mozilla.net',
]
const exact = new Set(hosts.filter((host) => !host.startsWith('.')))
const below = hosts.filter((host) => host.startsWith('.'))

/** Whether the browser sent this request on its own behalf. A request from a page has a Referer or a Sec-Fetch-Site other than
 *  `none`, and a user who opens one of these hosts navigates. What remains is the browser talking to its vendor. */
export function isBrowsersOwn(url: URL, fields: IncomingHttpHeaders): boolean {
  if (asksForFavicon(url)) return !isNavigation(fields)
  const listed = exact.has(url.hostname) || below.some((suffix) => url.hostname.endsWith(suffix))
  const site = fields['sec-fetch-site']
  const fromPage = fields.referer !== undefined || (site !== undefined && site !== 'none')
  return listed && !fromPage && !isNavigation(fields)
}

/** Browsers request /favicon.ico from every site with the page as Referer, whether or not the page names it, and the request
 *  does not tell the two cases apart. Most archived sites never had one, so it counts only if a user opens it. */
function asksForFavicon(url: URL): boolean {
  return url.pathname === '/favicon.ico'
}

/** Whether the request loads a document into a window or frame. Chromium sends Sec-Fetch fields over https only (Fetch Metadata
 *  3, potentially trustworthy URLs). Over http a navigation still has Upgrade-Insecure-Requests and accepts HTML. */
export function isNavigation(fields: IncomingHttpHeaders): boolean {
  const destination = fields['sec-fetch-dest']
  if (typeof destination === 'string') return pageTypes.includes(destination)
  return fields['upgrade-insecure-requests'] === '1' && /\btext\/html\b/i.test(fields.accept ?? '')
}
