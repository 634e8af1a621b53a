/** Invariants of a harvest, each reported as a sentence when violated. They compare what `evidence.ts` finds on the disk with the
 *  database, and know nothing of power cuts, faults and actions of users. */
import { join } from 'node:path'
import { documentStates } from '../contract/states/states.ts'
import type { Counts } from '../crawl/frontier/counts.ts'
import type { Store } from '../storage/storage.ts'
import {
  checksumReplica,
  entryIn,
  filesIn,
  jobsFolder,
  namesIn,
  placeOf,
  replicas,
  sha256Of,
  type Evidence,
  type FoundFile,
} from './evidence.ts'

/** Checks the state of the disk after each power cut. Keeps what it saw before, so one checker follows a harvest from machine to machine. */
export function survival(): (evidence: Evidence) => Promise<string[]> {
  let fetchedBefore = new Set<number>()
  let run = 1
  return async (evidence) => {
    // A further run starts with the list of the last one and settles each document again.
    if (runOf(evidence) !== run) fetchedBefore = new Set()
    run = runOf(evidence)
    const fetched = new Set(
      evidence.store
        .statement<object, { id: number }>(
          `SELECT document.id FROM document JOIN job ON job.id = job_id WHERE outcome = 'fetched' AND job.started_ms IS NOT NULL`,
        )
        .all({})
        .map(({ id }) => id),
    )
    // Expired documents leave the list, and documents that are due again have no outcome yet.
    const isKept = !evidence.options.continuous
    const lost = isKept ? [...fetchedBefore].filter((id) => !fetched.has(id)) : []
    fetchedBefore = fetched
    return [
      ...lost.map((id) => `Document ${id} was fetched and is no longer.`),
      ...(await evidence.world.run(filesLost(evidence))),
      ...(await evidence.world.run(uploadsUntrue(evidence))),
    ]
  }
}

function runOf({ store, job }: Pick<Evidence, 'store' | 'job'>): number {
  return store.statement<{ job: number }, { run: number }>('SELECT run FROM job WHERE id = @job').get({ job })?.run ?? 0
}

interface HarvestFileRow {
  name: string
  state: 'OPEN' | 'CLOSED' | 'STORED'
  committedBytes: number
  archived: number | null
}

/** Every byte that the database counts is on the disk, until the archive has it. */
async function filesLost({ world, store, job }: Evidence): Promise<string[]> {
  const rows = store.statement<{ job: number }, HarvestFileRow>(
    `SELECT harvest_file.name, state, committed_bytes AS committedBytes, stored_ms AS archived
     FROM harvest_file LEFT JOIN archive_file ON archive_file.name = harvest_file.name WHERE harvest_file.job_id = @job`,
  )
  const violations: string[] = []
  for (const { name, state, committedBytes, archived } of rows.all({ job })) {
    if (archived !== null) continue
    const path = join(jobsFolder, String(job), name)
    const found =
      (await world.disk.stat(path)) ?? (state === 'OPEN' ? await world.disk.stat(`${path}.open`) : undefined)
    if ((found?.bytes ?? 0) < committedBytes)
      violations.push(`${name} is ${state} and has ${found?.bytes ?? 'no'} bytes of the ${committedBytes} that count.`)
  }
  return violations
}

/** A copy is UPLOAD_COMPLETED only when its bytes have the registered checksum, and a file is stored only when every copy
 *  is completed. */
async function uploadsUntrue({ world, store }: Evidence): Promise<string[]> {
  const rows = store.statement<
    object,
    { name: string; sha256: string; stored: number | null; replica: string; upload: string }
  >(
    `SELECT name, sha256, stored_ms AS stored, replica, upload_state AS upload
     FROM archive_file JOIN replica_file ON file_id = archive_file.id`,
  )
  const violations: string[] = []
  for (const { name, sha256, stored, replica, upload } of rows.all({})) {
    if (stored !== null && upload !== 'UPLOAD_COMPLETED')
      violations.push(`${name} counts as stored, and its copy in ${replica} is ${upload}.`)
    if (upload !== 'UPLOAD_COMPLETED') continue
    const found =
      replica === checksumReplica.name
        ? await entryIn(world, name)
        : await sha256Of(world, join(folderOf(replica), name))
    if (found !== sha256)
      violations.push(
        `The copy of ${name} in ${replica} counts as completed and has the checksum ${found ?? 'of nothing'}.`,
      )
  }
  return violations
}

function folderOf(replica: string): string {
  return replicas.find(({ name }) => name === replica)?.folder ?? ''
}

/** The result of the final check, with what `comparison` needs. */
export interface Ending {
  violations: string[]
  /** Captured URLs, in order. */
  urls: string[]
  /** URLs excluded by changes of the queue. */
  refusedUrls: string[]
  /** Discovered URLs out of scope. */
  outsideUrls: string[]
  runs: number
}

/** Checks the state at the end: the job has ended, its counters are right, replicas are identical, and documents,
 *  index and files name the same captures. */
export async function ending(evidence: Evidence): Promise<Ending> {
  const { world, store, job } = evidence
  const [first = [], ...others] = await world.run(Promise.all(replicas.map(({ folder }) => filesIn(world, folder))))
  const left = await world.run(namesIn(world, join(jobsFolder, String(job))))
  const captures = first.flatMap((file) => file.captures)
  const places = captures.map(({ place }) => place)
  const known = placesOfDocuments(store, job)
  // The table has only the last capture of a document.
  const isOnly = isCapturedOnce(evidence)
  const violations = [
    ...jobUnended(store, job),
    ...countersWrong(evidence),
    ...first.flatMap((file) => file.findings),
    ...others.flatMap((files) => differences(first, files)),
    ...notStored(store, first),
    ...left.map((name) => `${name} was left in the folder of the job.`),
    ...unlike(
      'captures in the documents table',
      known,
      isOnly ? places : places.filter((place) => known.includes(place)),
    ),
    ...unlike(
      'captures in the index of the metadata file',
      first.flatMap(({ listed }) => listed),
      places,
    ),
  ]
  return {
    violations,
    urls: captures.map(({ url }) => url).sort(),
    refusedUrls: excludedUrls(evidence, ['rejected', 'dropped', 'domainObjects', 'domainBytes']),
    outsideUrls: excludedUrls(evidence, ['outOfScope']),
    runs: runOf(evidence),
  }
}

function isCapturedOnce(evidence: Evidence): boolean {
  return runOf(evidence) === 1 && !evidence.options.continuous
}

function excludedUrls({ store, job }: Evidence, reasons: string[]): string[] {
  return store
    .statement<{ job: number; reasons: string }, { url: string }>(
      `SELECT url FROM document WHERE job_id = @job AND outcome = 'excluded' AND reason IN (SELECT value FROM json_each(@reasons))`,
    )
    .all({ job, reasons: JSON.stringify(reasons) })
    .map(({ url }) => url)
}

/** A document of an earlier run that this run has not visited stays in the list and is not counted. A run that was stopped leaves the
 *  decision about it to the next one. */
const isLeft = `outcome IS NULL AND job.run > 1 AND (document.state = 'UNCHANGED'
  OR document.state = 'PURGATORY' AND job.stop_reason <> 'DOWNLOAD_COMPLETE')`

/** Reports a job that has not ended, and documents that are not settled in one that has. */
export function jobUnended(store: Store, job: number): string[] {
  const row = store
    .statement<{ job: number }, { state: string; ended: number | null; stopReason: string | null }>(
      `SELECT state, ended_ms AS ended, stop_reason AS stopReason FROM job WHERE id = @job`,
    )
    .get({ job })
  const ended = row?.state === 'INACTIVE' && row.ended !== null && row.stopReason !== null
  const documents = store
    .statement<{ job: number }, { state: string; outcome: string | null; documents: number }>(
      `SELECT document.state, outcome, COUNT(*) AS documents FROM document JOIN job ON job.id = job_id
       WHERE job_id = @job AND NOT ((document.state = 'COMPLETE' AND outcome IS NOT NULL) OR (${isLeft})) GROUP BY 1, 2`,
    )
    .all({ job })
  const known: readonly string[] = documentStates.states
  return [
    ...(ended ? [] : [`The job has not ended: ${JSON.stringify(row)}.`]),
    ...documents.map(
      ({ state, documents }) =>
        `${documents} documents are ${known.includes(state) ? state : `in no state: ${state}`} in a job that has ended.`,
    ),
  ]
}

/** Compares the counters of the job with its documents, as far as the table can show. */
function countersWrong(evidence: Evidence): string[] {
  const { store, job } = evidence
  const reported = store.statement<{ job: number }, Counts>(
    `SELECT documents_total AS total, documents_fetched AS fetched, documents_failed AS failed, documents_excluded AS excluded,
            documents_duplicate AS duplicate, bytes FROM job WHERE id = @job`,
  )
  const counted = store.statement<{ job: number }, Counts>(
    `SELECT COUNT(*) FILTER (WHERE NOT (${isLeft})) AS total, COUNT(*) FILTER (WHERE outcome = 'fetched') AS fetched,
            COUNT(*) FILTER (WHERE outcome = 'failed') AS failed, COUNT(*) FILTER (WHERE outcome = 'excluded') AS excluded,
            COUNT(*) FILTER (WHERE outcome = 'fetched') - COUNT(DISTINCT payload_digest) FILTER (WHERE outcome = 'fetched') AS duplicate,
            COALESCE(SUM(document.bytes) FILTER (WHERE outcome = 'fetched'), 0) AS bytes
     FROM document JOIN job ON job.id = job_id WHERE job_id = @job`,
  )
  // Bytes and duplicates are counted per run, but the table has them for the last capture of each document only, and documents that left
  // the list of a continuous job are not in it.
  const left = store.statement<{ job: number }, { documents: number }>(
    `SELECT COUNT(*) AS documents FROM removed_document JOIN job ON job.id = job_id AND job.run = removed_document.run
     WHERE job_id = @job AND why <> 'notFound'`,
  )
  const comparable = (counters: Partial<Counts> = {}, more = 0) => {
    const { total = 0, failed, excluded } = counters
    if (evidence.options.continuous) return JSON.stringify({ total: total + more })
    return JSON.stringify(isCapturedOnce(evidence) ? counters : { total, fetched: counters.fetched, failed, excluded })
  }
  const [one, other] = [
    comparable(reported.get({ job })),
    comparable(counted.get({ job }), left.get({ job })?.documents),
  ]
  return one === other ? [] : [`The counters of the job say ${one}, its documents ${other}.`]
}

/** Places of the captures in the documents table. */
function placesOfDocuments(store: Store, job: number): string[] {
  return store
    .statement<{ job: number }, { name: string; offset: number; url: string }>(
      `SELECT harvest_file.name, file_offset AS offset, url FROM document JOIN harvest_file ON harvest_file.id = file_id
       WHERE document.job_id = @job AND outcome = 'fetched'`,
    )
    .all({ job })
    .map(({ name, offset, url }) => placeOf(name, offset, url))
}

/** Compares the files of two replicas by name and checksum. */
function differences(one: FoundFile[], other: FoundFile[]): string[] {
  const named = (files: FoundFile[]) => files.map(({ name, sha256 }) => `${name} ${sha256}`)
  return unlike('files in the first replica', named(one), named(other))
}

/** Reports files of the catalogue that are not in every replica, and files that only one of the two has. */
function notStored(store: Store, found: FoundFile[]): string[] {
  const rows = store.statement<object, { name: string; sha256: string; stored: number | null }>(
    `SELECT name, sha256, stored_ms AS stored FROM archive_file`,
  )
  const registered = rows.all({})
  return [
    ...registered.filter(({ stored }) => stored === null).map(({ name }) => `${name} is not stored in every replica.`),
    ...unlike(
      'files in the catalogue',
      registered.map(({ name, sha256 }) => `${name} ${sha256}`),
      found.map(({ name, sha256 }) => `${name} ${sha256}`),
    ),
  ]
}

/** Compares as multisets. */
export function unlike(what: string, expected: readonly string[], found: readonly string[]): string[] {
  return [...surplusOf(found, expected)].flatMap(([each, surplus]) => {
    if (surplus === 0) return []
    return [`${each} is there ${surplus > 0 ? `${surplus} times more` : `${-surplus} times less`} than in the ${what}.`]
  })
}

/** Counts elements in excess of the expected ones. */
export function surplusOf(found: readonly string[], expected: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const each of found) counts.set(each, (counts.get(each) ?? 0) + 1)
  for (const each of expected) counts.set(each, (counts.get(each) ?? 0) - 1)
  return counts
}
