/** Documents and the data that their parents pass to them. When that data changes, the document is fetched again, so that its
 *  metadata record matches. Called inside the transaction that writes the parent. */
import { documentStates, heldDocumentStates, type DocumentState } from '../../../contract/states/documentStates.ts'
import { moveSql } from '../../../storage/guard.ts'
import type { Store } from '../../../storage/storage.ts'
import { keyOf } from '../../model/urlKeys.ts'
import { openCarried } from './carried.ts'

/** One item of data that a document passes to a document it links to. */
export interface FoundData {
  url: string
  name: string
  value: string
}

/** The passed data of one job. */
export interface Inheritance {
  /** Replaces all data that the parent passes on (empty if the parent was removed). Returns the URLs to fetch again; until
   *  then they keep their outcome in the counts of the run. */
  replace(parent: string, data: readonly FoundData[], nowMs: number): string[]
  /** Returns the data passed to a document. */
  of(url: string): { name: string; value: string }[]
}

interface Child {
  id: number
  url: string
  state: DocumentState
  outcome: 'fetched' | 'failed' | 'excluded' | null
}

/** Opens the passed data of a job. */
export function inheritanceOf(store: Store, job: number): Inheritance {
  const carried = openCarried(store, job)
  const sql = inheritanceStatements(store)

  /** Marks a document as changed. A claimed document only changes its state; it is fetched again when its turn ends. */
  function markChanged({ id, state, outcome }: Child, nowMs: number): boolean {
    // An excluded document stays excluded.
    const to = documentStates.next(state, 'inputsChanged')
    if (outcome === 'excluded' || to === undefined) return false
    sql.markChanged.run({ id })
    if (heldDocumentStates.includes(to)) return false
    sql.wait.run({ id, nowMs })
    return true
  }

  return {
    replace(parent, data, nowMs) {
      const again: string[] = []
      const items = data.map(({ url, ...item }) => ({ child: keyOf(url), ...item }))
      for (const key of carried.replace(keyOf(parent), items)) {
        const child = sql.child.get({ job, key })
        if (!child || !markChanged(child, nowMs)) continue
        again.push(child.url)
      }
      return again
    },
    of: (url) => carried.of(keyOf(url)),
  }
}

const inputsChanged = moveSql(documentStates, 'inputsChanged')

function inheritanceStatements(store: Store) {
  return {
    child: store.statement<{ job: number; key: Uint8Array }, Child>(
      `SELECT id, url, state, outcome FROM document WHERE job_id = @job AND url_key = @key`,
    ),
    markChanged: store.statement<{ id: number }>(
      `UPDATE document SET ${inputsChanged.set} WHERE id = @id AND ${inputsChanged.from}`,
    ),
    wait: store.statement<{ id: number; nowMs: number }>(
      `UPDATE document SET attempts = 0, due_ms = @nowMs, needs_priority = 1
       WHERE id = @id`,
    ),
  }
}
