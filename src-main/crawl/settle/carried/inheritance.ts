/** Documents and what is handed down to them: one of whom something else is said than before is fetched again, so that what is
 *  written beside its capture is what was said of it. Called inside the transaction that writes the parent down. */
import { documentStates, heldDocumentStates, type DocumentState } from '../../../contract/states/documentStates.ts'
import { moveSql } from '../../../storage/guard.ts'
import type { Store } from '../../../storage/storage.ts'
import { keyOf } from '../../model/urlKeys.ts'
import { openCarried } from './carried.ts'

/** What a document says of one that it leads to. */
export interface FoundData {
  url: string
  name: string
  value: string
}

export interface Inheritance {
  /** All that the parent says now; nothing, when it has left. Returns what is to be fetched again: until then it counts in
   *  the run as what it was. */
  replace(parent: string, data: readonly FoundData[], nowMs: number): string[]
  /** What is said of a document. */
  of(url: string): { name: string; value: string }[]
}

interface Child {
  id: number
  url: string
  state: DocumentState
  outcome: 'fetched' | 'failed' | 'excluded' | null
}

export function inheritanceOf(store: Store, job: number): Inheritance {
  const carried = openCarried(store, job)
  const sql = inheritanceStatements(store)

  /** In somebody's hands it only changes its state: it is done again when it comes back. */
  function markChanged({ id, state, outcome }: Child, nowMs: number): boolean {
    // It was refused by a rule, whatever is said of it.
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
      const items = data.map(({ url, ...said }) => ({ child: keyOf(url), ...said }))
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
