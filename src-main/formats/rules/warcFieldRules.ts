/** Rules of single WARC records: their named fields, their types, and references between records (ISO 28500: WARC
 *  1.1, clauses 5 to 7; check/warcFields.ts defines which field is allowed in which type). */
import type { RuleTable } from './rule.ts'

export const warcFieldRules = {
  typeMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.5',
  },
  typeUnknown: {
    severity: 'note',
    clause: 'WARC 1.1, 5.5 and 6.1',
  },
  recordIdMissing: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.2',
  },
  recordIdRepeated: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.2',
  },
  dateMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.4',
  },
  dateOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.4',
  },
  datePreciseTooEarly: {
    severity: 'warning',
    clause: 'WARC 1.0, 5.4',
  },
  dateInFuture: {
    severity: 'warning',
    clause: 'Loupe: a record is written before it is checked',
  },
  dateBeforeWeb: {
    severity: 'note',
    clause: 'Loupe: there were no Web pages before 1990',
  },
  targetMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.14',
  },
  targetNotUri: {
    severity: 'error',
    clause: 'WARC 1.1, 5.14',
  },
  targetWithBlanks: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.14; RFC 3986, 2',
  },
  targetNotEscaped: {
    severity: 'note',
    clause: 'WARC 1.1, 5.14; RFC 3986, 2',
  },
  fieldEmpty: {
    severity: 'warning',
    clause: 'WARC 1.1, 5',
  },
  fieldRepeated: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.1',
  },
  fieldContradicts: {
    severity: 'error',
    clause: 'WARC 1.1, 5.1',
  },
  fieldForbidden: {
    severity: 'warning',
    clause: 'WARC 1.1, 5 and 6',
  },
  refersToOutsideRevisit: {
    severity: 'note',
    clause: 'WARC 1.1, 5.12 and 5.13',
  },
  payloadDigestNeedless: {
    severity: 'note',
    clause: 'WARC 1.1, 5.9',
  },
  fieldDiscouraged: {
    severity: 'note',
    clause: 'WARC 1.1, 7',
  },
  fieldRecommended: {
    severity: 'note',
    clause: 'WARC 1.1, 6',
  },
  fieldLater: {
    severity: 'note',
    clause: 'WARC 1.1, 5.12 and 5.13',
  },
  fieldUnknown: {
    severity: 'note',
    clause: 'WARC 1.1, 5.1',
  },
  idMalformed: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.2',
  },
  uuidOdd: {
    severity: 'note',
    clause: 'RFC 9562, 4',
  },
  ipAddressInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.10',
  },
  mediaTypeInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.6',
  },
  uriInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
  },
  truncationUnknown: {
    severity: 'note',
    clause: 'WARC 1.1, 5.15',
  },
  recordTruncated: {
    severity: 'note',
    clause: 'WARC 1.1, 5.15',
  },
  contentTypeMissing: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.6',
  },
  contentTypeOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.3.2 and 6.5.2',
  },
  descriptionTypeOdd: {
    severity: 'note',
    clause: 'WARC 1.1, 6.2 and 6.6',
  },
  messageTypeContradicts: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.3.2 and 6.5.2',
  },
  concurrentToItself: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.7',
  },
  profileMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 6.7.1',
  },
  profileUnknown: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.18',
  },
  revisitDigestMissing: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.7.2',
  },
  revisitOriginUnnamed: {
    severity: 'note',
    clause: 'WARC 1.1, 6.7.2 and 6.7.3',
  },
  revisitUnresolvable: {
    severity: 'error',
    clause: 'WARC 1.1, 6.7.2',
  },
  revisitNotTruncated: {
    severity: 'note',
    clause: 'WARC 1.1, 6.7.2',
  },
  segmentNumberMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.20',
  },
  segmentNumberInvalid: {
    severity: 'error',
    clause: 'WARC 1.1, 5.20',
  },
  segmentOriginMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.21',
  },
  segmentTotalInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.22',
  },
  segmentTypeOdd: {
    severity: 'note',
    clause: 'WARC 1.1, 7',
  },
  segmentOutOfOrder: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.20 and 7',
  },
  segmentTargetDiffers: {
    severity: 'warning',
    clause: 'WARC 1.1, 7',
  },
  segmentTotalWrong: {
    severity: 'error',
    clause: 'WARC 1.1, 5.22',
  },
  segmentsIncomplete: {
    severity: 'note',
    clause: 'WARC 1.1, 5.22 and 7',
  },
  warcinfoNotFirst: {
    severity: 'note',
    clause: 'WARC 1.1, 5.5 and 6.2',
  },
  warcinfoElsewhere: {
    severity: 'note',
    clause: 'WARC 1.1, 5.16',
  },
  filenameDiffers: {
    severity: 'note',
    clause: 'WARC 1.1, 5.17',
  },
  responseHoldsRequest: {
    severity: 'error',
    clause: 'WARC 1.1, 6.3.2',
  },
  requestHoldsResponse: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.5.2',
  },
  responseWithoutHttp: {
    severity: 'error',
    clause: 'WARC 1.1, 6.3.2',
  },
  requestWithoutHttp: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.5.2',
  },
} as const satisfies RuleTable
