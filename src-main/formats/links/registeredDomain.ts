/** Finds the registered part of a host name: `example.co.uk` for `a.b.example.co.uk`. Hosts not covered by the list
 *  of public suffixes are returned unchanged: IP addresses, single labels, and names that are suffixes. */
import { getDomain } from 'tldts'

/** Options of the list of public suffixes. Under the suffixes of companies (`github.io`) each customer has a
 *  separate domain, so that a harvest of one does not include all. */
const options = { allowPrivateDomains: true, extractHostname: false }

/** Returns the registered domain of a host name as in WHATWG URLs: lower case, IPv6 in brackets. */
export function registeredDomain(hostname: string): string {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  return getDomain(host, options) ?? host
}
