/** Whether bytes are an image that browsers show, and which: by how they begin (MIME Sniffing, 6.1), never by what a server
 *  called them. Deliberately not here: everything else that could be sniffed. */

/** What is looked at; a comment of an artist may stand in front of the root of an SVG. */
const beginningBytes = 4096

const beginnings: [beginning: RegExp, mediaType: string][] = [
  // oxlint-disable-next-line no-control-regex
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBPVP/s, 'image/webp'],
  [/^.{4}ftyp(avif|avis)/s, 'image/avif'],
  // "BM" begins many a text; four bytes that are reserved and zero do not follow in one.
  [/^BM.{4}\0{4}/s, 'image/bmp'],
  // oxlint-disable-next-line no-control-regex
  [/^\0\0[\x01\x02]\0[^\0]/, 'image/x-icon'],
]

/** Undefined when it is none. */
export function imageType(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.subarray(0, beginningBytes)).toString('latin1')
  return beginnings.find(([beginning]) => beginning.test(text))?.[1] ?? (isSvg(text) ? 'image/svg+xml' : undefined)
}

/** XML, whose first element is `svg`: after a byte order mark, a declaration, comments and a document type. */
function isSvg(text: string): boolean {
  const inFront = /^(?:\xef\xbb\xbf)?(?:\s+|<\?[^>]*\?>|<!--[^]*?-->|<!DOCTYPE\s+svg[^[>]*(?:\[[^\]]*\]\s*)?>)*/i.exec(
    text,
  )
  return /^<svg[\s>]/i.test(text.slice(inFront?.[0].length ?? 0))
}
