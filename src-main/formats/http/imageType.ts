/** Detects images that browsers display by their first bytes (MIME Sniffing, 6.1), whatever type the server stated. */

/** Bytes examined; a comment may precede the root element of an SVG. */
const beginningBytes = 4096

/** Signatures of the formats. Each `.` of an expression is one byte. */
const beginnings: [beginning: RegExp, mediaType: string][] = [
  // oxlint-disable-next-line no-control-regex
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBPVP/s, 'image/webp'],
  [/^.{4}ftyp(avif|avis)/s, 'image/avif'],
  // Many texts begin with "BM", but not with four reserved zero bytes after the size.
  [/^BM.{4}\0{4}/s, 'image/bmp'],
  // oxlint-disable-next-line no-control-regex
  [/^\0\0[\x01\x02]\0[^\0]/, 'image/x-icon'],
]

/** Returns the media type of an image; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.subarray(0, beginningBytes)).toString('latin1')
  return beginnings.find(([beginning]) => beginning.test(text))?.[1] ?? (isSvg(text) ? 'image/svg+xml' : undefined)
}

/** Returns true for XML whose first element is `svg`, after a byte order mark, a declaration, comments and a
 *  document type. */
function isSvg(text: string): boolean {
  const inFront = /^(?:\xef\xbb\xbf)?(?:\s+|<\?[^>]*\?>|<!--[^]*?-->|<!DOCTYPE\s+svg[^[>]*(?:\[[^\]]*\]\s*)?>)*/i.exec(
    text,
  )
  return /^<svg[\s>]/i.test(text.slice(inFront?.[0].length ?? 0))
}
