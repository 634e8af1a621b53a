/** What an export asks of a record's type. */
import type { ArchiveRecord } from '../../formats/records/record.ts'

type Typed = Pick<ArchiveRecord, 'type' | 'url'>

const captureTypes = new Set(['response', 'resource', 'revisit'])

/** It answers for its address. */
export function isCapture({ type, url }: Typed): boolean {
  return captureTypes.has(type) && url !== undefined
}

/** It describes the file that it stands in. */
export function isInfo({ type }: Typed): boolean {
  return type === 'warcinfo' || type === 'filedesc'
}
