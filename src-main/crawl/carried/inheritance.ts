/** Documents and what is handed down to them: one of whom something else is said than before is fetched again, so that what is
 *  written beside its capture is what was said of it. Called inside the transaction that writes the parent down. */
import { documentStates, heldDocumentStates, type DocumentState } from '../../contract/documentStates.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { keyOf, noCounts, type Counts } from '../frontier.ts'
import { openCarried } from './carried.ts'

/** What a document says of one that it leads to. */
export interface FoundData {
  url: string
  name: string
  value: string
}

export interface Inheritance {
  /** All that the parent says now. Returns what changed in the job's counters, and what is to be fetched again. */
  replace(parent: string, data: readonly FoundData[], nowMs: number): { counts: Counts; again: string[] }
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
  function hear({ id, state, outcome }: Child, nowMs: number): boolean {
    // It was refused by a rule, whatever is said of it.
    if (outcome === 'excluded' || documentStates.next(state, 'inputsChanged') === undefined) return false
    sql.hear.run({ id })
    if (heldDocumentStates.includes(state)) return false
    sql.wait.run({ id, nowMs })
    return true
  }

  return {
    replace(parent, data, nowMs) {
      const counts = { ...noCounts }
      const again: string[] = []
      const items = data.map(({ url, ...said }) => ({ child: keyOf(url), ...said }))
      for (const key of carried.replace(keyOf(parent), items)) {
        const child = sql.child.get({ job, key })
        if (!child || !hear(child, nowMs)) continue
        if (child.outcome) counts[child.outcome] -= 1
        again.push(child.url)
      }
      return { counts, again }
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
    hear: store.statement<{ id: number }>(
      `UPDATE document SET ${inputsChanged.set} WHERE id = @id AND ${inputsChanged.from}`,
    ),
    wait: store.statement<{ id: number; nowMs: number }>(
      `UPDATE document SET outcome = NULL, reason = NULL, detail = NULL, attempts = 0, due_ms = @nowMs, needs_priority = 1
       WHERE id = @id`,
    ),
  }
}
