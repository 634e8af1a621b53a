/** Rules of single WARC records: their named fields, their types, and references between records (ISO 28500: WARC
 *  1.1, clauses 5 to 7; check/warcFields.ts defines which field is allowed in which type). */
import type { RuleTable } from './rule.ts'

export const warcFieldRules = {
  typeMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.5',
    means: 'The record does not state its type, so readers skip it. Its content is still in the file.',
  },
  typeUnknown: {
    severity: 'note',
    clause: 'WARC 1.1, 5.5 and 6.1',
    means:
      'The type is not one of the eight that the standard defines. Readers skip such records, as the standard requires.',
  },
  recordIdMissing: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.2',
    means: 'Nothing can refer to the record, so its requests, metadata and revisits cannot be linked to it.',
  },
  recordIdRepeated: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.2',
    means:
      'Two records in the file have the same WARC-Record-ID, so references to it are ambiguous. The same record may have been written twice.',
  },
  dateMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.4',
    means: 'Without a date the record cannot be found by date and is not indexed.',
  },
  dateOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.4',
    means:
      'The date can be parsed but does not have the form that the standard requires, so other software may interpret it differently.',
  },
  datePreciseTooEarly: {
    severity: 'warning',
    clause: 'WARC 1.0, 5.4',
    means:
      'WARC 1.0 allows dates to the second only; WARC 1.1 allows any precision. Old software may reject or cut this date.',
  },
  dateInFuture: {
    severity: 'warning',
    clause: 'Loupe: a record is written before it is checked',
    means: 'The date is in the future. The clock of the writer was wrong, or the clock of this computer is.',
  },
  dateBeforeWeb: {
    severity: 'note',
    clause: 'Loupe: there were no Web pages before 1990',
    means: 'The date is older than the Web. It may come from a file date or from a clock that was not set.',
  },
  targetMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.14',
    means: 'The record does not state its URL, so it cannot be found and is not indexed.',
  },
  targetNotUri: {
    severity: 'error',
    clause: 'WARC 1.1, 5.14',
    means: 'The URL has no scheme, so it cannot be requested.',
  },
  targetWithBlanks: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.14; RFC 3986, 2',
    means: 'URIs must not contain spaces, which separate the fields of an index. Loupe escapes them.',
  },
  targetNotEscaped: {
    severity: 'note',
    clause: 'WARC 1.1, 5.14; RFC 3986, 2',
    means:
      'The URL contains characters that RFC 3986 requires to be escaped. Browsers accept them, and the record can be found.',
  },
  fieldEmpty: {
    severity: 'warning',
    clause: 'WARC 1.1, 5',
    means: 'The field has no value. It is treated as absent.',
  },
  fieldRepeated: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.1',
    means: 'The field is repeated with the same value, which is allowed only for WARC-Concurrent-To.',
  },
  fieldContradicts: {
    severity: 'error',
    clause: 'WARC 1.1, 5.1',
    means: 'The field is repeated with different values. Loupe uses the first one; other software may not.',
  },
  fieldForbidden: {
    severity: 'warning',
    clause: 'WARC 1.1, 5 and 6',
    means: 'The field is not allowed in a record of this type. It is ignored.',
  },
  refersToOutsideRevisit: {
    severity: 'note',
    clause: 'WARC 1.1, 5.12 and 5.13',
    means:
      'The standard allows the URL and date of another record only in revisits. Scoop uses them to link its attachments to a record.',
  },
  payloadDigestNeedless: {
    severity: 'note',
    clause: 'WARC 1.1, 5.9',
    means: 'A warcinfo or metadata record has no payload, so the block digest is enough. warcio writes both.',
  },
  fieldDiscouraged: {
    severity: 'note',
    clause: 'WARC 1.1, 7',
    means: 'A continuation takes its fields from the first segment. This field is not needed here.',
  },
  fieldRecommended: {
    severity: 'note',
    clause: 'WARC 1.1, 6',
    means: 'The standard recommends a field that is missing here. No content is affected.',
  },
  fieldLater: {
    severity: 'note',
    clause: 'WARC 1.1, 5.12 and 5.13',
    means: 'The field was introduced in a later version of WARC than that of the record. Readers accept it.',
  },
  fieldUnknown: {
    severity: 'note',
    clause: 'WARC 1.1, 5.1',
    means: 'The field is neither in the standard nor in a known extension. It is kept and shown.',
  },
  idMalformed: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.2',
    means:
      'A record ID should be a URI between < and >, without spaces. Other software may not find the record it refers to.',
  },
  uuidOdd: {
    severity: 'note',
    clause: 'RFC 9562, 4',
    means: 'The ID declares itself a UUID but is not a valid one. It still identifies the record.',
  },
  ipAddressInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.10',
    means: 'The value is not an IP address, so the server that responded is unknown.',
  },
  mediaTypeInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.6',
    means: 'The media type does not have the form type/subtype. Readers guess the format of the block.',
  },
  uriInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
    means: 'The value should be a URI but is not. What it refers to cannot be found through it.',
  },
  truncationUnknown: {
    severity: 'note',
    clause: 'WARC 1.1, 5.15',
    means: 'The reason for the truncation is not one the standard defines. The record is treated as truncated.',
  },
  recordTruncated: {
    severity: 'note',
    clause: 'WARC 1.1, 5.15',
    means:
      'The writer kept only a part of the content, as the record states. Harvest the page again if you need the rest.',
  },
  contentTypeMissing: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.6',
    means: 'The record does not state the format of its block. Software that guesses may show an HTTP header as text.',
  },
  contentTypeOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.3.2 and 6.5.2',
    means:
      'Records of http URLs should have the content type application/http. This record has another one, so it has no status and is shown as a file.',
  },
  descriptionTypeOdd: {
    severity: 'note',
    clause: 'WARC 1.1, 6.2 and 6.6',
    means:
      'A warcinfo record usually has the content type application/warc-fields. This one has another type and is kept as it is.',
  },
  messageTypeContradicts: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.3.2 and 6.5.2',
    means: 'The msgtype parameter of Content-Type contradicts the record type. Loupe uses the record type.',
  },
  concurrentToItself: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.7',
    means: 'WARC-Concurrent-To refers to the record itself, which has no meaning.',
  },
  profileMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 6.7.1',
    means: 'A revisit without a profile does not state how it relates to the original. Readers must not interpret it.',
  },
  profileUnknown: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.18',
    means: 'The profile of the revisit is unknown. Readers that follow the standard ignore the record.',
  },
  revisitDigestMissing: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.7.2',
    means:
      'A revisit of an identical payload should state the payload digest. Without it the original can be found by URL only.',
  },
  revisitOriginUnnamed: {
    severity: 'note',
    clause: 'WARC 1.1, 6.7.2 and 6.7.3',
    means:
      'The revisit does not state its original (WARC-Refers-To, or WARC-Refers-To-Target-URI with WARC-Refers-To-Date). Loupe looks for it by digest or URL.',
  },
  revisitUnresolvable: {
    severity: 'error',
    clause: 'WARC 1.1, 6.7.2',
    means: 'The revisit states neither its original nor its digest, so its content cannot be shown.',
  },
  revisitNotTruncated: {
    severity: 'note',
    clause: 'WARC 1.1, 6.7.2',
    means:
      'A revisit without its payload should have WARC-Truncated: length. Most writers omit it, and readers do not need it.',
  },
  segmentNumberMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.20',
    means: 'A continuation without a segment number has no place in its series, so the record cannot be reassembled.',
  },
  segmentNumberInvalid: {
    severity: 'error',
    clause: 'WARC 1.1, 5.20',
    means:
      'The first segment has the number 1, and each continuation is one higher. The record cannot be reassembled with this number.',
  },
  segmentOriginMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.21',
    means: 'A continuation that does not state the ID of the first segment cannot be joined to it.',
  },
  segmentTotalInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.22',
    means: 'The total length is not a number, so missing segments cannot be detected.',
  },
  segmentTypeOdd: {
    severity: 'note',
    clause: 'WARC 1.1, 7',
    means: 'The standard advises against splitting records of this type. The record is read.',
  },
  segmentOutOfOrder: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.20 and 7',
    means:
      'The number of this segment does not follow that of the previous one in the file. A segment may be missing, or be in another file.',
  },
  segmentTargetDiffers: {
    severity: 'warning',
    clause: 'WARC 1.1, 7',
    means: 'All segments of a record should have the same URL. This one may belong to another record.',
  },
  segmentTotalWrong: {
    severity: 'error',
    clause: 'WARC 1.1, 5.22',
    means:
      'The total length of the segments differs from the length that the last one states. Bytes are missing or duplicated.',
  },
  segmentsIncomplete: {
    severity: 'note',
    clause: 'WARC 1.1, 5.22 and 7',
    means: 'The series of segments does not end in this file. Keep the file that continues it together with this one.',
  },
  warcinfoNotFirst: {
    severity: 'note',
    clause: 'WARC 1.1, 5.5 and 6.2',
    means:
      'The file does not begin with a warcinfo record, so it does not state how and by which software it was written.',
  },
  warcinfoElsewhere: {
    severity: 'note',
    clause: 'WARC 1.1, 5.16',
    means:
      'Records refer to a warcinfo record that does not precede them in this file. Keep the file that contains it together with this one.',
  },
  filenameDiffers: {
    severity: 'note',
    clause: 'WARC 1.1, 5.17',
    means: 'The file was renamed after it was written. References that use the old name cannot be resolved.',
  },
  responseHoldsRequest: {
    severity: 'error',
    clause: 'WARC 1.1, 6.3.2',
    means:
      'The response record contains an HTTP request instead of a response. It cannot be shown; check whether its request record contains the response.',
  },
  requestHoldsResponse: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.5.2',
    means:
      'The request record contains an HTTP response. The request is unknown, and the response cannot be found in a request record.',
  },
  responseWithoutHttp: {
    severity: 'error',
    clause: 'WARC 1.1, 6.3.2',
    means: 'The response record declares an HTTP message, but its block does not begin like one. It cannot be shown.',
  },
  requestWithoutHttp: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.5.2',
    means: 'The request record declares an HTTP message, but its block does not begin like one.',
  },
} as const satisfies RuleTable
