/** Reads the text of a document: pages, plain text and feeds here, PDF in `pdfText.ts`, which takes its time and may fail. Never throws,
 *  whatever the bytes are, and takes time and memory in proportion to them. */
import { isUtf8 } from 'node:buffer'
import { charsetOfPage, charsetOfXml, decoded } from '../links/charset.ts'
import { isBinary, shapeOf, sniffedBytesMax } from '../links/links.ts'
import { beginning } from '../links/charset.ts'
import { finding } from '../rules/finding.ts'
import { textCharactersMax, withoutText, type ExtractedText, type TextForm, type TextSource } from './extracted.ts'
import { feedText } from './feedText.ts'
import { pageText } from './pageText.ts'

/** Types of text that people do not read. */
const codeTypes = /^text\/(css|javascript|ecmascript|x-javascript|jscript|vbscript|html|xml|cache-manifest)$/

/** Returns how a document is read. The media type decides, and the bytes where it is missing or means nothing. */
export function textFormOf({ url, mediaType, charset, body }: TextSource): TextForm {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()
  const isGeneric = essence === '' || essence === 'application/octet-stream'
  if (essence === 'application/pdf' || essence === 'application/x-pdf' || (isGeneric && isPdf(body))) return 'pdf'
  const shape = shapeOf({ url, mediaType, charset, body, linksMax: 0 })
  if (shape === 'page' || shape === 'xmlPage' || shape === 'feed') return shape
  const isText = essence.startsWith('text/') && !codeTypes.test(essence)
  if (shape !== 'other' || !isText) return 'none'
  return isBinary(beginning(body, charset, sniffedBytesMax)) ? 'none' : 'plain'
}

/** Returns the text of a document in this form. */
export function extractText(source: TextSource, form: Exclude<TextForm, 'pdf'>): ExtractedText {
  switch (form) {
    case 'page':
      return pageText(source)
    case 'xmlPage':
      return pageText(source, { syntax: 'xml' })
    case 'feed':
      return feedText(decoded(source.body, charsetOfXml(source.body, source.charset)))
    case 'plain':
      return plainText(source)
    case 'none':
      return withoutText()
  }
}

/** Reads a plain text. Without a declared charset it is UTF-8 where it is valid as such, and otherwise what browsers take. */
function plainText({ body, charset }: TextSource): ExtractedText {
  const declared = charset ?? (isUtf8(body) ? 'utf-8' : undefined)
  const text = decoded(body, charsetOfPage(body, declared))
  const kept = text.slice(0, textCharactersMax)
  const lines = kept.split(/[\r\n\u2028\u2029]+/).map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
  const findings = kept.length < text.length ? [finding('textTooLong')] : []
  return { ...withoutText(findings), text: lines.filter((line) => line !== '').join('\n') }
}

/** Whether the bytes begin as a PDF does; readers accept up to 1,024 bytes before it (ISO 32000-1, implementation note 13). */
function isPdf(body: Uint8Array): boolean {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1_024)).includes('%PDF-')
}
