/** Jobs that deliver to outputs, as the crawl leaves them in the database: the fixture writes what a commit, a cleanup, an expiry or a deletion
 *  writes, and nothing else. Captures are records of WARC files in memory. */
import { createHash } from 'node:crypto'
import type { OutputInput } from '../../contract/services/outputs.ts'
import type { OutputChoice } from '../../contract/shapes/outputChoice.ts'
import type { Store } from '../../storage/storage.ts'
import type { ReadableFile, World } from '../../world/world.ts'
import type { StepEnvironment } from '../model/steps.ts'
import { openOutputs } from '../outputs/outputs.ts'

/** What a job captured of a URL. */
export interface Captured {
  body: string
  mediaType?: string
  status?: number
}

/** Returns a file with one record. */
function recordFile({ body, mediaType = 'text/html', status = 200 }: Captured): ReadableFile {
  const block = `HTTP/1.1 ${status} OK\r\nContent-Type: ${mediaType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const fields = [
    ...['WARC-Type: response', 'WARC-Target-URI: http://a.test/', 'WARC-Date: 2026-01-31T09:30:00Z'],
    ...[
      'WARC-Record-ID: <urn:uuid:12345678-1234-4234-8234-123456789012>',
      `Content-Length: ${Buffer.byteLength(block)}`,
    ],
    'Content-Type: application/http; msgtype=response',
  ]
  const bytes = Buffer.from(`WARC/1.1\r\n${fields.join('\r\n')}\r\n\r\n${block}\r\n\r\n`)
  return {
    read: async (into, position) => bytes.copy(into, 0, position),
    bytes: async () => bytes.length,
    close: async () => undefined,
  }
}

export const digestOfBody = (body: string) => `sha1:${createHash('sha1').update(body).digest('hex')}`

/** Makes the fixture. `nowMs`: the time of the captures, which has to grow. */
export function outputFixture(store: Store, nowMs: () => number) {
  const files = new Map<string, Captured>()
  let nextFile = 0
  const keyOf = (url: string) => createHash('sha256').update(url).digest()
  const run = (sql: string, input: object = {}) => store.statement<object>(sql).run(input)
  const idOf = (job: number, url: string) =>
    store
      .statement<object, { id: number; state: string }>(
        `SELECT id, state FROM document WHERE job_id = @job AND url_key = @key`,
      )
      .get({ job, key: keyOf(url) })
  const definitionOf = (outputs: readonly Partial<OutputChoice>[]) =>
    JSON.stringify({ seeds: ['http://a.test/'], outputs })

  return {
    outputs: openOutputs(store, { now: nowMs, sleep: () => Promise.resolve() }),
    addOutput(name: string, folder: string, more: Partial<OutputInput> = {}) {
      const settings = { connector: 'folder', folder } as const
      return this.outputs.add({ name, description: '', settings, steps: [], requestsMax: 2, ...more })
    },
    addJob(job: number, outputs: readonly Partial<OutputChoice>[]): void {
      const definition = definitionOf(outputs)
      store.transaction(() => {
        run(
          `INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (@job, @name, 'event', @definition, 0)`,
          { job, definition, name: `h${job}` },
        )
        run(`INSERT INTO job (id, harvest_id, state, created_ms) VALUES (@job, @job, 'INACTIVE', 0)`, { job })
        run(`INSERT INTO host (id, job_id, origin) VALUES (@job, @job, 'http://a.test')`, { job })
      })
    },
    /** Changes the outputs that a job names. */
    deliverTo(job: number, outputs: readonly Partial<OutputChoice>[]): void {
      run(`UPDATE harvest SET definition = @definition WHERE id = @job`, { job, definition: definitionOf(outputs) })
    },
    /** Settles a document with a capture, as a commit does. */
    capture(job: number, url: string, captured: Captured): void {
      nextFile += 1
      const file = nextFile
      files.set(`file${file}`, captured)
      const { body, mediaType = 'text/html', status = 200 } = captured
      store.transaction(() => {
        run(
          `INSERT INTO harvest_file (id, job_id, serial, name, state, committed_bytes) VALUES (@file, @job, @file, @name, 'OPEN', 0)`,
          { job, file, name: `file${file}` },
        )
        const before = idOf(job, url)
        if (before?.state === 'HOPCOUNTREMOVED')
          run(`UPDATE document SET state = 'PENDING' WHERE id = @id`, { id: before.id })
        if (before && before.state !== 'COMPLETE') {
          run(`UPDATE document SET state = 'ACTIVE' WHERE id = @id AND state = 'PENDING'`, { id: before.id })
          run(`UPDATE document SET state = 'COMPLETE' WHERE id = @id AND state = 'ACTIVE'`, { id: before.id })
        }
        run(
          `INSERT INTO document (job_id, url_key, url, host_id, state, role, hop_path, hops, due_ms, outcome, media_type, content_bytes)
           VALUES (@job, @key, @url, @job, 'COMPLETE', 'page', '', 0, 0, 'fetched', @mediaType, @bytes)
           ON CONFLICT (job_id, url_key) DO UPDATE SET outcome = 'fetched', media_type = @mediaType, content_bytes = @bytes`,
          { job, key: keyOf(url), url, mediaType, bytes: body.length },
        )
        run(
          `INSERT INTO capture (document_id, record_id, captured_ms, status, payload_digest, media_type, content_bytes, file_id, file_offset,
                                first_ms, checked_ms, change_count)
           VALUES (@id, 'r', @nowMs, @status, @digest, @mediaType, @bytes, @file, 0, @nowMs, @nowMs, 1)
           ON CONFLICT (document_id) DO UPDATE SET captured_ms = @nowMs, status = @status, payload_digest = @digest,
             media_type = @mediaType, content_bytes = @bytes, file_id = @file, checked_ms = @nowMs`,
          {
            id: idOf(job, url)?.id,
            nowMs: nowMs(),
            status,
            digest: digestOfBody(body),
            mediaType,
            bytes: body.length,
            file,
          },
        )
      })
    },
    /** Notes that a document is unchanged. */
    check(job: number, url: string): void {
      run(`UPDATE capture SET checked_ms = @nowMs WHERE document_id = @id`, { id: idOf(job, url)?.id, nowMs: nowMs() })
    },
    /** Removes a document from the list of a job: a cleanup, an expiry or an answer that it is gone. */
    leave(job: number, url: string): void {
      run(`DELETE FROM document WHERE job_id = @job AND url_key = @key`, { job, key: keyOf(url) })
    },
    exclude(job: number, url: string): void {
      run(`UPDATE document SET outcome = 'excluded' WHERE job_id = @job AND url_key = @key`, { job, key: keyOf(url) })
    },
    outOfRange(job: number, url: string): void {
      run(
        `UPDATE document SET state = 'HOPCOUNTREMOVED' WHERE job_id = @job AND url_key = @key AND state = 'COMPLETE'`,
        { job, key: keyOf(url) },
      )
    },
    /** Deletes a job: its documents first, then its rows. */
    deleteJob(job: number): void {
      run(`DELETE FROM document WHERE job_id = @job`, { job })
      store.transaction(() => {
        for (const table of ['host', 'harvest_file']) run(`DELETE FROM ${table} WHERE job_id = @job`, { job })
        run(`DELETE FROM job WHERE id = @job`, { job })
        run(`DELETE FROM harvest WHERE id = @job`, { job })
      })
    },
    environment(world: World): StepEnvironment {
      return {
        store,
        world,
        indexesFolder: '/indexes',
        openFile: async (name) => recordFile(files.get(name) ?? { body: '' }),
        filesOf: async () => [],
      }
    },
    /** Whether nothing is to be done. */
    isQuiet(): boolean {
      const count = (sql: string) => store.statement<object, { count: number }>(sql).get({})?.count ?? 0
      return (
        count(`SELECT COUNT(*) AS count FROM output_pending`) === 0 &&
        count(`SELECT COUNT(*) AS count FROM output_scan`) === 0 &&
        count(`SELECT COUNT(*) AS count FROM output_notice WHERE state = 'WAITING'`) === 0 &&
        count(
          `SELECT COUNT(*) AS count FROM delivery_status WHERE state NOT IN ('INDEXED', 'DROPPED', 'DEAD', 'ERROR_DOC')`,
        ) === 0
      )
    },
  }
}
