/** Determines the media type of a local file: by its first bytes where they are unambiguous, otherwise by the extension of its
 *  name, otherwise by whether it is text. Sniffing as browsers apply it to answers is deliberately not included. */
import { imageType } from '../../../formats/http/imageType.ts'

/** Number of bytes at the beginning of a file that `mediaTypeOf` needs. */
export const mediaTypeBytes = 4096

const byEnding: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  xml: 'application/xml',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  csv: 'text/csv',
  md: 'text/markdown',
  txt: 'text/plain',
  rtf: 'application/rtf',
  eml: 'message/rfc822',
  ics: 'text/calendar',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  jp2: 'image/jp2',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  mkv: 'video/x-matroska',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  gz: 'application/gzip',
  warc: 'application/warc',
  zip: 'application/zip',
  epub: 'application/epub+zip',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
}

/** Media type of the file `name` that begins with these bytes. */
export function mediaTypeOf(name: string, beginning: Uint8Array): string {
  const certain = imageType(beginning)
  if (certain !== undefined) return certain
  const text = Buffer.from(beginning).toString('latin1')
  if (text.startsWith('%PDF-')) return 'application/pdf'
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const named = Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined
  if (named !== undefined) return named
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)[\s>]/i.test(text)) return 'text/html'
  // oxlint-disable-next-line no-control-regex -- the binary data bytes of MIME Sniffing 3
  return /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text) ? 'application/octet-stream' : 'text/plain'
}
