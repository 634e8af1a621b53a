/** What was found about files as a whole, their import, in logs, and in links. */
export const fileFindingWords = {
  'finding.fileUnreadable': 'The file cannot be read. {problem}',
  'finding.fileEmpty': 'The file is empty.',
  'finding.fileEmpty.packed': 'The compressed file has no content.',
  'finding.notAnArchive': 'Not an archive file: {kind}.',
  'finding.packageWrapped': 'The file is packed as {kind}.',
  'finding.packageWrapped.zip': 'A ZIP file, possibly a WACZ, is compressed with {packing} ({kind}).',
  'finding.importRecompressed': '{count, plural, one {# record was} other {# records were}} recompressed one by one.',
  'finding.importLeftOut': 'Nothing could be imported from here to byte {to}: {problem}',
  'finding.importLeftOut.toEnd': 'Nothing could be imported from here to the end of the file: {problem}',
  'finding.importLeftInPackage': '{path} ({bytes, plural, one {# byte} other {# bytes}}) stays in the package.',
  'finding.tooManyLinks': 'The resource has more than {linksMax} links. The rest was ignored.',
  'finding.urlTooLong': 'A link of more than {charactersMax} characters was ignored.',
  'finding.crawlLogLineInvalid': 'Not a line of a crawl log: {line}',
  'finding.crawlLogDateInvalid': 'The line begins with {date} instead of a date.',
} as const
