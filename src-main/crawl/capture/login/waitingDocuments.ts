/** Documents protected by a login form have the login as a prerequisite event: while a login is running, none of them is handed
 *  out, whatever its position in the queue. The prerequisite is set when a document is found; for a seed, which has no
 *  referrer, when it is first handed out. */
import { hash } from 'node:crypto'
import type { Store } from '../../../storage/storage.ts'
import { openPrerequisites } from '../../frontier/prerequisites.ts'

/** Holds documents back while a login of their area is running. Areas are given by their index in the job's list. */
export interface LoginPrerequisites {
  /** A login of the area begins. */
  begin(area: number): void
  /** The login of the area ended. */
  end(area: number): void
  /** Makes the document wait for every login of the area from now on. */
  wait(document: number, area: number): void
  /** Like `wait`, by the URL of a document that has just been queued; no effect on a URL that the job does not have. */
  waitIfKnown(url: string, area: number): void
}

/** The prerequisites of a job's logins. */
export function loginPrerequisites(store: Store, job: number): LoginPrerequisites {
  const prerequisites = openPrerequisites(store, job)
  const sql = store.statement<{ job: number; key: Uint8Array }, { id: number }>(
    `SELECT id FROM document WHERE job_id = @job AND url_key = @key`,
  )
  const eventOf = (area: number) => `login ${area}`
  const wait = (document: number, area: number) => prerequisites.waitFor(document, [eventOf(area)])
  return {
    begin: (area) => void prerequisites.begin(eventOf(area)),
    end: (area) => prerequisites.complete(eventOf(area)),
    wait,
    waitIfKnown(url, area) {
      const row = sql.get({ job, key: hash('sha256', url, 'buffer') })
      if (row) wait(row.id, area)
    },
  }
}
