/** What the rules about the fields of WARC records mean for the owner of a file, and what to do. */
export const warcFieldRuleWords = {
  'rule.typeMissing': 'The record does not state its type, so readers skip it. Its content is still in the file.',
  'rule.typeUnknown':
    'The type is not one of the eight that the standard defines. Readers skip such records, as the standard requires.',
  'rule.recordIdMissing':
    'Nothing can refer to the record, so its requests, metadata and revisits cannot be linked to it.',
  'rule.recordIdRepeated':
    'Two records in the file have the same WARC-Record-ID, so references to it are ambiguous. The same record may have been written twice.',
  'rule.dateMissing': 'Without a date the record cannot be found by date and is not indexed.',
  'rule.dateOdd':
    'The date can be parsed but does not have the form that the standard requires, so other software may interpret it differently.',
  'rule.datePreciseTooEarly':
    'WARC 1.0 allows dates to the second only; WARC 1.1 allows any precision. Old software may reject or cut this date.',
  'rule.dateInFuture':
    'The date is in the future. The clock of the writer was wrong, or the clock of this computer is.',
  'rule.dateBeforeWeb':
    'The date is older than the Web. It may come from a file date or from a clock that was not set.',
  'rule.targetMissing': 'The record does not state its URL, so it cannot be found and is not indexed.',
  'rule.targetNotUri': 'The URL has no scheme, so it cannot be requested.',
  'rule.targetWithBlanks': 'URIs must not contain spaces, which separate the fields of an index. Loupe escapes them.',
  'rule.targetNotEscaped':
    'The URL contains characters that RFC 3986 requires to be escaped. Browsers accept them, and the record can be found.',
  'rule.fieldEmpty': 'The field has no value. It is treated as absent.',
  'rule.fieldRepeated': 'The field is repeated with the same value, which is allowed only for WARC-Concurrent-To.',
  'rule.fieldContradicts':
    'The field is repeated with different values. Loupe uses the first one; other software may not.',
  'rule.fieldForbidden': 'The field is not allowed in a record of this type. It is ignored.',
  'rule.refersToOutsideRevisit':
    'The standard allows the URL and date of another record only in revisits. Scoop uses them to link its attachments to a record.',
  'rule.payloadDigestNeedless':
    'A warcinfo or metadata record has no payload, so the block digest is enough. warcio writes both.',
  'rule.fieldDiscouraged': 'A continuation takes its fields from the first segment. This field is not needed here.',
  'rule.fieldRecommended': 'The standard recommends a field that is missing here. No content is affected.',
  'rule.fieldLater': 'The field was introduced in a later version of WARC than that of the record. Readers accept it.',
  'rule.fieldUnknown': 'The field is neither in the standard nor in a known extension. It is kept and shown.',
  'rule.idMalformed':
    'A record ID should be a URI between < and >, without spaces. Other software may not find the record it refers to.',
  'rule.uuidOdd': 'The ID declares itself a UUID but is not a valid one. It still identifies the record.',
  'rule.ipAddressInvalid': 'The value is not an IP address, so the server that responded is unknown.',
  'rule.mediaTypeInvalid': 'The media type does not have the form type/subtype. Readers guess the format of the block.',
  'rule.uriInvalid': 'The value should be a URI but is not. What it refers to cannot be found through it.',
  'rule.truncationUnknown':
    'The reason for the truncation is not one the standard defines. The record is treated as truncated.',
  'rule.recordTruncated':
    'The writer kept only a part of the content, as the record states. Harvest the page again if you need the rest.',
  'rule.contentTypeMissing':
    'The record does not state the format of its block. Software that guesses may show an HTTP header as text.',
  'rule.contentTypeOdd':
    'Records of http URLs should have the content type application/http. This record has another one, so it has no status and is shown as a file.',
  'rule.descriptionTypeOdd':
    'A warcinfo record usually has the content type application/warc-fields. This one has another type and is kept as it is.',
  'rule.messageTypeContradicts':
    'The msgtype parameter of Content-Type contradicts the record type. Loupe uses the record type.',
  'rule.concurrentToItself': 'WARC-Concurrent-To refers to the record itself, which has no meaning.',
  'rule.profileMissing':
    'A revisit without a profile does not state how it relates to the original. Readers must not interpret it.',
  'rule.profileUnknown': 'The profile of the revisit is unknown. Readers that follow the standard ignore the record.',
  'rule.revisitDigestMissing':
    'A revisit of an identical payload should state the payload digest. Without it the original can be found by URL only.',
  'rule.revisitOriginUnnamed':
    'The revisit does not state its original (WARC-Refers-To, or WARC-Refers-To-Target-URI with WARC-Refers-To-Date). Loupe looks for it by digest or URL.',
  'rule.revisitUnresolvable': 'The revisit states neither its original nor its digest, so its content cannot be shown.',
  'rule.revisitNotTruncated':
    'A revisit without its payload should have WARC-Truncated: length. Most writers omit it, and readers do not need it.',
  'rule.segmentNumberMissing':
    'A continuation without a segment number has no place in its series, so the record cannot be reassembled.',
  'rule.segmentNumberInvalid':
    'The first segment has the number 1, and each continuation is one higher. The record cannot be reassembled with this number.',
  'rule.segmentOriginMissing': 'A continuation that does not state the ID of the first segment cannot be joined to it.',
  'rule.segmentTotalInvalid': 'The total length is not a number, so missing segments cannot be detected.',
  'rule.segmentTypeOdd': 'The standard advises against splitting records of this type. The record is read.',
  'rule.segmentOutOfOrder':
    'The number of this segment does not follow that of the previous one in the file. A segment may be missing, or be in another file.',
  'rule.segmentTargetDiffers':
    'All segments of a record should have the same URL. This one may belong to another record.',
  'rule.segmentTotalWrong':
    'The total length of the segments differs from the length that the last one states. Bytes are missing or duplicated.',
  'rule.segmentsIncomplete':
    'The series of segments does not end in this file. Keep the file that continues it together with this one.',
  'rule.warcinfoNotFirst':
    'The file does not begin with a warcinfo record, so it does not state how and by which software it was written.',
  'rule.warcinfoElsewhere':
    'Records refer to a warcinfo record that does not precede them in this file. Keep the file that contains it together with this one.',
  'rule.filenameDiffers':
    'The file was renamed after it was written. References that use the old name cannot be resolved.',
  'rule.responseHoldsRequest':
    'The response record contains an HTTP request instead of a response. It cannot be shown; check whether its request record contains the response.',
  'rule.requestHoldsResponse':
    'The request record contains an HTTP response. The request is unknown, and the response cannot be found in a request record.',
  'rule.responseWithoutHttp':
    'The response record declares an HTTP message, but its block does not begin like one. It cannot be shown.',
  'rule.requestWithoutHttp': 'The request record declares an HTTP message, but its block does not begin like one.',
} as const
