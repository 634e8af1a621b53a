/** Which charset the bytes are in, found as browsers find it (HTML 13.2.3, CSS Syntax 3.2, XML 1.0 appendix F), and the
 *  way back for the queries of links. Not here: guessing by letter frequencies. */

/** HTML 13.2.3.2 prescans 1,024 bytes; browsers go on for longer, and real pages put scripts before their `meta`. */
const prescannedBytesMax = 8192

export function charsetOfPage(body: Uint8Array, declared: string | undefined): string {
  return (
    markOf(body) ?? known(declared) ?? inPage(known(metaCharset(start(body, prescannedBytesMax)))) ?? 'windows-1252'
  )
}

export function charsetOfStyleSheet(body: Uint8Array, declared: string | undefined): string {
  // CSS Syntax 3.2: exactly these bytes, in double quotes.
  const rule = /^@charset "([^"]{1,40})";/.exec(start(body, 60))?.[1]
  return markOf(body) ?? known(declared) ?? inPage(known(rule)) ?? 'utf-8'
}

export function charsetOfXml(body: Uint8Array, declared: string | undefined): string {
  const declaration = /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})/.exec(start(body, 300))?.[1]
  return markOf(body) ?? known(declared) ?? inPage(known(declaration)) ?? 'utf-8'
}

/** Malformed sequences become U+FFFD, a byte order mark is dropped. */
export function decoded(body: Uint8Array, charset: string): string {
  return decoder(charset).decode(body)
}

/** The first characters, for looking at what they are: bytes as they are, or decoded where two make a character. */
export function beginning(body: Uint8Array, declared: string | undefined, bytesMax: number): string {
  const charset = markOf(body) ?? known(declared)
  if (charset === undefined || !charset.startsWith('utf-16')) return start(body, bytesMax)
  return decoded(body.subarray(0, bytesMax), charset)
}

/** Encoding Standard 6.1: a byte order mark is stronger than everything else. */
function markOf(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return undefined
}

/** A declaration that could be read as ASCII cannot be true when it says UTF-16 (HTML 13.2.3.2, step "utf-16be/le"). */
function inPage(charset: string | undefined): string | undefined {
  if (charset?.startsWith('utf-16')) return 'utf-8'
  return charset === 'x-user-defined' ? 'windows-1252' : charset
}

/** Node has TextDecoder as a global value, but its types name it only in node:util. */
type Decoder = InstanceType<typeof TextDecoder>

const decoders = new Map<string, Decoder>()

function decoder(charset: string): Decoder {
  let found = decoders.get(charset)
  if (!found) decoders.set(charset, (found = new TextDecoder(charset)))
  return found
}

/** The name of the encoding for a label of the Encoding Standard, undefined for one that it does not know. */
function known(label: string | undefined): string | undefined {
  if (!label) return undefined
  try {
    return new TextDecoder(label.trim().replace(/^["']|["']$/g, '')).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The first `meta` that names a charset, by `charset` or by `http-equiv` with `content`; comments are passed over. */
function metaCharset(text: string): string | undefined {
  for (const [tag] of text.replace(/<!--[^]*?(?:-->|$)/g, '').matchAll(/<meta[\s/][^>]*/gi)) {
    const found = /\bcharset\s*=\s*(?:["']\s*)?([^\s"'/>;]+)/i.exec(tag)?.[1]
    if (found) return found
  }
  return undefined
}

function start(body: Uint8Array, bytesMax: number): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, bytesMax)).toString('latin1')
}

/** URL Standard 4.2, query state: the query of a link is percent-encoded in the charset of its document, where everything
 *  else is UTF-8. A page in windows-1251 that links to `?q=Москва` means other bytes than one in UTF-8, and its server
 *  knows only those. The Encoding Standard gives browsers encoders; Node has only decoders, so the table is turned round. */
export function queryEncoder(charset: string): (reference: string) => string {
  // UTF-16 and the stateful ISO-2022-JP: the standard sends UTF-8 for the first; of the second no query was ever seen.
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

function encoded(query: string, charset: string): string {
  const bytes = encoderTable(charset)
  let out = ''
  for (const character of query) {
    if (character.charCodeAt(0) < 0x80) out += character
    // Encoding Standard, "html" error mode: what the charset cannot say becomes a character reference.
    else out += bytes.get(character) ?? `%26%23${character.codePointAt(0)}%3B`
  }
  return out
}

const tables = new Map<string, Map<string, string>>()

/** character → its bytes, percent-encoded; made once for each charset that is met: 1 ms, 12 to 80 for those of two bytes. */
function encoderTable(charset: string): Map<string, string> {
  let table = tables.get(charset)
  if (!table) tables.set(charset, (table = reversed(charset)))
  return table
}

function reversed(charset: string): Map<string, string> {
  const table = new Map<string, string>()
  for (let lead = 0x80; lead <= 0xff; lead++) {
    if (put(table, charset, [lead])) continue
    for (let trail = 0x40; trail <= 0xfe; trail++) put(table, charset, [lead, trail])
  }
  return table
}

/** False when the bytes are not one character. The first pointer wins where a charset has a character twice (Encoding
 *  Standard 5, "index pointer"). */
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
