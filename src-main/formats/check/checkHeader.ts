/** Checks the header of one WARC record against the table of fields (warcFields.ts), and its fields against each
 *  other. Other records are compared in fileMemory.ts, the block in checkBlock.ts. */
import { message } from '../../contract/words/message.ts'
import { finding, findingWith, type Finding } from '../rules/finding.ts'
import { recordField, recordFields, type ArchiveRecord } from '../records/record.ts'
import type { RecordType } from '../records/warcWriter.ts'
import type { RuleName } from '../rules/rules.ts'
import { judgeValue, profileOf, shown, type ValueContext } from './fieldValues.ts'
import { isExtensionField, isRecordType, warcField, warcFields, type WarcField } from './warcFields.ts'

/** Maximum number of findings for one header. A header of a megabyte may have a hundred thousand wrong fields; the
 *  first ones are enough. */
const headerFindingsMax = 100

/** Returns the findings of a header. `nowMs` is the time of the check. */
export function checkHeader(record: ArchiveRecord, nowMs: number): Finding[] {
  const type = isRecordType(record.type) ? record.type : 'other'
  const context: ValueContext = { version: record.version, nowMs }
  const found = [
    ...checkType(record),
    ...missingFields(record, type),
    ...presentFields(record, type, context),
    ...checkContentType(record),
    ...checkConcurrentTo(record),
    ...checkTruncated(record),
    ...(type === 'revisit' ? checkRevisit(record) : []),
    ...checkSegment(record),
  ]
  return found.slice(0, headerFindingsMax)
}

function checkType({ type }: ArchiveRecord): Finding[] {
  if (type === '' || isRecordType(type)) return []
  return [finding('typeUnknown', { type: shown(type) })]
}

/** Reports fields that must or should occur in a record of this type, and are absent or empty. */
function missingFields(record: ArchiveRecord, type: RecordType | 'other'): Finding[] {
  return warcFields.flatMap((field) => {
    const use = field.use[type]
    if (!field.missing || (use !== 'must' && use !== 'should') || !isWanted(field, record)) return []
    const value = recordField(record, field.name)
    if (value !== undefined && value !== '') return []
    const values = { field: field.name, type: shown(record.type) || 'unknown' }
    return [findingWith(field.missing, message(value === undefined ? 'found.missing' : 'found.empty', values))]
  })
}

/** Returns true when a field is required or recommended for this record: some fields only apply to certain blocks
 *  and URLs, which the table cannot express. */
function isWanted({ name }: WarcField, record: ArchiveRecord): boolean {
  if (name === 'Content-Type') return record.blockBytes > 0
  if (name === 'WARC-IP-Address') return isHttpAddress(record.url)
  return true
}

function isHttpAddress(url: string | undefined): boolean {
  return /^https?:/i.test(url ?? '')
}

/** Checks each field that is present: its name, its use in this type, its value, and repetitions. */
function presentFields(record: ArchiveRecord, type: RecordType | 'other', context: ValueContext): Finding[] {
  const found: Finding[] = []
  const firstValues = new Map<string, string>()
  for (const [name, value] of record.fields) {
    if (found.length >= headerFindingsMax) break
    const field = warcField(name)
    if (!field) {
      found.push(...unknownField(name))
      continue
    }
    const first = firstValues.get(field.name)
    if (first === undefined) firstValues.set(field.name, value)
    if (first === undefined || field.repeatable) found.push(...checkField(field, value, type, context))
    else found.push(repeated(field, first, value))
  }
  return found
}

/** Reports an unknown field. Fields without the prefix `WARC-` may follow any other standard, and are allowed. */
function unknownField(name: string): Finding[] {
  if (!/^warc-/i.test(name) || isExtensionField(name)) return []
  return [finding('fieldUnknown', { field: shown(name) })]
}

function repeated(field: WarcField, first: string, value: string): Finding {
  if (first === value) return finding('fieldRepeated', { field: field.name, value: shown(value) })
  return finding('fieldContradicts', { field: field.name, first: shown(first), value: shown(value) })
}

function checkField(field: WarcField, value: string, type: RecordType | 'other', context: ValueContext): Finding[] {
  const found: Finding[] = []
  const use = field.use[type]
  const { name, since } = field
  if (use === 'mustNot' || use === 'shouldNot') {
    const rule = use === 'mustNot' ? (field.forbidden ?? 'fieldForbidden') : 'fieldDiscouraged'
    found.push(findingWith(rule, message('found.unexpected', { field: name, type })))
  }
  if (since && !context.version.endsWith(since))
    found.push(finding('fieldLater', { field: name, since, version: context.version }))
  if (value !== '') return [...found, ...judgeValue(value, field, context)]
  // A required field that is empty is reported as missing, and an empty length is reported by the reader.
  const isReported = (field.missing && (use === 'must' || use === 'should')) || field.kind === 'length'
  if (!isReported) found.push(finding('fieldEmpty', { field: name }))
  return found
}

/** Compares the content type with the one that the standard requires for the type (6.2, 6.3.2, 6.5.2, 6.6). */
function checkContentType({ type, contentType, url, blockBytes }: ArchiveRecord): Finding[] {
  if (contentType === undefined || contentType === '' || blockBytes === 0) return []
  const [mediaType = ''] = contentType.toLowerCase().split(/[\s;]/, 1)
  const found = (rule: RuleName) => [
    findingWith(rule, message('found.contentType', { type, contentType: shown(contentType) })),
  ]
  if (type === 'warcinfo' && mediaType !== 'application/warc-fields') return found('descriptionTypeOdd')
  if (type !== 'response' && type !== 'request') return []
  if (mediaType !== 'application/http') return isHttpAddress(url) ? found('contentTypeOdd') : []
  const messageType = /;\s*msgtype\s*=\s*"?([a-z]+)/i.exec(contentType)?.[1]?.toLowerCase()
  return messageType === undefined || messageType === type ? [] : found('messageTypeContradicts')
}

function checkConcurrentTo(record: ArchiveRecord): Finding[] {
  const id = recordField(record, 'warc-record-id')
  if (id === undefined || id === '' || !recordFields(record, 'warc-concurrent-to').includes(id)) return []
  return [finding('concurrentToItself', { id: shown(id) })]
}

/** Reports a truncated record. A revisit is shorter because its payload is in another record, not because it was cut
 *  (6.7.2). */
function checkTruncated(record: ArchiveRecord): Finding[] {
  const reason = recordField(record, 'warc-truncated')
  if (reason === undefined || reason === '' || record.type === 'revisit') return []
  return [finding('recordTruncated', { reason: shown(reason) })]
}

/** Checks that a revisit can be resolved: by its profile it needs a payload digest or the original's date and URL
 *  (6.7). */
function checkRevisit(record: ArchiveRecord): Finding[] {
  const has = (name: string): boolean => (recordField(record, name) ?? '') !== ''
  const profile = profileOf(recordField(record, 'warc-profile') ?? '')
  const isNamed = has('warc-refers-to') || has('warc-refers-to-target-uri')
  const hasDigest = has('warc-payload-digest')
  const found: Finding[] = []
  if (profile === 'identical-payload-digest' && !hasDigest)
    found.push(isNamed ? finding('revisitDigestMissing') : finding('revisitUnresolvable'))
  if (profile && !isNamed && (hasDigest || profile === 'server-not-modified'))
    found.push(finding('revisitOriginUnnamed'))
  if (profile === 'identical-payload-digest' && record.blockBytes > 0 && !has('warc-truncated'))
    found.push(finding('revisitNotTruncated'))
  return found
}

/** Checks the segment number (5.20 and 7). */
function checkSegment(record: ArchiveRecord): Finding[] {
  const text = recordField(record, 'warc-segment-number') ?? ''
  if (!/^\d{1,15}$/.test(text)) return []
  const number = Number(text)
  const isContinuation = record.type === 'continuation'
  if (number > 0 && isContinuation !== number > 1)
    return [finding('segmentNumberInvalid.ofType', { type: shown(record.type), number })]
  if (notSegmented.has(record.type)) return [finding('segmentTypeOdd', { type: record.type })]
  return []
}

/** Types that the standard advises not to segment. */
const notSegmented = new Set(['warcinfo', 'request', 'metadata', 'revisit'])
