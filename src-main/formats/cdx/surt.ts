/** Converts URLs to keys. `canonicalUrl` identifies a document in the frontier. `surt` is the coarser key of a
 *  capture index, which is the same for variants of one URL: its rules are those of the Internet Archive's surt
 *  library, which pywb, jwarc and OpenWayback share. A change of the output requires a new number in
 *  canonicaliser.ts. Requests are added to keys in postKey.ts. */

/** Returns the WHATWG URL, normalised by its parser (dots, default port, case of the host), without fragment;
 *  undefined when it is invalid. */
export function canonicalUrl(url: string): string | undefined {
  const parsed = URL.parse(url)
  if (!parsed) return undefined
  parsed.hash = ''
  return parsed.href
}

/** Returns the key: `https://www.example.com:443/a/?b=2&a=1` → `com,example)/a?a=1&b=2`. Never throws; an invalid
 *  URL is its own key. A key is printable ASCII without blanks, so that it ends at the first blank of its line. */
export function surt(url: string): string {
  return plainSurt(url) ?? anySurt(url)
}

/** Handles nearly all URLs: a lower-case host of several labels, a path without dots at the start of a segment or doubled
 *  slashes, nothing escaped, no possible session ID. They only need reversing, in a fifth of the time of `anySurt`. Returns
 *  undefined for any other URL. */
function plainSurt(url: string): string | undefined {
  const [, scheme = '', host, port, path = '', query] = plainUrl.exec(url) ?? []
  // A host such as `www.com` still has its prefix, which has to be removed.
  if (host === undefined || /^www\d*\./.test(host) || maybeSession.test(url)) return undefined
  const authority = host.split('.').reverse().join(',') + portSuffix(port, scheme)
  const key = `${authority})${path === '' ? '/' : path.toLowerCase()}`
  if (query === undefined || query === '') return key
  const text = query.toLowerCase()
  return `${key}?${text.includes('&') ? sorted(text) : text}`
}

/** The host has more than one label, so it is not an IPv4 address as a single number; a segment begins with neither `.` nor
 *  `/`. */
const plainUrl =
  /^(https?:)\/\/(?:www\d*\.)?((?:[a-z0-9-]+\.)+[a-z0-9-]+)(?::(\d+))?((?:\/[\w!"$&')*+,:<=>@[\]^`{|}~-][\w!"$&')*+,.:<=>@[\]^`{|}~-]*)*)\/?(?:\?([!"$&-~]*))?$/
const maybeSession = /[(;]|sid|sessionid|cfid/i

/** Handles every other URL, following surt's `handyurl` and `IAURLCanonicalizer`: the rules are applied to a
 *  string, since an archived URL need not be valid. */
function anySurt(url: string): string {
  const text = withoutBlanks(url.replace(/[\t\r\n]/g, ''))
  if (text === '' || /^filedesc/.test(text)) return printable(text)
  // browsertrix and pywb prefix the URL of a page with a view: `screenshot:http://…`.
  const view = /^((?!urn:)(?:[\w+-]+:)+)(https?:\/\/.*)$/i.exec(text)
  if (view?.[1] !== undefined && view[2] !== undefined) return view[1].toLowerCase() + surt(view[2])
  const scheme = /^[a-z][a-z0-9+-]*:/i.exec(text)?.[0]
  if (scheme !== undefined && !text.startsWith('//', scheme.length)) return printable(text.replace(/\/$/, ''))
  return hierarchical(scheme === undefined ? text : text.slice(scheme.length + 2), scheme?.toLowerCase() ?? 'http:')
}

/** Removes surrounding blanks. A regular expression would take quadratic time for a million blanks inside the text. */
function withoutBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (text[start] === ' ') start++
  while (end > start && text[end - 1] === ' ') end--
  return text.slice(start, end)
}

/** Escapes blanks and non-ASCII characters, and leaves everything else unchanged. */
function printable(text: string): string {
  if (/^[!-~]*$/.test(text)) return text
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  return bytes.replace(/[^!-~]/g, escapeOf)
}

/** Returns the key of a URL with an authority. `rest` is the text after `scheme://`. */
function hierarchical(rest: string, scheme: string): string {
  const [, authority = '', path = '', query] = /^([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(rest) ?? []
  return `${hostKey(authority, scheme)})${pathKey(path)}${queryKey(query)}`
}

/** Returns the reversed host without user, default port and `www`, followed by any other port. */
function hostKey(authority: string, scheme: string): string {
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1)
  const [, host = '', port = ''] = /^(\[[^\]]*\]|.*?)(?::(\d*))?$/.exec(hostAndPort) ?? []
  const suffix = portSuffix(port, scheme)
  if (host.startsWith('[') && host.endsWith(']')) return printable(host.slice(1, -1).toLowerCase()) + suffix
  const plain = normalHost(host).replace(/^www\d*\./, '')
  return plain.split('.').reverse().join(',') + suffix
}

function portSuffix(port: string | undefined, scheme: string): string {
  return port === undefined || port === '' || port === defaultPorts[scheme] ? '' : `:${port}`
}

/** Default ports of the schemes that the surt library knows. */
const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443', 'ftp:': '21' }

/** Normalises a host: decodes escapes, applies punycode, and leaves one dot between labels. A single number is an
 *  IPv4 address. */
function normalHost(host: string): string {
  // The expression matches a label in only one way: with several ways, each label of a host that does not match would
  // double the time.
  if (/^[a-z0-9-]+(\.\d*[a-z-][a-z0-9-]*)+$/.test(host)) return host
  const bytes = unescaped(host)
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  // oxlint-disable-next-line no-control-regex
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

/** Converts an international host name (WHATWG URL, domain to ASCII); a name that the parser refuses keeps its
 *  bytes. */
function punycode(host: string): string {
  return URL.parse(`http://${host}/`)?.hostname ?? Buffer.from(host, 'utf8').toString('latin1')
}

/** Returns the path in lower case, with dot segments resolved and empty ones removed, without session and final
 *  slash. */
function pathKey(given: string): string {
  const kept: string[] = []
  for (const segment of escaped(unescaped(given)).split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const path = withoutPathSession(`/${kept.join('/')}`.toLowerCase())
  // A slash before the session is now at the end.
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Removes the session from a path: ASP.NET puts it before the page, Java after it. */
function withoutPathSession(path: string): string {
  const page = path.includes('(') ? path.lastIndexOf('.aspx') : -1
  if (page >= 0) {
    const [, before = '', after = ''] = pathSession.exec(path.slice(0, page)) ?? []
    if (after !== '') return before + after + path.slice(page)
  }
  return path.includes(';') ? path.replace(/;jsessionid=[a-z0-9]{32}$/, '') : path
}

/** ASP.NET sessions without cookies: `/(24 characters)/`, or `/(S(24 characters))/` with a letter for each kind. */
const pathSession = /^(.*\/)\((?:[a-z0-9]{24}|(?:[a-z]\([a-z0-9]{24}\))+)\)\/(.+)$/

/** Returns the query in lower case, with `?`, sorted and without sessions; empty when nothing is left. */
function queryKey(query: string | undefined): string {
  if (query === undefined || query === '') return ''
  let text = escaped(unescaped(query)).toLowerCase()
  for (const session of querySessions) text = text.replace(session, '')
  text = withoutColdFusionSession(text)
  text = text.replace(/&$/, (end) => (query.endsWith('&') ? end : ''))
  if (text === '') return ''
  return `?${text.includes('&') ? sorted(text) : text}`
}

/** Sessions in queries. The length is part of each rule: a shorter `sid=` is an ordinary parameter. */
const querySessions = [/(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}(?:&|$)/, /aspsessionid[a-z]{8}=[a-z]{24}(?:&|$)/]

/** Removes `cfid=…&cftoken=…`. A regular expression would take quadratic time for a query with many `cfid=`. */
function withoutColdFusionSession(query: string): string {
  for (let token = query.indexOf('&cftoken='); token >= 0; token = query.indexOf('&cftoken=', token + 1)) {
    const argument = query.lastIndexOf('&', token - 1) + 1
    const id = query.indexOf('cfid=', argument)
    const next = query.indexOf('&', token + 1)
    const end = next < 0 ? query.length : next
    const valued = id >= 0 && id + 'cfid='.length < token && end > token + '&cftoken='.length
    if (valued) return query.slice(0, id) + query.slice(next < 0 ? end : end + 1)
  }
  return query
}

/** Sorts parameters by name and then by value, so that `c=` precedes `c1=`. */
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

/** Decodes escapes to bytes, one character each, repeatedly until nothing changes: `%2541` becomes `A` (as in the
 *  canonicalisation of Google's Safe Browsing, from which the rules come). A percent sign that begins no escape is
 *  left unchanged. Escapes do not overlap, so decoding each as soon as it is complete has the same result in one
 *  pass. */
function unescaped(text: string): string {
  if (/^[ -$&-~]*$/.test(text)) return text
  const bytes = Buffer.from(text, 'utf8')
  let kept = 0
  for (const byte of bytes) {
    bytes[kept++] = byte
    for (let code = escapedAt(bytes, kept - 3); code >= 0; code = escapedAt(bytes, kept - 3)) {
      kept -= 2
      bytes[kept - 1] = code
    }
  }
  return bytes.toString('latin1', 0, kept)
}

/** Returns the byte that is escaped at a position, or -1. */
function escapedAt(bytes: Uint8Array, at: number): number {
  if (at < 0 || bytes[at] !== PERCENT) return -1
  const high = hexDigit(bytes[at + 1] ?? 0)
  const low = hexDigit(bytes[at + 2] ?? 0)
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

const PERCENT = 37

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 0x20
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

/** Matches everything but printable ASCII, and in addition `#` and `%`. */
const escapes = /[^!"$&-~]/g

function escaped(bytes: string): string {
  return bytes.replace(escapes, escapeOf)
}

function escapeOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}
