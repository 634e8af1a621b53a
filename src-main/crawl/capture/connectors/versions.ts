/** Versions of documents as their lists name them (the date in a sitemap, time and size of a file), next to the version in which
 *  each was last captured. Where both are the same, the document need not be requested. */
import type { Store } from '../../../storage/storage.ts'
import { keyOf } from '../../model/urlKeys.ts'
import type { Outlink } from '../../model/outlink.ts'

/** Listed and captured versions of the documents of a job. */
export interface Versions {
  /** Whether the listed version is the captured one. */
  isUnchanged(document: number): boolean
  /** Stores the listed versions. Call it in the transaction that writes the list. */
  listed(outlinks: readonly Outlink[]): void
  /** Stores the captured version (null: the listed one). Call it in the transaction that settles the document. */
  captured(document: number, version: string | null): void
  /** Records that the capture is truncated, so that the document is requested again in the next run even if its list is unchanged. */
  capturedInPart(document: number): void
}

/** The versions of a job's documents. */
export function versionsOf(store: Store, job: number): Versions {
  const sql = {
    isUnchanged: store.statement<{ id: number }, { one: number }>(
      `SELECT 1 AS one FROM document WHERE id = @id AND listed_version = captured_version`,
    ),
    listed: store.statement<{ job: number; key: Uint8Array; version: string | null }>(
      `UPDATE document SET listed_version = @version WHERE job_id = @job AND url_key = @key`,
    ),
    captured: store.statement<{ id: number; version: string | null }>(
      `UPDATE document SET captured_version = COALESCE(@version, listed_version) WHERE id = @id`,
    ),
    capturedInPart: store.statement<{ id: number }>(`UPDATE document SET captured_version = NULL WHERE id = @id`),
  }
  return {
    isUnchanged: (id) => sql.isUnchanged.get({ id }) !== undefined,
    listed(outlinks) {
      for (const { url, version } of outlinks) {
        if (version !== undefined) sql.listed.run({ job, key: keyOf(url), version })
      }
    },
    captured: (id, version) => void sql.captured.run({ id, version }),
    capturedInPart: (id) => void sql.capturedInPart.run({ id }),
  }
}
