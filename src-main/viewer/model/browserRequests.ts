/** What a browser asks for by itself, while it shows archived pages: updates, accounts, safe browsing, connectivity. It is
 *  answered 404 like everything that the archive does not hold, but it is no finding about a page, so the list of misses
 *  leaves it out. Deliberately careful: the same hosts are named by pages too, and then a miss is a miss. */
import type { IncomingHttpHeaders } from 'node:http'
import { pageTypes } from '../../contract/services/viewer.ts'

/** Hosts of the makers of Chromium and Firefox, as their services are named. `.` at the front: any host below. */
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

/** A page's own request says where it comes from: a Referer, or a Sec-Fetch-Site other than `none`; and a person who goes
 *  to one of these hosts navigates. What is left on these hosts is the browser talking to its maker. */
export function isBrowsersOwn(url: URL, fields: IncomingHttpHeaders): boolean {
  if (asksForFavicon(url)) return !isNavigation(fields)
  const listed = exact.has(url.hostname) || below.some((suffix) => url.hostname.endsWith(suffix))
  const site = fields['sec-fetch-site']
  const fromPage = fields.referer !== undefined || (site !== undefined && site !== 'none')
  return listed && !fromPage && !isNavigation(fields)
}

/** A browser asks every site for /favicon.ico, with the page as its Referer, whether or not the page names it, and nothing
 *  in the request tells the two apart. Most archived sites never had one, so it is noted only when a person goes there. */
function asksForFavicon(url: URL): boolean {
  return url.pathname === '/favicon.ico'
}

/** The browser asks for what fills a window or a frame. Chromium sends Sec-Fetch fields to https only (Fetch Metadata 3:
 *  potentially trustworthy addresses); over http a navigation still says Upgrade-Insecure-Requests and wants HTML. */
export function isNavigation(fields: IncomingHttpHeaders): boolean {
  const destination = fields['sec-fetch-dest']
  if (typeof destination === 'string') return pageTypes.includes(destination)
  return fields['upgrade-insecure-requests'] === '1' && /\btext\/html\b/i.test(fields.accept ?? '')
}
