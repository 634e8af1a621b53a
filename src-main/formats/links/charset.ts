/** Determines the charset of a document as browsers do (HTML 13.2.3, CSS Syntax 3.2, XML 1.0 appendix F), and
 *  encodes the queries of links in it. Charsets are not guessed from letter frequencies. */

/** Bytes of a page searched for a `meta` element. HTML 13.2.3.2 prescans 1,024 bytes; browsers search further, and
 *  real pages have scripts before their `meta`. */
const prescannedBytesMax = 8192

/** Returns the charset of an HTML page. `declared` is the charset of the Content-Type field. */
export function charsetOfPage(body: Uint8Array, declared: string | undefined): string {
  return (
    markOf(body) ?? known(declared) ?? inPage(known(metaCharset(start(body, prescannedBytesMax)))) ?? 'windows-1252'
  )
}

/** Returns the charset of a style sheet. `declared` is the charset of the Content-Type field. */
export function charsetOfStyleSheet(body: Uint8Array, declared: string | undefined): string {
  // CSS Syntax 3.2: exactly these bytes, in double quotes.
  const rule = /^@charset "([^"]{1,40})";/.exec(start(body, 60))?.[1]
  return markOf(body) ?? known(declared) ?? inPage(known(rule)) ?? 'utf-8'
}

/** Returns the charset of an XML document. `declared` is the charset of the Content-Type field. */
export function charsetOfXml(body: Uint8Array, declared: string | undefined): string {
  const declaration = /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})/.exec(start(body, 300))?.[1]
  return markOf(body) ?? known(declared) ?? inPage(known(declaration)) ?? 'utf-8'
}

/** Decodes a document. Malformed sequences become U+FFFD, and a byte order mark is dropped. */
export function decoded(body: Uint8Array, charset: string): string {
  return decoder(charset).decode(body)
}

/** Returns the beginning of a document as text for detecting its kind: decoded as Latin-1, or as UTF-16 when that is
 *  its charset. */
export function beginning(body: Uint8Array, declared: string | undefined, bytesMax: number): string {
  const charset = markOf(body) ?? known(declared)
  if (charset === undefined || !charset.startsWith('utf-16')) return start(body, bytesMax)
  return decoded(body.subarray(0, bytesMax), charset)
}

/** Returns the charset of a byte order mark, which takes precedence over everything else (Encoding Standard 6.1). */
function markOf(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return undefined
}

/** Corrects a charset declared within the document: a declaration that was readable as ASCII cannot be right when it
 *  names UTF-16 (HTML 13.2.3.2, step "utf-16be/le"). */
function inPage(charset: string | undefined): string | undefined {
  if (charset?.startsWith('utf-16')) return 'utf-8'
  return charset === 'x-user-defined' ? 'windows-1252' : charset
}

/** Node has TextDecoder as a global value, but its types declare it only in node:util. */
type Decoder = InstanceType<typeof TextDecoder>

const decoders = new Map<string, Decoder>()

function decoder(charset: string): Decoder {
  let found = decoders.get(charset)
  if (!found) decoders.set(charset, (found = new TextDecoder(charset)))
  return found
}

/** Returns the name of the encoding for a label of the Encoding Standard; undefined for an unknown label. */
function known(label: string | undefined): string | undefined {
  if (!label) return undefined
  try {
    return new TextDecoder(label.trim().replace(/^["']|["']$/g, '')).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Returns the charset of the first `meta` element that names one, by `charset` or by `http-equiv` with `content`.
 *  Comments are ignored. */
function metaCharset(text: string): string | undefined {
  for (const [tag] of text.replace(/<!--[^]*?(?:-->|$)/g, '').matchAll(/<meta[\s/][^>]*/gi)) {
    const found = /\bcharset\s*=\s*(?:["']\s*)?([^\s"'/>;]+)/i.exec(tag)?.[1]
    if (found) return found
  }
  return undefined
}

/** The first bytes of a document in Latin-1. */
function start(body: Uint8Array, bytesMax: number): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, bytesMax)).toString('latin1')
}

/** Returns a function that percent-encodes the query of a link. By the URL Standard (4.2, query state) the query is
 *  encoded in the charset of its document, everything else in UTF-8. The query `?q=Москва` of a page in windows-1251
 *  is sent as other bytes than that of a page in UTF-8, and the server knows only those. The Encoding Standard gives
 *  browsers encoders; Node has only decoders, so the table of the decoder is reversed. */
export function queryEncoder(charset: string): (reference: string) => string {
  // For UTF-16 the standard sends UTF-8. For the stateful ISO-2022-JP no query has been seen.
  if (charset === 'utf-8' || charset.startsWith('utf-16') || charset === 'iso-2022-jp') return (reference) => reference
  return (reference) => {
    const query = reference.indexOf('?')
    if (query < 0 || isAscii(reference)) return reference
    const hash = reference.indexOf('#')
    if (hash >= 0 && hash < query) return reference
    const end = hash < 0 ? reference.length : hash
    return reference.slice(0, query) + encoded(reference.slice(query, end), charset) + reference.slice(end)
  }
}

/** Percent-encodes the characters of a query that are not ASCII. */
function encoded(query: string, charset: string): string {
  const bytes = encoderTable(charset)
  let out = ''
  for (const character of query) {
    if (character.charCodeAt(0) < 0x80) out += character
    // Encoding Standard, "html" error mode: characters missing in the charset become character references.
    else out += bytes.get(character) ?? `%26%23${character.codePointAt(0)}%3B`
  }
  return out
}

const tables = new Map<string, Map<string, string>>()

/** Returns a table from character to its percent-encoded bytes. It is made once for each charset in use: 1 ms, and
 *  12 to 80 ms for those of two bytes. */
function encoderTable(charset: string): Map<string, string> {
  let table = tables.get(charset)
  if (!table) tables.set(charset, (table = reversed(charset)))
  return table
}

/** Builds the table by decoding every sequence of one and of two bytes. */
function reversed(charset: string): Map<string, string> {
  const table = new Map<string, string>()
  for (let lead = 0x80; lead <= 0xff; lead++) {
    if (put(table, charset, [lead])) continue
    for (let trail = 0x40; trail <= 0xfe; trail++) put(table, charset, [lead, trail])
  }
  return table
}

/** Adds the character of a byte sequence to the table. Returns false when the bytes are not exactly one character.
 *  The first sequence wins when a charset has a character twice (Encoding Standard 5, "index pointer"). */
function put(table: Map<string, string>, charset: string, bytes: number[]): boolean {
  const text = decoded(Uint8Array.from(bytes), charset)
  if (text === '\ufffd' || text.length !== String.fromCodePoint(text.codePointAt(0) ?? 0).length) return false
  if (!table.has(text)) table.set(text, bytes.map((byte) => `%${byte.toString(16).toUpperCase()}`).join(''))
  return true
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}
