/** What the rules about the text of documents mean for the owner of a file, and what to do. */
export const textRuleWords = {
  'rule.textTooLong': 'The document has more text than Loupe indexes of one document. The rest cannot be found.',
  'rule.pdfUnreadable': 'The PDF is damaged or truncated. Its text cannot be found by searching.',
  'rule.pdfLocked': 'The PDF can be opened only with a password. Its text cannot be found by searching.',
  'rule.pdfTooSlow': 'Reading the text of the PDF took too long or too much memory. It cannot be found by searching.',
  'rule.pdfPagesLeftOut': 'The PDF has more pages than Loupe reads of one document. The rest cannot be found.',
} as const
