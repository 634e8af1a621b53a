/**
 * What a page may do in Electron. An archived page is hostile: it runs in a separate session, whose only network access is the viewer
 * proxy. Every decision is a pure function, so that all of them can be tested without a window.
 */
import { createHash, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

/** `page`: a page, or a window that it would open. `frame`: a frame in it. */
export type Place = 'page' | 'frame'

/** URL schemes to which each may navigate. */
const schemes: Record<Place, readonly string[]> = {
  page: ['http:', 'https:'],
  // Content that a page writes into its own frames comes from no server and stays in the session.
  frame: ['http:', 'https:', 'about:', 'data:', 'blob:'],
}

/** Whether a page or a frame may navigate to the URL, which depends on its scheme. */
export function mayNavigate(url: string, place: Place): boolean {
  return URL.canParse(url) && schemes[place].includes(new URL(url).protocol)
}

/**
 * Whether a permission is granted. Camera, location, notifications, devices and full screen are refused to archived pages; the interface
 * may copy and notify.
 */
export function mayHave(permission: string, who: 'interface' | 'archived page'): boolean {
  return who === 'interface' && (permission === 'clipboard-sanitized-write' || permission === 'notifications')
}

/** Sends all requests through the viewer, also those to addresses of this machine: an archived page must not reach local services. */
export function proxyRules({ host, port }: { host: string; port: number }): {
  proxyRules: string
  proxyBypassRules: string
} {
  return { proxyRules: `http=${host}:${port};https=${host}:${port}`, proxyBypassRules: '<-loopback>' }
}

/**
 * The name of the session: one per archive, so that cookies and caches of two archives never mix. The key of the certificate authority identifies an
 * archive.
 */
export function partitionOf(spkiSha256: string): string {
  return `archived-${createHash('sha256').update(spkiSha256).digest('hex').slice(0, 16)}`
}

/** A certificate that a server presented, PEM, with the host for which it was presented. */
export interface Presented {
  hostname: string
  certificate: string
  /** The next certificate in the chain, PEM. */
  issuer: string | undefined
}

/**
 * Accepts only certificates that this archive's certificate authority issued for this host and that are valid now. The system's verification is not
 * used: a page that reaches the live Web has escaped, and a valid certificate would only hide that.
 */
export function isOurCertificate(
  { hostname, certificate, issuer }: Presented,
  spkiSha256: string,
  nowMs: number,
): boolean {
  if (issuer === undefined) return false
  const leaf = new X509Certificate(certificate)
  const certificateAuthority = new X509Certificate(issuer)
  const key = certificateAuthority.publicKey.export({ type: 'spki', format: 'der' })
  return (
    createHash('sha256').update(key).digest('base64') === spkiSha256 &&
    leaf.verify(certificateAuthority.publicKey) &&
    isFor(leaf, hostname) &&
    leaf.validFromDate.getTime() <= nowMs &&
    nowMs <= leaf.validToDate.getTime()
  )
}

/** Whether the certificate names the host, which may be an IP address (in brackets for IPv6). */
function isFor(leaf: X509Certificate, hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return (isIP(address) === 0 ? leaf.checkHost(hostname) : leaf.checkIP(address)) !== undefined
}
