/** Checks ARC records by their lines (rules/arcRules.ts): the version block at the beginning, and the fields of each
 *  URL line. Faults of the line itself (blanks in the URL, an invalid length) are reported by the reader. */
import { finding, type Finding } from '../rules/finding.ts'
import { parseTimestamp } from '../cdx/timestamp.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'
import { isIpAddress, shown } from './fieldValues.ts'

/** Bytes examined. The version block has some hundred bytes; with the metadata of Heritrix some thousand. */
const versionBlockBytes = 1024

/** Versions of the format: 1.0 and 1.1 have five fields per line, 2.0 has ten. */
const versions = new Set(['1.0', '1.1', '2.0'])

/** Checks the URL line of a record. `isFirst`: the record is the first one of the file. */
export function checkArcLine(record: ArchiveRecord, isFirst: boolean): Finding[] {
  const found: Finding[] = []
  if (isFirst && record.type !== 'filedesc')
    found.push(finding('arcVersionBlockMissing', { url: shown(record.url ?? '-') }))
  if (record.fields.length < fieldCount(record)) found.push(finding('arcFieldCount', { count: record.fields.length }))
  return [...found, ...checkUrl(record), ...checkIp(record), ...checkDate(record), ...checkMediaType(record)]
}

/** Checks the block of the first record. */
export function checkVersionBlock(block: Uint8Array): Finding[] {
  const text = Buffer.from(block.buffer, block.byteOffset, Math.min(block.length, versionBlockBytes)).toString('latin1')
  const [versionLine = '', names = ''] = text.split(/\r?\n/, 2)
  const [, major, minor] = /^(\d+) (\d+)(?: .*)?$/.exec(versionLine) ?? []
  if (major === undefined || minor === undefined) return [finding('arcVersionBlockOdd', { line: shown(versionLine) })]
  if (!versions.has(`${major}.${minor}`)) return [finding('arcVersionUnknown', { line: shown(versionLine) })]
  // The names are "URL IP-address Archive-date Content-type Archive-length", five or ten of them; writers differ in
  // their spelling.
  const count = names.trim().split(/\s+/).length
  if (/^URL\b/i.test(names) && count === (major === '2' ? 10 : 5)) return []
  return [finding('arcVersionBlockOdd.names', { line: shown(names) })]
}

/** Number of fields that the version block announces for each line. */
function fieldCount(record: ArchiveRecord): number {
  return record.version === 'ARC/2.0' ? 10 : 5
}

function checkUrl({ url = '' }: ArchiveRecord): Finding[] {
  if (/^[a-z][a-z0-9+.-]*:./i.test(url)) return []
  return [finding('arcUrlInvalid', { url: shown(url) })]
}

/** Checks the address. Heritrix has `0.0.0.0` in its version block; other writers have a hyphen for an unknown
 *  address. */
function checkIp(record: ArchiveRecord): Finding[] {
  const address = recordField(record, 'ip-address') ?? ''
  if (isIpAddress(address)) return []
  return [finding('arcIpInvalid', { address: shown(address) })]
}

function checkDate({ date }: ArchiveRecord): Finding[] {
  if (!/^\d+$/.test(date) || parseTimestamp(date) === undefined)
    return [finding('arcDateInvalid', { date: shown(date) })]
  return date.length === 14 ? [] : [finding('arcDateOdd', { count: date.length, date: shown(date) })]
}

/** Checks the content type. Heritrix writes `no-type` when the server sent none. */
function checkMediaType(record: ArchiveRecord): Finding[] {
  const mediaType = recordField(record, 'content-type') ?? ''
  if (/^(?:[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(?:;.*)?|no-type|unknown)$/i.test(mediaType)) return []
  return [finding('arcMediaTypeOdd', { mediaType: shown(mediaType) })]
}

/** Compares the status in the line, which exists since ARC 2.0, with that of the response. */
export function checkResultCode(record: ArchiveRecord, status: number | undefined): Finding[] {
  const code = recordField(record, 'result-code') ?? ''
  if (status === undefined || !/^\d+$/.test(code) || Number(code) === status) return []
  return [finding('arcResultCodeWrong', { code, status })]
}
