/** What the rules about ARC files mean for the owner of a file, and what to do. */
export const arcRuleWords = {
  'rule.arcVersionBlockMissing':
    'The file does not begin with a version block (filedesc://), so the fields of its record lines are not declared. They are read as ARC 1.0.',
  'rule.arcVersionBlockOdd':
    'The version block should have the version and the writer on its first line and the field names on the next. The record lines are read as ARC 1.0.',
  'rule.arcVersionUnknown': 'The file declares an unknown version of ARC. Its record lines are read as ARC 1.0.',
  'rule.arcFieldCount':
    'The record line has more or fewer fields than this version of ARC defines. The URL is taken from the left end of the line and the length from the right end.',
  'rule.arcUrlBlank':
    'The URL contains spaces, which separate fields in ARC. Loupe reconstructs the URL; other software may lose the record.',
  'rule.arcUrlLineEnd':
    'The URL contains a carriage return or a tab. Loupe removes them, as browsers do; other software may lose the record.',
  'rule.arcUrlNotUtf8':
    'The URL contains bytes that are not UTF-8, in an unknown character encoding. Each of them is percent-encoded, which is how browsers request such a URL.',
  'rule.arcUrlInvalid': 'The URL field does not contain a URL, so the record cannot be found by URL.',
  'rule.arcIpInvalid': 'The IP address of the server is invalid. The record can still be viewed.',
  'rule.arcDateInvalid': 'The date cannot be parsed, so the record cannot be found by date and is not indexed.',
  'rule.arcDateOdd':
    'The date does not have 14 digits. Missing digits are set to their lowest values and extra digits are ignored.',
  'rule.arcMediaTypeOdd':
    'The content type field is not a media type. Loupe uses the Content-Type header of the response instead.',
  'rule.arcLengthInvalid':
    'The length is missing or invalid, so the end of the record is unknown. Loupe reads up to the next record it can find.',
  'rule.arcLineEndOdd': 'The record line ends with CR LF instead of LF. No content is affected.',
  'rule.arcHttpMissing':
    'The record has an http URL but does not begin with an HTTP response header. It is shown as a file, and its status is unknown.',
  'rule.arcResultCodeWrong':
    'The status on the record line differs from the status of the HTTP response. Indexes use the status of the response.',
} as const
