/** Rules of the text in documents: limits of Loupe, and documents whose text cannot be read. */
import type { RuleTable } from './rule.ts'

export const textRules = {
  textTooLong: {
    severity: 'note',
    clause: 'Loupe: the text of a document is bounded',
  },
  pdfUnreadable: {
    severity: 'warning',
    clause: 'ISO 32000-1, 7.5: the structure of a PDF file',
  },
  pdfLocked: {
    severity: 'note',
    clause: 'ISO 32000-1, 7.6: encryption',
  },
  pdfTooSlow: {
    severity: 'warning',
    clause: 'Loupe: the time for the text of a document is bounded',
  },
  pdfPagesLeftOut: {
    severity: 'note',
    clause: 'Loupe: the pages of a document that are read are bounded',
  },
} as const satisfies RuleTable
