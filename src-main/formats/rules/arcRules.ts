/** Rules of ARC files (Internet Archive, "Arc File Format", version 1.0 of 1996; 1.1 with XML in the first record,
 *  as Heritrix writes it; 2.0 with ten fields). The fields of ARC have no names, so an additional or missing one
 *  shifts all that follow. */
import type { RuleTable } from './rule.ts'

export const arcRules = {
  arcVersionBlockMissing: {
    severity: 'warning',
    clause: 'ARC 1.0, "The version block"',
    means:
      'The file does not begin with a version block (filedesc://), so the fields of its record lines are not declared. They are read as ARC 1.0.',
  },
  arcVersionBlockOdd: {
    severity: 'warning',
    clause: 'ARC 1.0, "The version block"',
    means:
      'The version block should have the version and the writer on its first line and the field names on the next. The record lines are read as ARC 1.0.',
  },
  arcVersionUnknown: {
    severity: 'warning',
    clause: 'ARC 1.0, "The version block"',
    means: 'The file declares an unknown version of ARC. Its record lines are read as ARC 1.0.',
  },
  arcFieldCount: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
    means:
      'The record line has more or fewer fields than this version of ARC defines. The URL is taken from the left end of the line and the length from the right end.',
  },
  arcUrlBlank: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
    means:
      'The URL contains spaces, which separate fields in ARC. Loupe reconstructs the URL; other software may lose the record.',
  },
  arcUrlLineEnd: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"; URL Standard, 4.4',
    means:
      'The URL contains a carriage return or a tab. Loupe removes them, as browsers do; other software may lose the record.',
  },
  arcUrlNotUtf8: {
    severity: 'note',
    clause: 'RFC 3986, 2.5',
    means:
      'The URL contains bytes that are not UTF-8, in an unknown character encoding. Each of them is percent-encoded, which is how browsers request such a URL.',
  },
  arcUrlInvalid: {
    severity: 'error',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'The URL field does not contain a URL, so the record cannot be found by URL.',
  },
  arcIpInvalid: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'The IP address of the server is invalid. The record can still be viewed.',
  },
  arcDateInvalid: {
    severity: 'error',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'The date cannot be parsed, so the record cannot be found by date and is not indexed.',
  },
  arcDateOdd: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
    means:
      'The date does not have 14 digits. Missing digits are set to their lowest values and extra digits are ignored.',
  },
  arcMediaTypeOdd: {
    severity: 'note',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'The content type field is not a media type. Loupe uses the Content-Type header of the response instead.',
  },
  arcLengthInvalid: {
    severity: 'error',
    clause: 'ARC 1.0, "The URL record definition"',
    means:
      'The length is missing or invalid, so the end of the record is unknown. Loupe reads up to the next record it can find.',
  },
  arcLineEndOdd: {
    severity: 'note',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'The record line ends with CR LF instead of LF. No content is affected.',
  },
  arcHttpMissing: {
    severity: 'warning',
    clause: 'ARC 1.0, "The network doc"',
    means:
      'The record has an http URL but does not begin with an HTTP response header. It is shown as a file, and its status is unknown.',
  },
  arcResultCodeWrong: {
    severity: 'warning',
    clause: 'ARC 2.0, "The URL record definition"',
    means:
      'The status on the record line differs from the status of the HTTP response. Indexes use the status of the response.',
  },
} as const satisfies RuleTable
