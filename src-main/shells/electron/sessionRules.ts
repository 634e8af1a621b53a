/** What a page may do in Electron. An archived page is hostile, it runs in a session of its own, and the viewer proxy is its only
 *  way out. Pure: every decision as a function, so that all of them can be tested without a window. */
import { createHash, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

/** A page, a frame in it, or a window that it asks for. */
export type Place = 'page' | 'frame'

const schemes: Record<Place, readonly string[]> = {
  page: ['http:', 'https:'],
  // What a page writes into its own frames comes from nowhere and stays in the session.
  frame: ['http:', 'https:', 'about:', 'data:', 'blob:'],
}

export function mayNavigate(url: string, place: Place): boolean {
  return URL.canParse(url) && schemes[place].includes(new URL(url).protocol)
}

/** Camera, place, notifications, devices, full screen: a page from the past has no use for today's. The interface copies. */
export function mayHave(permission: string, who: 'interface' | 'archived page'): boolean {
  return who === 'interface' && permission === 'clipboard-sanitized-write'
}

/** Everything goes through the viewer, addresses of this machine too: an archived page must not read what listens here. */
export function proxyRules({ host, port }: { host: string; port: number }): {
  proxyRules: string
  proxyBypassRules: string
} {
  return { proxyRules: `http=${host}:${port};https=${host}:${port}`, proxyBypassRules: '<-loopback>' }
}

/** One per archive, so that cookies and caches of two archives never meet. The authority's key names an archive. */
export function partitionOf(spkiSha256: string): string {
  return `archived-${createHash('sha256').update(spkiSha256).digest('hex').slice(0, 16)}`
}

export interface Presented {
  hostname: string
  certificate: string
  /** The next one in the chain, PEM. */
  issuer: string | undefined
}

/** Only what this archive's authority issued for this host, now. The system's own judgement is not asked: a page that reaches
 *  the real web has broken out, and a good certificate would only hide it. */
export function isOurCertificate(
  { hostname, certificate, issuer }: Presented,
  spkiSha256: string,
  nowMs: number,
): boolean {
  if (issuer === undefined) return false
  const leaf = new X509Certificate(certificate)
  const authority = new X509Certificate(issuer)
  const key = authority.publicKey.export({ type: 'spki', format: 'der' })
  return (
    createHash('sha256').update(key).digest('base64') === spkiSha256 &&
    leaf.verify(authority.publicKey) &&
    isFor(leaf, hostname) &&
    leaf.validFromDate.getTime() <= nowMs &&
    nowMs <= leaf.validToDate.getTime()
  )
}

function isFor(leaf: X509Certificate, hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return (isIP(address) === 0 ? leaf.checkHost(hostname) : leaf.checkIP(address)) !== undefined
}
