/** Classes of record types that an export distinguishes. */
import type { ArchiveRecord } from '../../formats/records/record.ts'

/** The fields that decide. */
type Typed = Pick<ArchiveRecord, 'type' | 'url'>

const captureTypes = new Set(['response', 'resource', 'revisit'])

/** Whether the record is the content of a URL. */
export function isCapture({ type, url }: Typed): boolean {
  return captureTypes.has(type) && url !== undefined
}

/** Whether the record describes the file that contains it. */
export function isInfo({ type }: Typed): boolean {
  return type === 'warcinfo' || type === 'filedesc'
}
