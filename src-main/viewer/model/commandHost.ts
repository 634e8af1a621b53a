/** The command host: the host name under which the proxy answers requests about itself. No site can have that name, because `.invalid`
 *  is reserved (RFC 6761 6.4). The host names of NetarchiveSuite's viewer proxy are accepted too. */

/** The host name in all URLs that Loupe makes itself. */
export const commandHostName = 'loupe.viewer.invalid'
const aliases = ['netarchivesuite.viewerproxy.invalid', 'viewerproxy.invalid']
const names = new Set([commandHostName, ...aliases])

/** The URL of a command. */
export function commandUrl(command: string, parameters: readonly (readonly [name: string, value: string])[]): string {
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `http://${commandHostName}/${command}?${query.join('&')}`
}

/** Returns the parsed URL of a command; undefined for any other URL, which is looked up in the archive. */
export function commandOf(url: string): URL | undefined {
  // A quick test first: this is called several times per request. The name may be written with escapes.
  if (!/invalid|%/i.test(url)) return undefined
  const parsed = new URL(url)
  return names.has(parsed.hostname) ? parsed : undefined
}
