/** The command host: the host name under which the proxy answers requests about itself. No site can have that name, because `.invalid`
 *  is reserved (RFC 6761 6.4). The host names of NetarchiveSuite's viewer proxy are accepted too. */

export const commandHostName = 'loupe.viewer.invalid'
const aliases = ['netarchivesuite.viewerproxy.invalid', 'viewerproxy.invalid']
const names = new Set([commandHostName, ...aliases])

/** Undefined: it is an archived address. */
export function commandOf(url: string): URL | undefined {
  // Every request comes by here several times. A name of ours may be written with escapes.
  if (!/invalid|%/i.test(url)) return undefined
  const parsed = new URL(url)
  return names.has(parsed.hostname) ? parsed : undefined
}
