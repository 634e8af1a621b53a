/** Rules of ARC files (Internet Archive, "Arc File Format", version 1.0 of 1996; 1.1 with XML in the first record, as
 *  Heritrix writes it; 2.0 with ten fields). ARC has no fields with names, so a wrong one shifts all that follow it. */
import type { RuleTable } from './rule.ts'

export const arcRules = {
  arcVersionBlockMissing: {
    severity: 'warning',
    clause: 'ARC 1.0, "The version block"',
    means:
      'The file does not begin with its version block (filedesc://), so nobody wrote down which fields its lines have. They are read as ARC 1.0.',
  },
  arcVersionBlockOdd: {
    severity: 'warning',
    clause: 'ARC 1.0, "The version block"',
    means:
      'The version block is not the version with the writer in one line and the names of the fields in the next. The lines are read as ARC 1.0.',
  },
  arcVersionUnknown: {
    severity: 'warning',
    clause: 'ARC 1.0, "The version block"',
    means: 'The file names a version of ARC that is not known. Its lines are read as those of ARC 1.0.',
  },
  arcFieldCount: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
    means:
      'The line of the record has more or fewer fields than the version of the file says. The URL is taken from its left end and the length from its right.',
  },
  arcUrlBlank: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
    means:
      'The URL has blanks in it, which are what parts the fields. It is put together again here; other readers may lose the record.',
  },
  arcUrlLineEnd: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"; URL Standard, 4.4',
    means:
      'The URL has a carriage return or a tab in it. It is read without them, as browsers read it; other readers may lose the record.',
  },
  arcUrlNotUtf8: {
    severity: 'note',
    clause: 'RFC 3986, 2.5',
    means:
      'The URL has bytes that are not UTF-8, in the charset of a page that nobody wrote down. Each is read as its percent-encoding, which is what browsers ask for.',
  },
  arcUrlInvalid: {
    severity: 'error',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'What stands in the place of the URL is none, so the record cannot be found by its address.',
  },
  arcIpInvalid: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'The address of the server is not an IP address. The record is shown all the same.',
  },
  arcDateInvalid: {
    severity: 'error',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'The date cannot be read, so the record cannot be found by time and is not indexed.',
  },
  arcDateOdd: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'The date does not have 14 digits. What is left out counts as the least, what is too much is cut off.',
  },
  arcMediaTypeOdd: {
    severity: 'note',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'What stands in the place of the content type is none. The head of the answer itself says it better.',
  },
  arcLengthInvalid: {
    severity: 'error',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'Without a length nobody knows where the record ends. It is read up to the next one that can be found.',
  },
  arcLineEndOdd: {
    severity: 'note',
    clause: 'ARC 1.0, "The URL record definition"',
    means: 'The line of the record ends with CR LF instead of LF. It is read all the same.',
  },
  arcHttpMissing: {
    severity: 'warning',
    clause: 'ARC 1.0, "The network doc"',
    means:
      'The record of an http address does not begin with the head of an answer. It is shown as a file, and its status is not known.',
  },
  arcResultCodeWrong: {
    severity: 'warning',
    clause: 'ARC 2.0, "The URL record definition"',
    means: 'The line of the record has another status than the answer in it. Indexes take that of the answer.',
  },
} as const satisfies RuleTable
