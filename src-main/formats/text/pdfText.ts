/** The text layer of a PDF, read by pdf.js, Mozilla's reader. Scanned pages without a text layer have none. It may take seconds and much
 *  memory for a small file: callers run it in a thread of its own that they can end. */
import { fileURLToPath } from 'node:url'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { languageTag, textCharactersMax, titleCharactersMax, withoutText, type ExtractedText } from './extracted.ts'
import { finding } from '../rules/finding.ts'
import { oneLine } from '../links/htmlText.ts'

/** Pages of a document that are read. */
const pagesMax = 5_000

/** Returns the text of a PDF. Its bytes are given away: the array is empty afterwards. Never rejects because of them. */
export async function pdfText(body: Uint8Array): Promise<ExtractedText> {
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const loading = getDocument({
    data: body,
    cMapUrl: fileURLToPath(new URL('../../cmaps/', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs'))),
    cMapPacked: true,
    // Nothing is drawn.
    disableFontFace: true,
    useWasm: false,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    return await textOf(await loading.promise)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.name === 'PasswordException') return withoutText([finding('pdfLocked')])
    return withoutText([finding('pdfUnreadable', { problem: error.message.slice(0, 200) })])
  } finally {
    await loading.destroy()
  }
}

async function textOf(pdf: PDFDocumentProxy): Promise<ExtractedText> {
  const { info } = await pdf.getMetadata()
  const about = info as { Title?: unknown; Subject?: unknown; Language?: unknown }
  const found: ExtractedText = {
    ...withoutText(),
    title: asText(about.Title),
    description: asText(about.Subject),
    language: languageTag(asText(about.Language)),
  }
  const lines: string[] = []
  let left = textCharactersMax
  for (let number = 1; number <= Math.min(pdf.numPages, pagesMax) && left > 0; number++) {
    for (const line of await pageLines(pdf, number)) {
      if (left <= 0) break
      lines.push(line.slice(0, left))
      left -= line.length + 1
    }
  }
  if (left <= 0) found.findings.push(finding('textTooLong'))
  if (pdf.numPages > pagesMax) found.findings.push(finding('pdfPagesLeftOut', { pages: pdf.numPages, pagesMax }))
  return { ...found, title: found.title || (lines[0] ?? '').slice(0, titleCharactersMax), text: lines.join('\n') }
}

async function pageLines(pdf: PDFDocumentProxy, number: number): Promise<string[]> {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  // A word that is divided at the end of a line is one word.
  const joined = text.replace(/(\p{L})[-\u00ad]\n(\p{Ll})/gu, '$1$2')
  return joined
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
}

function asText(value: unknown): string {
  return typeof value === 'string' ? oneLine(value).slice(0, titleCharactersMax) : ''
}
