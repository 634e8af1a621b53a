/** SQL statements for the data that documents pass to documents they link to. */
import type { Store } from '../../../storage/storage.ts'

/** An item of data, with the document that receives it. */
export interface CarriedRow {
  child: Buffer
  name: string
  value: string
}

/** Prepares the statements. */
export function carriedStatements(store: Store) {
  return {
    ofParent: store.statement<{ job: number; parent: Uint8Array }, CarriedRow>(
      `SELECT child_key AS child, name, value FROM carried WHERE job_id = @job AND parent_key = @parent`,
    ),
    /** Uses carried_by_child. */
    ofChild: store.statement<{ job: number; child: Uint8Array }, { name: string; value: string }>(
      `SELECT DISTINCT name, value FROM carried WHERE job_id = @job AND child_key = @child ORDER BY name, value`,
    ),
    add: store.statement<{ job: number; parent: Uint8Array; child: Uint8Array; name: string; value: string }>(
      `INSERT INTO carried (job_id, parent_key, child_key, name, value) VALUES (@job, @parent, @child, @name, @value)`,
    ),
    drop: store.statement<{ job: number; parent: Uint8Array; child: Uint8Array; name: string; value: string }>(
      `DELETE FROM carried WHERE job_id = @job AND parent_key = @parent AND child_key = @child AND name = @name AND value = @value`,
    ),
  }
}
