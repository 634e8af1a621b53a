/** URLs as keys. `canonicalUrl` is the identity of a document in the frontier; `surt` is the coarser key of a capture
 *  index, under which the variants of one address meet: the rules are those of the Internet Archive's surt library, which
 *  pywb, jwarc and OpenWayback share. Deliberately not here: POST bodies in keys. */

/** WHATWG URL, normalised by its parser (dots, default port, case of host), without fragment. Undefined: no URL. */
export function canonicalUrl(url: string): string | undefined {
  const parsed = URL.parse(url)
  if (!parsed) return undefined
  parsed.hash = ''
  return parsed.href
}

/** `https://www.example.com:443/a/?b=2&a=1` → `com,example)/a?a=1&b=2`. Never fails: what is no URL is its own key. */
export function surt(url: string): string {
  const text = url.replace(/[\t\r\n]/g, '').replace(/^ +| +$/g, '')
  if (text === '' || /^filedesc/.test(text)) return text
  // browsertrix and pywb put a view before the address of the page that it shows: `screenshot:http://…`.
  const view = /^((?!urn:)(?:[\w+-]+:)+)(https?:\/\/.*)$/i.exec(text)
  if (view?.[1] !== undefined && view[2] !== undefined) return view[1].toLowerCase() + surt(view[2])
  const scheme = /^[a-z][a-z0-9+-]*:/i.exec(text)?.[0]
  if (scheme !== undefined && !text.startsWith('//', scheme.length)) return text.replace(/\/$/, '')
  return hierarchical(scheme === undefined ? text : text.slice(scheme.length + 2), scheme?.toLowerCase() ?? 'http:')
}

/** `rest` is what follows `scheme://`. */
function hierarchical(rest: string, scheme: string): string {
  const [, authority = '', path = '', query] = /^([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(rest) ?? []
  return `${hostKey(authority, scheme)})${pathKey(path)}${queryKey(query)}`
}

function hostKey(authority: string, scheme: string): string {
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1)
  const [, host = '', port = ''] = /^(\[[^\]]*\]|.*?)(?::(\d*))?$/.exec(hostAndPort) ?? []
  const suffix = port === '' || port === defaultPorts[scheme] ? '' : `:${port}`
  if (host.startsWith('[')) return host.slice(1, -1).toLowerCase() + suffix
  const plain = normalHost(host).replace(/^www\d*\./, '')
  return plain.split('.').reverse().join(',') + suffix
}

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443', 'ftp:': '21' }

/** Escapes undone, punycode, one dot between labels; a single number is an IPv4 address. */
function normalHost(host: string): string {
  if (/^[a-z0-9-]+(\.[a-z0-9-]*[a-z-][a-z0-9-]*)+$/.test(host)) return host
  const bytes = unescaped(host)
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  // eslint-disable-next-line no-control-regex
  const ascii = /^[\x00-\x7f]*$/.test(text) ? text : punycode(text)
  const dotted = ascii
    .toLowerCase()
    .replace(/\.{2,}/g, '.')
    .replace(/^\.|\.$/g, '')
  if (/^\d{1,10}$/.test(dotted)) {
    const number = Number(dotted)
    if (number < 2 ** 32) return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
  }
  return escaped(dotted)
}

function punycode(host: string): string {
  return URL.parse(`http://${host}/`)?.hostname ?? Buffer.from(host, 'utf8').toString('latin1')
}

function pathKey(path: string): string {
  const kept: string[] = []
  for (const segment of escaped(unescaped(path)).split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return withoutPathSession(`/${kept.join('/')}`.toLowerCase())
}

/** ASP.NET puts the session before the page, Java behind it. */
function withoutPathSession(path: string): string {
  if (path.includes('('))
    return path.replace(/^(.*\/)\((?:[a-z0-9]{24}|(?:[a-z]\([a-z0-9]{24}\))+)\)\/([^?]+\.aspx.*)$/, '$1$2')
  return path.includes(';') ? path.replace(/;jsessionid=[a-z0-9]{32}$/, '') : path
}

function queryKey(query: string | undefined): string {
  if (query === undefined || query === '') return ''
  let text = escaped(unescaped(query)).toLowerCase()
  for (const session of querySessions) text = text.replace(session, '')
  text = text.replace(/&$/, (end) => (query.endsWith('&') ? end : ''))
  if (text === '') return ''
  return `?${text.includes('&') ? sorted(text) : text}`
}

/** The length is part of each rule: a shorter `sid=` is somebody's own parameter. */
const querySessions = [
  /(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}(?:&|$)/,
  /aspsessionid[a-z]{8}=[a-z]{24}(?:&|$)/,
  /cfid=[^&]+&cftoken=[^&]+(?:&|$)/,
]

/** By name and then by value, so that `c=` comes before `c1=`. */
function sorted(query: string): string {
  const parts = query.split('&').map((text) => {
    const equals = text.indexOf('=')
    return { text, name: equals < 0 ? text : text.slice(0, equals), value: equals < 0 ? '' : text.slice(equals) }
  })
  parts.sort((a, b) => order(a.name, b.name) || order(a.value, b.value))
  return parts.map(({ text }) => text).join('&')
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** As bytes, one character each. Again and again until nothing changes: `%2541` is `A` (practice of Google's Safe Browsing
 *  canonicalisation, from which the rules come). A percent sign that begins no escape stays. */
function unescaped(text: string): string {
  // eslint-disable-next-line no-control-regex
  let bytes = /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
  while (/%[0-9a-f]{2}/i.test(bytes))
    bytes = bytes.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
  return bytes
}

/** All but printable ASCII, and of that `#` and `%`. */
const escapes = /[^!"$&-~]/g

function escaped(bytes: string): string {
  return bytes.replace(escapes, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
