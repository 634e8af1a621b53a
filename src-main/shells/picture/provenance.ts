/**
 * Provenance of a picture: the address, the time of capture, when and by which software the picture was made. A PDF has it at the head and
 * foot of each page, an image in text chunks. Pure.
 */
import { escapedHtml } from '../../contract/text/escapedHtml.ts'
import { message } from '../../contract/words/message.ts'
import { textFor, textOf } from '../../contract/words/render.ts'

/** Facts about a picture that are stored in it. */
export interface Provenance {
  url: string
  /** Time of the capture, ISO 8601. */
  captured: string
  /** Time of the picture, ISO 8601. */
  made: string
  /** Name and version of the program that made the picture. */
  software: string
}

/** Returns the text chunks of an image. The keywords are those that the PNG specification predefines. */
export function imageTexts({ url, captured, made, software }: Provenance): Record<string, string> {
  return {
    Source: url,
    Comment: textOf(message('picture.comment', { captured: utc(captured), made: utc(made) })),
    'Creation Time': made,
    Software: software,
  }
}

/** Margins in inches, the unit of the protocol: just enough for the templates. */
const marginInches = { top: 0.7, bottom: 0.7, left: 0.4, right: 0.4 }
/** A4 in inches. */
const paperInches = { width: 8.27, height: 11.69 }

/** Returns the options of the protocol's `Page.printToPDF`. */
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

/** Returns the options of Electron's `printToPDF`, which names some of them differently. */
export function electronPrintOptions(provenance: Provenance) {
  return {
    ...common(provenance),
    pageSize: 'A4' as const,
    margins: marginInches,
  }
}

/**
 * Options with the same names in both. Chromium fills in `pageNumber` and `totalPages` by their classes. Its templates have no font size by
 * default and are HTML, in which an archived URL is untrusted text.
 */
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
    headerTemplate: row(escapedHtml(url), textFor('picture.captured', { captured: utc(captured) })),
    footerTemplate: row(
      textFor('picture.made', { made: utc(made), software: escapedHtml(software) }),
      '<span class="pageNumber"></span> / <span class="totalPages"></span>',
    ),
  }
}

/** Formats a time for readers, to the second. */
function utc(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
