/** Where a request is sent: the server of a URL, or the address that the definition names for it. Pure. */
import type { Target } from '../../../world/world.ts'
import type { Requesting } from './fetching.ts'

/** Returns the target of a URL; undefined if it is no http or https URL with a host. */
export function targetOf(
  text: string,
  { settings, resolve, ownHosts }: Pick<Requesting, 'settings' | 'resolve' | 'ownHosts'>,
): Target | undefined {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return undefined
  const tls = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port)
  const privateAllowed = ownHosts.has(url.hostname) || ownHosts.has(url.host)
  const base = { host, port, tls, connectMsMax: settings.connectMsMax, privateAllowed }
  const resolved = resolve[url.host] ?? resolve[host]
  return resolved === undefined ? base : { ...base, ...addressOf(resolved) }
}

/** Parses `192.0.2.7`, `192.0.2.7:8080` or `[2001:db8::7]:8080`. */
function addressOf(resolved: string): { address: string; port?: number } {
  const parts = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(resolved)
  if (!parts) return { address: resolved }
  const address = parts[1] ?? parts[2] ?? resolved
  return parts[3] === undefined ? { address } : { address, port: Number(parts[3]) }
}
