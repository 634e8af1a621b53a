/** What was found about the text of a document. */
export const textFindingWords = {
  'finding.textTooLong': 'The document has more text than Loupe reads of one document. The rest was ignored.',
  'finding.pdfUnreadable': 'The PDF cannot be read: {problem}',
  'finding.pdfLocked': 'The PDF can be opened only with a password.',
  'finding.pdfTooSlow': 'Reading the text of the PDF took too long or too much memory.',
  'finding.pdfPagesLeftOut': 'The PDF has {pages} pages. The first {pagesMax} were read.',
} as const
