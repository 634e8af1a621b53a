/** SQL statements that copy what a new version of a plan keeps of the version before, a page of documents at a time. All of them can be
 *  repeated. */
import type { Store } from '../../storage/storage.ts'

/** The documents of one page: those of a scanner with an id after `after`, up to `last`. */
interface Page {
  from: number
  to: number
  after: number
  last: number
}

/** Prepares the statements. */
export function keepingStatements(store: Store) {
  return {
    pageEnd: store.statement<{ scanner: number; after: number; limit: number }, { last: number | null }>(
      `SELECT MAX(id) AS last FROM (SELECT id FROM delivery_document NOT INDEXED
         WHERE scanner_id = @scanner AND id > @after ORDER BY id LIMIT @limit)`,
    ),
    scanned: store.statement<Page>(
      `INSERT INTO delivery_document (scanner_id, key, hash) SELECT @to, key, hash FROM delivery_document NOT INDEXED
       WHERE id > @after AND id <= @last AND scanner_id = @from AND parent_id IS NULL ORDER BY id
       ON CONFLICT (scanner_id, key) DO NOTHING`,
    ),
    /** Copies parts whose parents have been copied; returns how many. A part has a greater id than its parent. */
    parts: store.statement<Page>(
      `INSERT INTO delivery_document (scanner_id, key, hash, parent_id, original_id)
       SELECT @to, part.key, part.hash, kept.id, COALESCE(kept.original_id, kept.id)
       FROM delivery_document AS part NOT INDEXED JOIN delivery_document AS parent ON parent.id = part.parent_id
         JOIN delivery_document AS kept ON kept.scanner_id = @to AND kept.key = parent.key
       WHERE part.id > @after AND part.id <= @last AND part.scanner_id = @from ORDER BY part.id
       ON CONFLICT (scanner_id, key) DO NOTHING`,
    ),
    statuses: store.statement<Page & { fromDestination: number; toDestination: number; states: string }>(
      `INSERT INTO delivery_status (document_id, destination_id, state, changed_ms, message)
       SELECT kept.id, @toDestination, status.state, status.changed_ms, status.message
       FROM delivery_document AS document NOT INDEXED
         JOIN delivery_status AS status ON status.document_id = document.id AND status.destination_id = @fromDestination
         JOIN delivery_document AS kept ON kept.scanner_id = @to AND kept.key = document.key
       WHERE document.id > @after AND document.id <= @last AND document.scanner_id = @from
         AND status.state IN (SELECT value FROM json_each(@states)) ORDER BY document.id
       ON CONFLICT (document_id, destination_id) DO NOTHING`,
    ),
    /** Removes documents of which nothing was kept, and no part either. */
    forget: store.statement<{ scanner: number; after: number; last: number }>(
      `DELETE FROM delivery_document WHERE id > @after AND id <= @last AND scanner_id = @scanner
         AND NOT EXISTS (SELECT 1 FROM delivery_status WHERE document_id = delivery_document.id)
         AND NOT EXISTS (SELECT 1 FROM delivery_document AS part JOIN delivery_status ON document_id = part.id
                         WHERE part.original_id = delivery_document.id)`,
    ),
    end: store.statement<{ plan: number }>(`UPDATE delivery_plan SET keeping = NULL WHERE id = @plan`),
  }
}
