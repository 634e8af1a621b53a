/** Fixture for tests of further runs: a job whose list holds documents in given states, and access to the list afterwards. */
import { hash } from 'node:crypto'
import type { DocumentState } from '../../../contract/states/documentStates.ts'
import { harvestDefinition } from '../../../contract/services/definition.ts'
import { openStore, type Store } from '../../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../../world/testing/seeded.ts'
import { openJobs } from '../../jobs/jobs.ts'

/** A document to add to the list. */
export interface ListedDocument {
  url: string
  state: DocumentState
  /** Whether the archive holds a capture of it. */
  isCaptured?: boolean
  seedMark?: 'F' | 'S' | 'N'
  dueMs?: number
  outcome?: 'fetched' | 'failed' | 'excluded' | null
  comparison?: 'new' | 'unchanged' | 'changed' | 'gone' | null
  checkAction?: 'rescan' | 'remove' | null
}

/** A job and its list. */
export interface CrawlListFixture {
  world: SeededWorld
  store: Store
  job: number
  add(document: ListedDocument): number
  /** Maps each URL to its state. */
  states(): Record<string, string>
  column(name: string): Record<string, unknown>
}

/** Creates a job whose list holds these documents. */
export function crawlListFixture(documents: readonly ListedDocument[] = []): CrawlListFixture {
  const world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  const job = openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  return listOf({ world, store, job, documents })
}

/** Creates the list of another job in the same archive. */
export function anotherList(
  { world, store }: CrawlListFixture,
  documents: readonly ListedDocument[] = [],
): CrawlListFixture {
  const job = openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  return listOf({ world, store, job, documents })
}

function listOf(
  made: Pick<CrawlListFixture, 'world' | 'store' | 'job'> & { documents: readonly ListedDocument[] },
): CrawlListFixture {
  const { store, job } = made
  const host = store
    .statement<{ job: number }, { id: number }>(
      `INSERT INTO host (job_id, origin, robots_state) VALUES (@job, 'http://a.test', 'ALLOWED') RETURNING id`,
    )
    .get({ job })
  const insert = store.statement<object, { id: number }>(
    `INSERT INTO document (job_id, url_key, url, host_id, state, outcome, comparison, role, hop_path, hops, due_ms, seed_mark, check_action)
     VALUES (@job, @key, @url, @host, @state, @outcome, @comparison, 'page', '', 0, @dueMs, @seedMark, @checkAction) RETURNING id`,
  )
  const capture = store.statement<{ id: number }>(
    `INSERT INTO capture (document_id, record_id, captured_ms, status, payload_digest, file_id, file_offset, first_ms, checked_ms, change_count)
     VALUES (@id, 'r', 0, 200, 'sha1:A', 1, 0, 0, 0, 1)`,
  )
  const add = (document: ListedDocument): number => {
    const { url, isCaptured = false, seedMark = 'F', dueMs = 0, outcome = null, ...rest } = document
    const { state, comparison = null, checkAction = null } = rest
    const key = hash('sha256', url, 'buffer')
    const found = insert.get({
      job,
      key,
      url,
      host: host?.id,
      state,
      outcome,
      comparison,
      dueMs,
      seedMark,
      checkAction,
    })
    if (!found) throw new Error('a document was not added')
    if (isCaptured) capture.run(found)
    return found.id
  }
  for (const document of made.documents) add(document)
  const column = (name: string) => {
    const rows = store
      .statement<{ job: number }, { url: string; value: unknown }>(
        `SELECT url, ${name} AS value FROM document WHERE job_id = @job ORDER BY id`,
      )
      .all({ job })
    return Object.fromEntries(rows.map(({ url, value }) => [url, value]))
  }
  return { ...made, add, column, states: () => column('state') as Record<string, string> }
}
