/** Events that documents wait for, such as a login. While an event is live, no document that waits for it is handed out
 *  (`isFree`). A kill ends every event, since the task that was to complete it has ended too. */
import type { Store } from '../../storage/storage.ts'

/** SQL condition for the statement that hands out documents, on a row of `document`: none of the events that it waits for is
 *  live. */
export const isFree = `NOT EXISTS (SELECT 1 FROM prerequisite JOIN live_event ON live_event.name = prerequisite.event
    WHERE prerequisite.document_id = document.id AND live_event.job_id = document.job_id)`

/** The events of one job. */
export interface Prerequisites {
  /** Begins an event. Returns false if it is live already; the caller that began it completes it. */
  begin(event: string): boolean
  /** Ends the event. Documents that waited for it alone can be handed out again. */
  complete(event: string): void
  isLive(event: string): boolean
  /** Makes the document wait for exactly these events whenever they are live. */
  waitFor(document: number, events: readonly string[]): void
}

/** Opens the events of a job. */
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

/** Ends all events at the start of an engine: they belonged to an engine that has ended. */
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
