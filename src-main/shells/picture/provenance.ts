/** What a picture says of itself: of which address, captured when, made when and by what. In a PDF at the head and foot of each page, in
 *  an image as text chunks. Pure. */
import { escapedHtml } from '../../contract/text/escapedHtml.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

export interface Provenance {
  url: string
  /** ISO 8601, as the others. */
  captured: string
  made: string
  software: string
}

export function imageTexts({ url, captured, made, software }: Provenance): Record<string, string> {
  return {
    Source: url,
    Comment: textOf(message('picture.comment', { captured: utc(captured), made: utc(made) })),
    'Creation Time': made,
    Software: software,
  }
}

/** Inches, as the protocol and paper have them: what the templates need, and no more. */
const marginInches = { top: 0.7, bottom: 0.7, left: 0.4, right: 0.4 }
/** A4. */
const paperInches = { width: 8.27, height: 11.69 }

/** Of `Page.printToPDF`. */
export function printOptions(provenance: Provenance) {
  return {
    ...common(provenance),
    paperWidth: paperInches.width,
    paperHeight: paperInches.height,
    marginTop: marginInches.top,
    marginBottom: marginInches.bottom,
    marginLeft: marginInches.left,
    marginRight: marginInches.right,
  }
}

/** Of Electron's `printToPDF`, which has its own words for the same. */
export function electronPrintOptions(provenance: Provenance) {
  return {
    ...common(provenance),
    pageSize: 'A4' as const,
    margins: marginInches,
  }
}

/** Under the same names for both. Chromium fills in `pageNumber` and `totalPages` by their classes; its templates begin without a font
 *  size, and are HTML, where an archived URL is untrusted text. */
function common({ url, captured, made, software }: Provenance) {
  const row = (left: string, right: string) =>
    `<div style="font: 7.5px sans-serif; width: 100%; margin: 0 0.4in; display: flex; gap: 2em; justify-content: space-between">` +
    `<span style="overflow: hidden; text-overflow: ellipsis; white-space: nowrap">${left}</span>` +
    `<span style="white-space: nowrap">${right}</span></div>`
  return {
    printBackground: true,
    generateTaggedPDF: true,
    generateDocumentOutline: true,
    displayHeaderFooter: true,
    headerTemplate: row(escapedHtml(url), `Captured ${utc(captured)}`),
    footerTemplate: row(
      `Made ${utc(made)} by ${escapedHtml(software)}`,
      '<span class="pageNumber"></span> / <span class="totalPages"></span>',
    ),
  }
}

function utc(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
