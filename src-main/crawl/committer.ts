/** Writes results down, many at a time: the records are appended to the WARC file and synced, then one transaction settles
 *  the documents, adds what they link to and raises the file's mark. Whoever comes while a commit runs shares the next one,
 *  so the fsync is paid once for all of them. One committer belongs to one running job.
 *  A delivery plan and an ordered window will stand in front of `commit`; nothing else writes to the job's files. */
import type { Reason } from '../contract/outcomes.ts'
import type { Store } from '../storage/storage.ts'
import { noCounts, type Candidate, type Counts, type Frontier } from './frontier.ts'
import { frontierStatements, type DocumentToFetch, type HostRow } from './frontier.sql.ts'
import type { HarvestFile } from './harvestFile.ts'
import type { CaptureRecords } from './records.ts'

export type Result = {
  document: DocumentToFetch
  host: number
  robots?: { state: HostRow['robotsState']; text: string | null }
} & (
  | {
      kind: 'fetched'
      records: CaptureRecords
      status: number
      mediaType: string | null
      bytes: number
      fetchedMs: number
      durationMs: number
      detail: string | null
      candidates: Candidate[]
      release(): Promise<void>
    }
  | { kind: 'ended'; outcome: 'failed' | 'excluded'; reason: Reason; detail: string; durationMs: number | null }
  | { kind: 'postponed'; dueMs: number; attempted: boolean }
)

type FetchedResult = Extract<Result, { kind: 'fetched' }>

export interface Committed {
  counts: Counts
  hosts: HostRow[]
}

export interface Committer {
  /** Resolves when the result is durable. Rejects with `DiskFault` or `StorageFault` when nothing of it was kept. */
  commit(result: Result): Promise<void>
  /** Bytes of answers that are not yet written down. */
  readonly waitingBytes: number
  close(): Promise<void>
}

interface Waiting {
  result: Result
  resolve(): void
  reject(error: unknown): void
}

export interface CommitterSetting {
  store: Store
  job: number
  frontier: Frontier
  openFile: () => Promise<HarvestFile>
  fileBytesMax: number
  now: () => number
  onCommitted: (committed: Committed) => void
}

export function committerOf(setting: CommitterSetting): Committer {
  const { store, job, frontier } = setting
  const sql = frontierStatements(store)
  let file: HarvestFile | undefined
  let waiting: Waiting[] = []
  let waitingBytes = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        // Before anybody is told: whoever is woken asks at once whether there is room again.
        const committed = await write(batch.map(({ result }) => result)).finally(() => {
          waitingBytes -= batch.reduce((total, { result }) => total + bytesOf(result), 0)
        })
        setting.onCommitted(committed)
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      // A body that cannot be removed is no fault of what is committed; the next start or the end of the job removes it.
      await Promise.allSettled(batch.flatMap(({ result }) => (result.kind === 'fetched' ? [result.release()] : [])))
    }
    running = undefined
  }

  /** Before the next records, not after the last: a file that cannot be closed must not undo what is written down. */
  async function rollOver(): Promise<void> {
    if (!file || file.position < setting.fileBytesMax) return
    await file.close()
    file = undefined
  }

  async function write(results: Result[]): Promise<Committed> {
    const fetched = results.filter((result) => result.kind === 'fetched')
    const records = fetched.reduce((total, result) => total + result.records.count, 0)
    try {
      const offsets = new Map<Result, number>()
      if (fetched.length > 0) {
        await rollOver()
        file ??= await setting.openFile()
        await appendRecords(file, fetched, offsets)
        await file.sync()
      }
      return store.transaction(() => {
        const settled = results.map((result) => settle(result, offsets.get(result)))
        if (records > 0) file?.commit(records)
        const counts = sum(settled.map(({ counts }) => counts))
        sql.count.run({ job, ...counts })
        return { counts, hosts: settled.flatMap(({ hosts }) => hosts) }
      })
    } catch (error) {
      frontier.forget()
      const broken = file
      file = undefined
      // What the disk said first is what happened.
      await broken?.abandon().catch(() => undefined)
      throw error
    }
  }

  function settle(result: Result, offset: number | undefined): Committed {
    const { document } = result
    if (result.robots) sql.setRobots.run({ host: result.host, state: result.robots.state, text: result.robots.text })
    if (result.kind === 'postponed') {
      sql.putBack.run({ id: document.id, dueMs: result.dueMs, attempts: result.attempted ? 0 : 1 })
      return { counts: noCounts, hosts: [] }
    }
    if (result.kind === 'ended') {
      const { outcome, reason, detail, durationMs } = result
      sql.settleFailed.run({ id: document.id, outcome, reason, detail, nowMs: setting.now(), durationMs })
      return { counts: { ...noCounts, [outcome]: 1 }, hosts: [] }
    }
    if (!file || offset === undefined) throw new Error('a fetched document has records in the file')
    const { payloadDigest } = result.records
    const duplicate = sql.payloadKnown.get({ job, payloadDigest }) ? 1 : 0
    sql.settleFetched.run({
      id: document.id,
      status: result.status,
      mediaType: result.mediaType,
      bytes: result.bytes,
      payloadDigest,
      detail: result.detail,
      fetchedMs: result.fetchedMs,
      durationMs: result.durationMs,
      file: file.id,
      fileOffset: offset,
    })
    const discovered = frontier.discover(result.candidates, setting.now())
    return {
      counts: sum([discovered.counts, { ...noCounts, fetched: 1, duplicate, bytes: result.bytes }]),
      hosts: discovered.hosts,
    }
  }

  return {
    get waitingBytes() {
      return waitingBytes
    },
    commit: (result) =>
      new Promise((resolve, reject) => {
        waiting.push({ result, resolve, reject })
        waitingBytes += bytesOf(result)
        running ??= run()
      }),
    async close() {
      await running
      await file?.close()
    },
  }
}

/** What is in memory goes to the file in one write, however many records it is. */
async function appendRecords(file: HarvestFile, results: FetchedResult[], offsets: Map<Result, number>): Promise<void> {
  let chunks: Uint8Array[] = []
  let position = file.position
  const add = (chunk: Uint8Array) => {
    chunks.push(chunk)
    position += chunk.length
  }
  for (const result of results) {
    offsets.set(result, position)
    const { response, others } = result.records
    if (Array.isArray(response)) response.forEach(add)
    else {
      if (chunks.length > 0) await file.append(chunks)
      chunks = []
      for await (const chunk of response) await file.append([chunk])
      position = file.position
    }
    others.forEach(add)
  }
  await file.append(chunks)
}

function bytesOf(result: Result): number {
  return result.kind === 'fetched' ? result.bytes : 0
}

function sum(all: Counts[]): Counts {
  const total = { ...noCounts }
  for (const counts of all) {
    for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name]
  }
  return total
}
