/** What documents wait for: an event is live from its begin to its completion, and no document that waits for it gets a turn
 *  meanwhile (`isFree`). A kill ends every event: whoever was to complete it is no more. */
import type { Store } from '../../storage/storage.ts'

/** For the statement that hands out turns, of a `document` in it: none of the events that it waits for is live. */
export const isFree = `NOT EXISTS (SELECT 1 FROM prerequisite JOIN live_event ON live_event.name = prerequisite.event
    WHERE prerequisite.document_id = document.id AND live_event.job_id = document.job_id)`

export interface Prerequisites {
  /** False: it is live already, somebody else brings it to its end. */
  begin(event: string): boolean
  /** Who waited for it, and for nothing else that is live, may have a turn. */
  complete(event: string): void
  isLive(event: string): boolean
  /** From now on the document waits for these events and no others, whenever they are live. */
  waitFor(document: number, events: readonly string[]): void
}

export function openPrerequisites(store: Store, job: number): Prerequisites {
  const sql = prerequisiteStatements(store)
  return {
    begin: (name) => sql.begin.run({ job, name }) === 1,
    complete: (name) => void sql.complete.run({ job, name }),
    isLive: (name) => sql.isLive.get({ job, name }) !== undefined,
    waitFor(document, events) {
      sql.forget.run({ document })
      for (const event of events) sql.waitFor.run({ document, event })
    },
  }
}

/** At the start of an engine: all events were those of an engine that is no more. */
export function endAllEvents(store: Store): void {
  store.statement<object>(`DELETE FROM live_event`).run({})
}

function prerequisiteStatements(store: Store) {
  return {
    begin: store.statement<{ job: number; name: string }>(
      `INSERT INTO live_event (job_id, name) VALUES (@job, @name) ON CONFLICT DO NOTHING`,
    ),
    complete: store.statement<{ job: number; name: string }>(
      `DELETE FROM live_event WHERE job_id = @job AND name = @name`,
    ),
    isLive: store.statement<{ job: number; name: string }, { one: number }>(
      `SELECT 1 AS one FROM live_event WHERE job_id = @job AND name = @name`,
    ),
    forget: store.statement<{ document: number }>(`DELETE FROM prerequisite WHERE document_id = @document`),
    waitFor: store.statement<{ document: number; event: string }>(
      `INSERT INTO prerequisite (document_id, event) VALUES (@document, @event) ON CONFLICT DO NOTHING`,
    ),
  }
}
