/** An archived record that was opened for the browser (`archivedRecord.ts`), and where it is. */
import type { Truncation } from '../../contract/states/outcomes.ts'
import type { HttpHead } from '../../formats/http/http.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import type { Content } from '../model/content.ts'

/** An open record. */
export interface ArchivedRecord {
  item: RecordHeader
  head: HttpHead
  /** The body without transfer codings, to be read once. Bytes in memory are verified; a stream throws `Unreadable` if the
   *  record is damaged. */
  body: Content
  /** Length of the body, if the record's framing tells it. */
  bodyBytes: number | undefined
  /** Why the content is incomplete. Undefined: nothing known before the body is read says so. */
  truncated: Truncation | undefined
}

/** What remains of a record after its content was read. */
export type RecordHeader = Pick<ArchiveRecord, 'type' | 'fields' | 'url' | 'date'>

/** The fields of a capture that locate its record. */
export type RecordPlace = Pick<IndexedCapture, 'url' | 'filename' | 'offset' | 'length'>
