/** ARC records by what their lines say (rules/arcRules.ts): the version block at the beginning, and the fields of each URL
 *  line. What the line itself is wrong in (blanks in the URL, a length that is none) the reader has said. */
import { finding, type Finding } from '../rules/finding.ts'
import { parseTimestamp } from '../cdx/timestamp.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'
import { isIpAddress, shown } from './fieldValues.ts'

/** The version block has some hundred bytes; with the metadata of Heritrix some thousand. */
const versionBlockBytes = 1024

const versions = new Set(['1.0', '1.1', '2.0'])

export function checkArcLine(record: ArchiveRecord, isFirst: boolean): Finding[] {
  const found: Finding[] = []
  if (isFirst && record.type !== 'filedesc')
    found.push(finding('arcVersionBlockMissing', `The file begins with ${shown(record.url ?? 'no address')}.`))
  if (record.fields.length < fieldCount(record))
    found.push(finding('arcFieldCount', `The line has ${record.fields.length} fields.`))
  return [...found, ...checkUrl(record), ...checkIp(record), ...checkDate(record), ...checkMediaType(record)]
}

/** Of the block of the first record. */
export function checkVersionBlock(block: Uint8Array): Finding[] {
  const text = Buffer.from(block.buffer, block.byteOffset, Math.min(block.length, versionBlockBytes)).toString('latin1')
  const [versionLine = '', names = ''] = text.split(/\r?\n/, 2)
  const [, major, minor] = /^(\d+) (\d+)(?: .*)?$/.exec(versionLine) ?? []
  if (major === undefined || minor === undefined)
    return [finding('arcVersionBlockOdd', `The version block begins with "${shown(versionLine)}".`)]
  if (!versions.has(`${major}.${minor}`))
    return [finding('arcVersionUnknown', `The version line is ${shown(versionLine)}.`)]
  // "URL IP-address Archive-date Content-type Archive-length", five names or ten, spelled as the writer likes.
  const count = names.trim().split(/\s+/).length
  if (/^URL\b/i.test(names) && count === (major === '2' ? 10 : 5)) return []
  return [finding('arcVersionBlockOdd', `Instead of the field names: "${shown(names)}".`)]
}

function fieldCount(record: ArchiveRecord): number {
  return record.version === 'ARC/2.0' ? 10 : 5
}

function checkUrl({ url = '' }: ArchiveRecord): Finding[] {
  if (/^[a-z][a-z0-9+.-]*:./i.test(url)) return []
  return [finding('arcUrlInvalid', `The URL is "${shown(url)}".`)]
}

/** Heritrix has `0.0.0.0` in its version block, others a hyphen where they do not know it. */
function checkIp(record: ArchiveRecord): Finding[] {
  const address = recordField(record, 'ip-address') ?? ''
  if (isIpAddress(address)) return []
  return [finding('arcIpInvalid', `The IP address is "${shown(address)}".`)]
}

function checkDate({ date }: ArchiveRecord): Finding[] {
  if (!/^\d+$/.test(date) || parseTimestamp(date) === undefined)
    return [finding('arcDateInvalid', `The date is "${shown(date)}".`)]
  return date.length === 14 ? [] : [finding('arcDateOdd', `The date has ${date.length} digits: ${date}.`)]
}

/** `no-type` is what Heritrix writes where the server named none. */
function checkMediaType(record: ArchiveRecord): Finding[] {
  const mediaType = recordField(record, 'content-type') ?? ''
  if (/^(?:[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(?:;.*)?|no-type|unknown)$/i.test(mediaType)) return []
  return [finding('arcMediaTypeOdd', `The content type is "${shown(mediaType)}".`)]
}

/** Of ARC 2.0, whose line has the status too. */
export function checkResultCode(record: ArchiveRecord, status: number | undefined): Finding[] {
  const code = recordField(record, 'result-code') ?? ''
  if (status === undefined || !/^\d+$/.test(code) || Number(code) === status) return []
  return [finding('arcResultCodeWrong', `The record line says ${code}, the response ${status}.`)]
}
