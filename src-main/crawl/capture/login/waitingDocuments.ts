/** Documents behind a form wait for the login as an event: while somebody logs in none of them is handed out, wherever in the
 *  queue it stands. They are told when they are found; a seed, which nobody found, when it is first handed out. */
import { hash } from 'node:crypto'
import type { Store } from '../../../storage/storage.ts'
import { openPrerequisites } from '../../frontier/prerequisites.ts'

export interface HeldDocuments {
  begin(area: number): void
  end(area: number): void
  /** From now on the document waits for every login of the area. */
  hold(document: number, area: number): void
  /** The same by its address, for what has just been queued; of no effect on what the job does not know. */
  holdFound(url: string, area: number): void
}

export function heldDocuments(store: Store, job: number): HeldDocuments {
  const prerequisites = openPrerequisites(store, job)
  const sql = store.statement<{ job: number; key: Uint8Array }, { id: number }>(
    `SELECT id FROM document WHERE job_id = @job AND url_key = @key`,
  )
  const eventOf = (area: number) => `login ${area}`
  const hold = (document: number, area: number) => prerequisites.waitFor(document, [eventOf(area)])
  return {
    begin: (area) => void prerequisites.begin(eventOf(area)),
    end: (area) => prerequisites.complete(eventOf(area)),
    hold,
    holdFound(url, area) {
      const row = sql.get({ job, key: hash('sha256', url, 'buffer') })
      if (row) hold(row.id, area)
    },
  }
}
