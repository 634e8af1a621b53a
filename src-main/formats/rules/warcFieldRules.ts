/** Rules of WARC records one by one: their named fields, their types, and what the fields of one record say of another
 *  (ISO 28500: WARC 1.1, clauses 5 to 7; which field may stand in which type is the table check/warcFields.ts). */
import type { RuleTable } from './rule.ts'

export const warcFieldRules = {
  typeMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.5',
    means: 'The record does not say what it is, so readers pass over it. What it holds is still in the file.',
  },
  typeUnknown: {
    severity: 'note',
    clause: 'WARC 1.1, 5.5 and 6.1',
    means: 'The type is not one of the eight of the standard. Readers pass over such records, as the standard asks.',
  },
  recordIdMissing: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.2',
    means: 'Nothing can refer to the record, so requests, metadata and revisits of it are not found through it.',
  },
  recordIdRepeated: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.2',
    means:
      'Two records of the file have the same WARC-Record-ID, so nobody knows which of them a reference means. The same record may have been written twice.',
  },
  dateMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.4',
    means: 'Without a date the record cannot be found by time and is not indexed.',
  },
  dateOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.4',
    means: 'The date can be read, but not in the form of the standard, so other readers may take another moment.',
  },
  datePreciseTooEarly: {
    severity: 'warning',
    clause: 'WARC 1.0, 5.4',
    means:
      'WARC 1.0 has dates to the second only; WARC 1.1 allows any precision. Old readers may refuse or cut this one.',
  },
  dateInFuture: {
    severity: 'warning',
    clause: 'Loupe: a record is written before it is checked',
    means: 'The record claims to be of a day that has not come. The clock of the writer was wrong, or this one is.',
  },
  dateBeforeWeb: {
    severity: 'note',
    clause: 'Loupe: there were no Web pages before 1990',
    means: 'The date is older than the Web: of a file, perhaps, or of a clock that was not set.',
  },
  targetMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.14',
    means: 'The record does not say which address it is of, so it cannot be found and is not indexed.',
  },
  targetNotUri: {
    severity: 'error',
    clause: 'WARC 1.1, 5.14',
    means: 'The address is no URI (it has no scheme), so nobody can ask for it.',
  },
  targetWithBlanks: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.14; RFC 3986, 2',
    means: 'A blank may not stand in a URI. Indexes part their fields by blanks; here the address is escaped for them.',
  },
  targetNotEscaped: {
    severity: 'note',
    clause: 'WARC 1.1, 5.14; RFC 3986, 2',
    means: 'The address has characters that RFC 3986 wants escaped and browsers do not mind. It is found all the same.',
  },
  fieldEmpty: {
    severity: 'warning',
    clause: 'WARC 1.1, 5',
    means: 'The field is there, and nothing in it. It counts as if it were not.',
  },
  fieldRepeated: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.1',
    means: 'The field stands there several times with the same value, which only WARC-Concurrent-To may.',
  },
  fieldContradicts: {
    severity: 'error',
    clause: 'WARC 1.1, 5.1',
    means: 'The field stands there several times with different values. The first one is taken; other readers may not.',
  },
  fieldForbidden: {
    severity: 'warning',
    clause: 'WARC 1.1, 5 and 6',
    means: 'The field may not stand in a record of this type. It is ignored.',
  },
  refersToOutsideRevisit: {
    severity: 'note',
    clause: 'WARC 1.1, 5.12 and 5.13',
    means:
      'The standard has the address and the date of another record in revisits only. Scoop names in them what its own attachments belong to.',
  },
  payloadDigestNeedless: {
    severity: 'note',
    clause: 'WARC 1.1, 5.9',
    means: 'A warcinfo or metadata record has no payload, so its block digest says all. warcio writes both.',
  },
  fieldDiscouraged: {
    severity: 'note',
    clause: 'WARC 1.1, 7',
    means: 'A segment goes on with the first one, whose fields count. This one is not needed here.',
  },
  fieldRecommended: {
    severity: 'note',
    clause: 'WARC 1.1, 6',
    means: 'The standard recommends a field here that is not there. Nothing is lost but what it would have said.',
  },
  fieldLater: {
    severity: 'note',
    clause: 'WARC 1.1, 5.12 and 5.13',
    means: 'The field is of a later version of WARC than the record. Readers understand it all the same.',
  },
  fieldUnknown: {
    severity: 'note',
    clause: 'WARC 1.1, 5.1',
    means: 'The field is neither of the standard nor of an extension known here. It is kept and shown.',
  },
  idMalformed: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.2',
    means:
      'The identifier of a record is a URI between < and >, without blanks. Others may not find what it refers to.',
  },
  uuidOdd: {
    severity: 'note',
    clause: 'RFC 9562, 4',
    means: 'The identifier calls itself a UUID and is none. It identifies the record all the same.',
  },
  ipAddressInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.10',
    means: 'What stands there is not an IP address, so it is not known which server answered.',
  },
  mediaTypeInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.6',
    means: 'The media type is not of the form type/subtype. Readers guess what the block is.',
  },
  uriInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
    means: 'The field should hold a URI, and this is none. What it refers to is not found through it.',
  },
  truncationUnknown: {
    severity: 'note',
    clause: 'WARC 1.1, 5.15',
    means: 'The record is truncated for a reason that is not of the standard. It counts as truncated.',
  },
  recordTruncated: {
    severity: 'note',
    clause: 'WARC 1.1, 5.15',
    means: 'The writer did not keep all of it, and says so. Harvest the page again where the rest is wanted.',
  },
  contentTypeMissing: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.6',
    means:
      'The record does not say what its block is. Readers guess: one shows an HTTP head as text, another does not.',
  },
  contentTypeOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.3.2 and 6.5.2',
    means:
      'The block of an http address should be application/http. It is taken as it says, so it has no status and is shown as a file.',
  },
  descriptionTypeOdd: {
    severity: 'note',
    clause: 'WARC 1.1, 6.2 and 6.6',
    means:
      'A description of the file is usually application/warc-fields. This one is of another type and is kept as it is.',
  },
  messageTypeContradicts: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.3.2 and 6.5.2',
    means: 'The msgtype of the Content-Type does not fit the type of the record. The type of the record is believed.',
  },
  concurrentToItself: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.7',
    means: 'The record names itself as one that was made together with it, which says nothing.',
  },
  profileMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 6.7.1',
    means: 'A revisit without a profile does not say how it stands to what it repeats. Readers may not interpret it.',
  },
  profileUnknown: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.18',
    means: 'The profile of the revisit is not known. Readers that obey the standard leave the record alone.',
  },
  revisitDigestMissing: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.7.2',
    means:
      'A revisit with an identical payload names its digest. Without it the original is found by its address only.',
  },
  revisitOriginUnnamed: {
    severity: 'note',
    clause: 'WARC 1.1, 6.7.2 and 6.7.3',
    means:
      'The revisit does not say where its original is (WARC-Refers-To, or -Target-URI with -Date). It is looked for by digest or address.',
  },
  revisitUnresolvable: {
    severity: 'error',
    clause: 'WARC 1.1, 6.7.2',
    means: 'The revisit names neither its original nor its digest, so what was seen cannot be shown.',
  },
  revisitNotTruncated: {
    severity: 'note',
    clause: 'WARC 1.1, 6.7.2',
    means:
      'A revisit that leaves the payload off says so by WARC-Truncated: length. Most writers do not, and readers do not ask.',
  },
  segmentNumberMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.20',
    means: 'A continuation without its number has no place in its series, so the whole cannot be put together.',
  },
  segmentNumberInvalid: {
    severity: 'error',
    clause: 'WARC 1.1, 5.20',
    means:
      'The first segment has the number 1, each continuation one more. The whole cannot be put together like this.',
  },
  segmentOriginMissing: {
    severity: 'error',
    clause: 'WARC 1.1, 5.21',
    means: 'A continuation that does not name the record it continues cannot be put to it.',
  },
  segmentTotalInvalid: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.22',
    means: 'The length of the whole is not a number, so nobody can tell whether all segments are there.',
  },
  segmentTypeOdd: {
    severity: 'note',
    clause: 'WARC 1.1, 7',
    means: 'Records of this type are better not cut into segments. It is read all the same.',
  },
  segmentOutOfOrder: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.20 and 7',
    means:
      'Between this segment and the one before it in the file there is another number than one. A segment may be missing, or be in another file.',
  },
  segmentTargetDiffers: {
    severity: 'warning',
    clause: 'WARC 1.1, 7',
    means: 'All segments of a record have the same address. One of these belongs elsewhere, perhaps.',
  },
  segmentTotalWrong: {
    severity: 'error',
    clause: 'WARC 1.1, 5.22',
    means: 'The segments together are not as long as the last one says. Bytes are missing or doubled.',
  },
  segmentsIncomplete: {
    severity: 'note',
    clause: 'WARC 1.1, 5.22 and 7',
    means: 'The series of segments does not end in this file. Keep the file that follows it together with this one.',
  },
  warcinfoNotFirst: {
    severity: 'note',
    clause: 'WARC 1.1, 5.5 and 6.2',
    means: 'The file does not begin with a warcinfo record, so it does not say who made it and how.',
  },
  warcinfoElsewhere: {
    severity: 'note',
    clause: 'WARC 1.1, 5.16',
    means:
      'Records name a warcinfo record that is not before them in this file. Keep the file where it is together with it.',
  },
  filenameDiffers: {
    severity: 'note',
    clause: 'WARC 1.1, 5.17',
    means: 'The file was given another name than it was written with. References by the old name lead nowhere.',
  },
  responseHoldsRequest: {
    severity: 'error',
    clause: 'WARC 1.1, 6.3.2',
    means:
      'The response holds what was asked, not what was answered. It cannot be shown; see whether its request has it.',
  },
  requestHoldsResponse: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.5.2',
    means: 'The request holds an answer. What was asked is not known, and the answer is not found in a request.',
  },
  responseWithoutHttp: {
    severity: 'error',
    clause: 'WARC 1.1, 6.3.2',
    means: 'The response says that it is an HTTP message, and its block does not begin as one. It cannot be shown.',
  },
  requestWithoutHttp: {
    severity: 'warning',
    clause: 'WARC 1.1, 6.5.2',
    means: 'The request says that it is an HTTP message, and its block does not begin as one.',
  },
} as const satisfies RuleTable
