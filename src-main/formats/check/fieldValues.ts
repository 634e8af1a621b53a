/** Checks the values of WARC fields by kind (WARC 1.1, 4 and 5). Each function returns no finding for a valid value.
 *  The checks are lenient where the community annotations of the standard ask for it, and where all readers accept
 *  the value. */
import { message } from '../../contract/words/message.ts'
import { finding, findingWith, type Finding } from '../rules/finding.ts'
import type { RuleName } from '../rules/rules.ts'
import { parseTimestamp } from '../cdx/timestamp.ts'
import type { ValueKind, WarcField } from './warcFields.ts'

/** What a value is compared with, in addition to its kind. */
export interface ValueContext {
  /** Version of the record, for example `WARC/1.0`. */
  version: string
  /** Time of the check. */
  nowMs: number
}

/** Returns the findings for a value of one kind. */
type Judge = (value: string, field: WarcField, context: ValueContext) => Finding[]

/** Returns the findings for the value of a field. */
export function judgeValue(value: string, field: WarcField, context: ValueContext): Finding[] {
  return judges[field.kind](value, field, context)
}

/** Returns a value for the text of a finding: cut when it is long, and without control characters, so that it cannot
 *  imitate a line of the report. */
export function shown(value: string): string {
  // oxlint-disable-next-line no-control-regex
  const clean = value.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ')
  return clean.length > 80 ? `${clean.slice(0, 80)}…` : clean
}

const nothing: Judge = () => []

const judges: Record<ValueKind, Judge> = {
  recordId: judgeId,
  recordType: nothing,
  length: nothing,
  date: judgeDate,
  mediaType: (value, field) => (mediaTypeForm.test(value) ? [] : [malformed(field, value)]),
  digest: nothing,
  ipAddress: (value, field) => (isIpAddress(value) ? [] : [malformed(field, value)]),
  uri: (value, field) => (hasScheme(unbracketed(value)) ? [] : [malformed(field, value)]),
  targetUri: judgeTarget,
  reason: (value, field) => (truncationReasons.has(value.toLowerCase()) ? [] : [malformed(field, value)]),
  profile: judgeProfile,
  segmentNumber: (value, field) => (/^0*[1-9]\d{0,14}$/.test(value) ? [] : [malformed(field, value)]),
  segmentTotal: (value, field) => (/^\d{1,15}$/.test(value) ? [] : [malformed(field, value)]),
  text: nothing,
}

function malformed(field: WarcField, value: string): Finding {
  if (!field.malformed) throw new Error(`the table of fields has no rule for a wrong ${field.name}`)
  return valued(field.malformed, field, value)
}

function valued(rule: RuleName, { name }: WarcField, value: string): Finding {
  return findingWith(rule, message('found.value', { field: name, value: shown(value) }))
}

/** Checks a record ID. WARC 1.0 has < and > in its rule for URIs, 1.1 in the rules of the identifiers. */
function judgeId(value: string, field: WarcField): Finding[] {
  const inside = /^<([a-z][a-z0-9+.-]*:[^\s<>]+)>$/i.exec(value)?.[1]
  if (inside === undefined) return [malformed(field, value)]
  if (/^urn:uuid:/i.test(inside) && !uuidForm.test(inside)) return [valued('uuidOdd', field, value)]
  return []
}

const uuidForm = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Matches a media type (RFC 9110, 8.3.1), with the blanks of WARC's own examples. A run of blanks matches in only
 *  one way: with two, each semicolon without a parameter would double the time. */
const token = "[\\w!#$%&'*+.^`|~-]+"
const mediaTypeForm = new RegExp(
  `^${token}/${token}(?:\\s*;(?:\\s*${token}=(?:${token}|"(?:[^"\\\\]|\\\\.)*"))?)*\\s*$`,
)

/** Reasons of WARC-Truncated (WARC 1.1, 5.15). */
const truncationReasons = new Set(['length', 'time', 'disconnect', 'unspecified'])

/** Tolerance for future dates, a day: clocks are more often wrong by time zones than by years. */
const clockSlackMs = 24 * 60 * 60 * 1000
/** Dates before it cannot be those of captures. */
const webBeginsMs = Date.UTC(1990, 0, 1)

/** WARC 1.1, 5.4: UTC in the W3C profile of ISO 8601, with one to nine digits after the second. */
const dateForm = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z)?)?)?$/i
/** WARC 1.0: only YYYY-MM-DDThh:mm:ssZ. */
const dateFormToSecond = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/i

function judgeDate(value: string, field: WarcField, { version, nowMs }: ValueContext): Finding[] {
  const timeMs = parseTimestamp(value)
  if (timeMs === undefined) return [malformed(field, value)]
  const found: Finding[] = []
  if (!dateForm.test(value)) found.push(valued('dateOdd', field, value))
  else if (!dateFormToSecond.test(value) && /^WARC\/(0|1\.0)/i.test(version))
    found.push(finding('datePreciseTooEarly', { field: field.name, value: shown(value), version: shown(version) }))
  if (timeMs > nowMs + clockSlackMs) found.push(valued('dateInFuture', field, value))
  if (timeMs < webBeginsMs) found.push(valued('dateBeforeWeb', field, value))
  return found
}

function judgeTarget(value: string, field: WarcField): Finding[] {
  const uri = unbracketed(value)
  if (!hasScheme(uri)) return [malformed(field, value)]
  if (/\s/.test(uri)) return [valued('targetWithBlanks', field, value)]
  const unescaped = /[^!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]|%(?![0-9a-f]{2})/i.exec(uri)?.[0]
  if (unescaped === undefined) return []
  return [finding('targetNotEscaped', { field: field.name, character: shown(unescaped), value: shown(value) })]
}

/** Removes the `<` and `>` that WARC 1.0 puts around URIs. */
function unbracketed(value: string): string {
  return /^<(.*)>$/.exec(value)?.[1] ?? value
}

function hasScheme(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:./i.test(uri)
}

function judgeProfile(value: string, field: WarcField): Finding[] {
  if (!hasScheme(unbracketed(value))) return [malformed(field, value)]
  return profileOf(value) ? [] : [valued('profileUnknown', field, value)]
}

/** The profiles of revisits that the standard defines (WARC 1.1, 6.7.2 and 6.7.3). */
export type Profile = 'identical-payload-digest' | 'server-not-modified'

/** Returns the profile by the last part of its URI: each version of WARC has its own URIs for the same two profiles.
 *  The URI-agnostic profile of pywb has the meaning that identical-payload-digest has since WARC 1.1. */
export function profileOf(value: string): Profile | undefined {
  const name = /^https?:\/\/netpreserve\.org\/warc\/[\d.]+\/(?:revisit\/)?([a-z-]+)\/?$/i.exec(unbracketed(value))?.[1]
  if (name === 'server-not-modified') return name
  if (name === 'identical-payload-digest' || name === 'uri-agnostic-identical-payload-digest')
    return 'identical-payload-digest'
  return undefined
}

/** Returns true for an IPv4 or IPv6 address. */
export function isIpAddress(text: string): boolean {
  return ipv4Form.test(text) || isIpv6(text)
}

const ipv4Form = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

/** RFC 4291, 2.2: eight groups, of which one run may be omitted; the last two may be an IPv4 address. */
function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const endsAsFour = last.includes('.')
  if (endsAsFour && !ipv4Form.test(last)) return false
  const plain = endsAsFour ? groups.slice(0, -1) : groups
  if (!plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false
  const count = plain.length + (endsAsFour ? 2 : 0)
  return halves.length === 2 ? count <= 7 : count === 8
}
