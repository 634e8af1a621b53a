/** Table of the named fields of WARC: what each contains, in which types of records it must, should, may or must not
 *  occur, and which rule is broken otherwise (ISO 28500: WARC 1.1, clauses 5.2 to 5.22; WARC 1.0 and the drafts 0.16
 *  to 0.18 have the same fields except the two with `since: '1.1'`, and dates only to the second). The form of
 *  values is checked in fieldValues.ts, relations between fields in checkHeader.ts. */
import type { RecordType } from '../records/warcWriter.ts'
import type { RuleName } from '../rules/rules.ts'

/** Kind of a value. `length` and `digest` are checked where they are used: by the reader and by blockDigests.ts. */
export type ValueKind =
  | 'recordId'
  | 'recordType'
  | 'length'
  | 'date'
  | 'mediaType'
  | 'digest'
  | 'ipAddress'
  | 'uri'
  | 'targetUri'
  | 'reason'
  | 'profile'
  | 'segmentNumber'
  | 'segmentTotal'
  | 'text'

/** How the standard wants a field in a type of record: `must` and `mustNot` are its "shall" and "shall not". */
export type Use = 'must' | 'should' | 'may' | 'shouldNot' | 'mustNot'

/** Definition of a field. */
export interface WarcField {
  /** Name in the spelling of the standard. Names are compared without regard to case. */
  name: string
  /** Clause of WARC 1.1 that defines the field. */
  clause: string
  kind: ValueKind
  /** Whether the field may occur more than once in a record; only WARC-Concurrent-To may (WARC 1.1, 4). */
  repeatable?: true
  /** Version that introduced the field; absent: it is in all versions. */
  since?: '1.1'
  /** Use in a record of each type; `other` are the types of extensions. */
  use: Readonly<Record<RecordType | 'other', Use>>
  /** Rule that is broken when the field must or should occur and is missing. */
  missing?: RuleName
  /** Rule that is broken when the field must not occur and does; `fieldForbidden` by default. */
  forbidden?: RuleName
  /** Rule that is broken by a value that is not of its kind. */
  malformed?: RuleName
}

/** The record types of WARC 1.1. */
export const recordTypes: readonly RecordType[] = [
  'warcinfo',
  'response',
  'resource',
  'request',
  'metadata',
  'revisit',
  'conversion',
  'continuation',
]

type Uses = WarcField['use']

/** Returns a table with one use for all types except the given ones. */
function everywhere(use: Use, but: Partial<Uses> = {}): Uses {
  const all: Uses = {
    warcinfo: use,
    response: use,
    resource: use,
    request: use,
    metadata: use,
    revisit: use,
    conversion: use,
    continuation: use,
    other: use,
  }
  return { ...all, ...but }
}

/** Returns a table that forbids the field in all types except the given ones. The standard does not cover the types
 *  of extensions. */
function only(where: Partial<Uses>): Uses {
  return everywhere('mustNot', { other: 'may', ...where })
}

/** Types in which fields about one capture event must not occur. */
const notOnThese: Partial<Uses> = { warcinfo: 'mustNot', conversion: 'mustNot', continuation: 'mustNot' }
/** WARC 1.1, 4: warcinfo and metadata have no payload. */
const notWithoutPayload: Partial<Uses> = { warcinfo: 'mustNot', metadata: 'mustNot' }

/** The fields of WARC 1.1, in the order of its clauses. */
export const warcFields: readonly WarcField[] = [
  {
    name: 'WARC-Record-ID',
    clause: '5.2',
    kind: 'recordId',
    use: everywhere('must'),
    missing: 'recordIdMissing',
    malformed: 'idMalformed',
  },
  // A missing or invalid length is reported by the reader as `lengthInvalid`.
  { name: 'Content-Length', clause: '5.3', kind: 'length', use: everywhere('must') },
  {
    name: 'WARC-Date',
    clause: '5.4',
    kind: 'date',
    use: everywhere('must'),
    missing: 'dateMissing',
    malformed: 'dateInvalid',
  },
  { name: 'WARC-Type', clause: '5.5', kind: 'recordType', use: everywhere('must'), missing: 'typeMissing' },
  {
    // Not required when the block is empty (checkHeader.ts).
    name: 'Content-Type',
    clause: '5.6',
    kind: 'mediaType',
    use: everywhere('should', { continuation: 'shouldNot', other: 'may' }),
    missing: 'contentTypeMissing',
    malformed: 'mediaTypeInvalid',
  },
  {
    name: 'WARC-Concurrent-To',
    clause: '5.7',
    kind: 'recordId',
    repeatable: true,
    use: everywhere('may', notOnThese),
    malformed: 'idMalformed',
  },
  { name: 'WARC-Block-Digest', clause: '5.8', kind: 'digest', use: everywhere('may') },
  {
    name: 'WARC-Payload-Digest',
    clause: '5.9',
    kind: 'digest',
    use: everywhere('may', notWithoutPayload),
    forbidden: 'payloadDigestNeedless',
  },
  {
    // Recommended for content transferred by HTTP (6.3.2, 6.5.2; checkHeader.ts).
    name: 'WARC-IP-Address',
    clause: '5.10',
    kind: 'ipAddress',
    use: everywhere('may', { ...notOnThese, response: 'should', request: 'should' }),
    missing: 'fieldRecommended',
    malformed: 'ipAddressInvalid',
  },
  {
    // For a revisit, `revisitOriginUnnamed` requires it, or other fields instead.
    name: 'WARC-Refers-To',
    clause: '5.11',
    kind: 'recordId',
    use: only({ metadata: 'may', revisit: 'may', conversion: 'should' }),
    missing: 'fieldRecommended',
    malformed: 'idMalformed',
  },
  {
    name: 'WARC-Refers-To-Target-URI',
    clause: '5.12',
    kind: 'uri',
    since: '1.1',
    use: only({ revisit: 'may' }),
    forbidden: 'refersToOutsideRevisit',
    malformed: 'uriInvalid',
  },
  {
    name: 'WARC-Refers-To-Date',
    clause: '5.13',
    kind: 'date',
    since: '1.1',
    use: only({ revisit: 'may' }),
    forbidden: 'refersToOutsideRevisit',
    malformed: 'dateOdd',
  },
  {
    name: 'WARC-Target-URI',
    clause: '5.14',
    kind: 'targetUri',
    use: everywhere('must', { warcinfo: 'mustNot', metadata: 'may', other: 'may' }),
    missing: 'targetMissing',
    malformed: 'targetNotUri',
  },
  { name: 'WARC-Truncated', clause: '5.15', kind: 'reason', use: everywhere('may'), malformed: 'truncationUnknown' },
  {
    name: 'WARC-Warcinfo-ID',
    clause: '5.16',
    kind: 'recordId',
    use: everywhere('may', { warcinfo: 'mustNot' }),
    malformed: 'idMalformed',
  },
  { name: 'WARC-Filename', clause: '5.17', kind: 'text', use: only({ warcinfo: 'may' }) },
  {
    // The standard says "undefined for other record types", neither allowing nor forbidding it there.
    name: 'WARC-Profile',
    clause: '5.18',
    kind: 'profile',
    use: everywhere('may', { revisit: 'must' }),
    missing: 'profileMissing',
    malformed: 'uriInvalid',
  },
  {
    name: 'WARC-Identified-Payload-Type',
    clause: '5.19',
    kind: 'mediaType',
    use: everywhere('may', { ...notWithoutPayload, continuation: 'shouldNot' }),
    malformed: 'mediaTypeInvalid',
  },
  {
    name: 'WARC-Segment-Number',
    clause: '5.20',
    kind: 'segmentNumber',
    use: everywhere('may', { continuation: 'must' }),
    missing: 'segmentNumberMissing',
    malformed: 'segmentNumberInvalid',
  },
  {
    name: 'WARC-Segment-Origin-ID',
    clause: '5.21',
    kind: 'recordId',
    use: only({ continuation: 'must' }),
    missing: 'segmentOriginMissing',
    malformed: 'idMalformed',
  },
  {
    // Required on the last segment of a series, which is checked in fileMemory.ts.
    name: 'WARC-Segment-Total-Length',
    clause: '5.22',
    kind: 'segmentTotal',
    use: only({ continuation: 'may' }),
    malformed: 'segmentTotalInvalid',
  },
]

/** Fields of extensions that are used in practice (IIPC, "List of WARC Fields", and the documentation of their
 *  writers). They may occur in any record, and their values are not checked. */
export const extensionFields: readonly { name: string; writers: string }[] = [
  { name: 'WARC-Protocol', writers: 'wget-lua, jwarc, Browsertrix; proposed to the IIPC' },
  { name: 'WARC-Cipher-Suite', writers: 'wget-lua; proposed to the IIPC' },
  { name: 'WARC-Refers-To-Container', writers: 'Browsertrix' },
  { name: 'WARC-Refers-To-Filename', writers: 'Heritrix 3' },
  { name: 'WARC-Refers-To-File-Offset', writers: 'Heritrix 3' },
  { name: 'WARC-Push-Promised-From', writers: 'proposed to the IIPC' },
  { name: 'WARC-Transcluded-By', writers: 'proposed to the IIPC' },
  { name: 'WARC-Previous-Record-ID', writers: 'proposed by the IIPC guidelines' },
  { name: 'WARC-Page-ID', writers: 'Browsertrix, ArchiveWeb.page' },
  { name: 'WARC-Resource-Type', writers: 'Browsertrix, ArchiveWeb.page' },
  { name: 'WARC-JSON-Metadata', writers: 'Browsertrix, ArchiveWeb.page' },
  { name: 'WARC-Creation-Date', writers: 'warcit' },
  { name: 'WARC-Source-URI', writers: 'warcit' },
  { name: 'WARC-TREC-ID', writers: 'ClueWeb09, ClueWeb12' },
  { name: 'WARC-User-Agent', writers: 'Webrecorder' },
  { name: 'WARC-Referer', writers: 'Webrecorder' },
]

const byName = new Map(warcFields.map((field) => [field.name.toLowerCase(), field]))
const extensionNames = new Set(extensionFields.map(({ name }) => name.toLowerCase()))

/** Returns the definition of a field, whose name is compared without regard to case. */
export function warcField(name: string): WarcField | undefined {
  return byName.get(name.toLowerCase())
}

/** Returns true for a field outside of the standard that known programs write. */
export function isExtensionField(name: string): boolean {
  return extensionNames.has(name.toLowerCase())
}

/** Returns true for a type of record of the standard. */
export function isRecordType(type: string): type is RecordType {
  return recordTypes.some((known) => known === type)
}
