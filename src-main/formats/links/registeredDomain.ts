/** The part of a host name that was registered: `example.co.uk` of `a.b.example.co.uk`. What the list of public
 *  suffixes cannot say is answered by the host itself: IP addresses, single labels, and names that are suffixes. */
import { getDomain } from 'tldts'

/** Under suffixes of companies (`github.io`) every customer is a domain of its own: a harvest of one must not take all. */
const options = { allowPrivateDomains: true, extractHostname: false }

/** `hostname` as WHATWG URLs give it: lower case, IPv6 in brackets. */
export function registeredDomain(hostname: string): string {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  return getDomain(host, options) ?? host
}
