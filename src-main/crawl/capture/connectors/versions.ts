/** What lists say of the state that their documents are in (a sitemap's date of change, a file's time and size), beside the
 *  state in which each was taken last: where they are the same, nobody needs to be asked again. */
import type { Store } from '../../../storage/storage.ts'
import { keyOf } from '../../model/urlKeys.ts'
import type { Outlink } from '../../model/outlink.ts'

export interface Versions {
  /** As it was taken, so it is listed. */
  isTaken(document: number): boolean
  /** In the transaction that writes the list down. */
  listed(outlinks: readonly Outlink[]): void
  /** In the transaction that settles the document; `version`: as it was seen, null: as it is listed. */
  taken(document: number, version: string | null): void
  /** What came of it is not whole, so it is asked for again in the next run, however it is listed. */
  takenInPart(document: number): void
}

export function versionsOf(store: Store, job: number): Versions {
  const sql = {
    isTaken: store.statement<{ id: number }, { one: number }>(
      `SELECT 1 AS one FROM document WHERE id = @id AND listed_version = taken_version`,
    ),
    listed: store.statement<{ job: number; key: Uint8Array; version: string | null }>(
      `UPDATE document SET listed_version = @version WHERE job_id = @job AND url_key = @key`,
    ),
    taken: store.statement<{ id: number; version: string | null }>(
      `UPDATE document SET taken_version = COALESCE(@version, listed_version) WHERE id = @id`,
    ),
    takenInPart: store.statement<{ id: number }>(`UPDATE document SET taken_version = NULL WHERE id = @id`),
  }
  return {
    isTaken: (id) => sql.isTaken.get({ id }) !== undefined,
    listed(outlinks) {
      for (const { url, version } of outlinks) {
        if (version !== undefined) sql.listed.run({ job, key: keyOf(url), version })
      }
    },
    taken: (id, version) => void sql.taken.run({ id, version }),
    takenInPart: (id) => void sql.takenInPart.run({ id }),
  }
}
