/** What was found in WARC and ARC files, between and in their records. */
export const warcFindingWords = {
  'finding.noRecord': '{bytes, plural, one {# byte belongs} other {# bytes belong}} to no record.',
  'finding.noRecord.header':
    'The start of a record is damaged; {bytes, plural, one {# byte was} other {# bytes were}} skipped.',
  'finding.noRecord.member':
    'The start of a compressed record is damaged; {bytes, plural, one {# byte was} other {# bytes were}} skipped.',
  'finding.noRecord.memberToEnd':
    'The start of a compressed record is damaged; everything up to the end of the file was skipped.',
  'finding.headerTorn':
    'The file ends inside the header of a record; {bytes, plural, one {# byte was} other {# bytes were}} skipped.',
  'finding.headerTooLarge': 'A header does not end within {bytesMax} bytes; {bytes} bytes were skipped.',
  'finding.lineEnds':
    '{count, plural, one {# extra line break character follows} other {# extra line break characters follow}} the record.',
  'finding.recordInside': 'Another record begins inside this one.',
  'finding.bytesAfterRecord': '{bytes, plural, one {# stray byte follows} other {# stray bytes follow}} the record.',
  'finding.recordSpansMembers': 'The record spans several compressed members.',
  'finding.recordsShareMember': 'More records follow in the same compressed member.',
  'finding.recordTorn':
    'The record is {bytes, plural, one {# byte} other {# bytes}} shorter than the length in its header.',
  'finding.recordEndOdd': 'The block is followed by {found} instead of {wanted}.',
  'finding.recordEndOdd.none': 'The block is followed by no line break instead of {wanted}.',
  'finding.lengthInvalid': 'Content-Length is not a valid length ({length}).',
  'finding.lengthInvalid.missing': 'The record has no Content-Length.',
  'finding.targetBracketed': 'WARC-Target-URI is enclosed in < and >.',
  'finding.versionUnknown': 'The version is {version}.',
  'finding.headerLineEndOdd': 'Header lines end with {found} instead of CR LF.',
  'finding.headerNotUtf8': 'Not UTF-8: {fields}.',
  'finding.fieldOdd': 'Not a header field: {line}',
  'finding.idsNotCompared':
    '{count, plural, one {The ID of # record was} other {The IDs of # records were}} not checked for repetition.',
  'finding.warcinfoNotFirst': 'The first record is of type {type}.',
  'finding.warcinfoElsewhere': 'The warcinfo record {id} does not precede this record.',
  'finding.filenameDiffers': 'WARC-Filename is {named}, but the file is named {name}.',
} as const
