/** Documents behind a form wait for the login as an event: while somebody logs in none of them is handed out, wherever in the
 *  queue it stands. They are told when they are found; a seed, which nobody found, when it is first handed out. */
import { hash } from 'node:crypto'
import type { Store } from '../../../storage/storage.ts'
import { openPrerequisites } from '../../frontier/prerequisites.ts'

export interface LoginPrerequisites {
  begin(area: number): void
  end(area: number): void
  /** From now on the document waits for every login of the area. */
  wait(document: number, area: number): void
  /** The same by its address, for what has just been queued; of no effect on what the job does not know. */
  waitIfKnown(url: string, area: number): void
}

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
