/** Derives record IDs from names, so that converting the same source twice gives the same bytes: UUIDs of version 5
 *  (RFC 9562, 5.5). Two records have the same ID only when they have the same name. */
import { createHash } from 'node:crypto'
import type { ArchiveRecord } from '../records/record.ts'
import type { Origin } from './origin.ts'

/** Namespace of records that Loupe makes from other files: a random UUID, chosen once. */
const namespace = Buffer.from('6c1f0c7eb1c94f0f9d0c9a1c6be7c5a4', 'hex')

/** Returns the UUID for the parts of a name. */
export function namedRecordId(...name: (string | number)[]): string {
  // No file name or number contains NUL, so the parts are separated unambiguously.
  const bytes = createHash('sha1').update(namespace).update(name.join('\0')).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns an ID as URI for a record that has none. */
export function recordUri(origin: Origin, { number, offset }: Pick<ArchiveRecord, 'number' | 'offset'>): string {
  return `urn:uuid:${namedRecordId(origin.name, origin.sha256, number, offset, 'completed')}`
}
