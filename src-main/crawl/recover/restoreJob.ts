/** Restores the rows of a job from its metadata files: the job at the end of its last run, with its files, documents,
 *  captures and log. State that only the database had is lost: links between documents, robots.txt rules, positions in the
 *  queue. The next run therefore checks everything from the beginning and compares it with the archive. */
import { message, storedMessage, type Message } from '../../contract/words/message.ts'
import { harvestDefinition, storedDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import { truncationNames } from '../../contract/states/outcomes.ts'
import { importedFileStates, isInArchive } from '../../contract/states/importedFileStates.ts'
import { jobStates } from '../../contract/states/states.ts'
import { jsonOf } from '../../formats/bytes/json.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { restoreConnections, withUsableNames } from '../connections/recordedConnections.ts'
import { definitionStatements } from '../definition/definition.sql.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { keyOf, originOf, domainOf } from '../model/urlKeys.ts'
import { jobLogOf } from '../model/jobLog.ts'
import { newJobStatements } from '../model/jobs.sql.ts'
import { progressStatements } from '../model/progress.sql.ts'
import { importResultStatements } from '../import/importResults.sql.ts'
import type { DocumentLine, ImportedLine, JobRecord } from '../finish/jobRecord.ts'
import type { JobMetadata } from './readJobMetadata.ts'
import { restoreDocumentStatements, restoreJobStatements } from './restoreJob.sql.ts'

/** A metadata file and its name in the archive. */
export interface RunMetadata extends JobMetadata {
  name: string
}

/** Adds the job with all its runs, in order, under the given number. It counts as ended once `endJob` was called: after a
 *  kill before that, recovery continues with it. */
export function restoreJob(store: Store, job: number, runs: readonly RunMetadata[]): void {
  const last = runs.at(-1)
  if (!last) throw new Error(`job ${job} has no run`)
  const { record, writtenMs } = last
  const sql = restoreJobStatements(store)
  const log = jobLogOf(store)
  store.transaction(() => {
    const { kind, name, createdMs, definitionId } = record
    restoreConnections(store, record.connections)
    const added = sql.addHarvest.get({
      ...{ harvest: record.harvest, definitionId, name, kind, createdMs },
      definition: definitionNow(store, last),
    })
    if (!added) throw new Error('a harvest was not added')
    sql.addJob.run({ ...rowOf(record), job, harvest: added.id, state: jobStates.initial })
    addSetup(store, job, last)
    for (const [at, run] of runs.entries()) {
      addRun(store, job, { run, previous: runs[at - 1] })
      // Reports about the last run have only its lines of the log.
      if (run === last) sql.beginLog.run({ job })
      if (run !== last) addEarlierRun(store, job, run)
      for (const { atMs, level, text } of run.log)
        log.add({ job, nowMs: atMs, level, message: message('text', { text }) })
    }
    log.add({ job, nowMs: writtenMs, level: 'info', message: restoredMessage(record, job) })
  })
}

/** Adds the files of a run that is missing from a job which the database knows at a later state. The job itself does not
 *  change. */
export function restoreRun(store: Store, job: number, run: RunMetadata): void {
  store.transaction(() => {
    addFiles(store, job, run)
    addMetadata(store, job, run)
  })
}

/** Marks a restored job as ended: everything of it, including its metadata files, is in the archive. */
export function endJob(store: Store, job: number, runs: readonly RunMetadata[]): void {
  const last = runs.at(-1)
  if (!last) throw new Error(`job ${job} has no run`)
  store.transaction(() => {
    for (const run of runs) addMetadata(store, job, run)
    restoreJobStatements(store).end.run({ job, endedMs: last.writtenMs })
  })
}

/** Adds what the job has beside its runs: limits of domains, and setup records of a generated job. */
function addSetup(store: Store, job: number, { record, setup }: RunMetadata): void {
  const sql = newJobStatements(store)
  for (const limit of record.limits) sql.addBudget.run({ job, ...limit })
  for (const each of setup) sql.addSetupRecord.run({ job, ...each })
}

function addRun(store: Store, job: number, { run, previous }: { run: RunMetadata; previous: RunMetadata | undefined }) {
  const { record } = run
  if (record.kind === 'event') addDefinitions(store, job, { run, after: previous?.record.run ?? 0 })
  addFiles(store, job, run)
  const { restore } = progressStatements(store)
  for (const sample of record.progress) restore.run({ job, run: record.run, ...sample })
  const { addRemoved } = restoreJobStatements(store)
  for (const line of run.removed) addRemoved.run({ job, run: record.run, ...line })
  const { addImported } = restoreJobStatements(store)
  const { addTruncation } = importResultStatements(store)
  for (const line of run.imported) {
    const added = addImported.get({ job, ...importedOf(line) })
    if (added === undefined) continue
    for (const reason of truncationNames) {
      const captures = line.truncated[reason] ?? 0
      if (captures > 0) addTruncation.run({ job, reason, file: added.id, captures })
    }
  }
}

/** Adds the definitions that were in effect after the run `after`: those of the report of changes, or the one of the run. */
function addDefinitions(store: Store, job: number, { run, after }: { run: RunMetadata; after: number }): void {
  const { hold } = definitionStatements(store)
  const changes = run.changes.filter((change) => change.run > after)
  for (const { run: number, from, definition } of changes)
    hold.run({
      ...{ job, run: number, fromMs: from === null ? null : Date.parse(from) },
      definition: JSON.stringify(definition),
    })
  if (changes.length === 0) hold.run({ job, run: run.record.run, fromMs: null, definition: definitionOf(run) })
}

/** Adds the counts of a run that later runs followed; the counts of the last run belong to the job itself. */
function addEarlierRun(store: Store, job: number, { record, writtenMs }: RunMetadata): void {
  const { run, startedMs, runningMs, stopReason, truncated, bytes, documents } = record
  const { fetched, failed, excluded } = documents
  restoreJobStatements(store).addEarlierRun.run({
    ...{ job, run, startedMs, endedMs: writtenMs, runningMs, stopReason },
    ...{ fetched, failed, excluded, truncated, bytes },
  })
}

function addFiles(store: Store, job: number, { record, name }: RunMetadata): void {
  const { addFile } = restoreJobStatements(store)
  for (const file of record.files) addFile.run({ job, ...file, metadataName: name })
}

function addMetadata(store: Store, job: number, { record, name }: RunMetadata): void {
  restoreJobStatements(store).addMetadata.run({ job, run: record.run, name, runId: record.runId })
}

function rowOf(record: JobRecord) {
  const { stopReason, failure, createdMs, startedMs, runningMs, bytes, run, runId, priority, schedule, documents } =
    record
  return { stopReason, failure, createdMs, startedMs, runningMs, bytes, run, runId, priority, schedule, ...documents }
}

/** Returns the stored definition with the names of connections that exist. */
function definitionNow(store: Store, run: RunMetadata): string {
  return JSON.stringify(withUsableNames(store, storedDefinition.parse(JSON.parse(definitionOf(run)))))
}

/** Returns the stored definition. If it is missing or unreadable, returns a minimal one, of a job that fetches nothing
 *  further. */
function definitionOf(run: RunMetadata): string {
  const definition = storedDefinitionOf(run)
  if (definition) {
    const { schedule: _, ...stored } = definition
    return JSON.stringify(stored)
  }
  return JSON.stringify(harvestDefinition.parse({ seeds: [run.record.name || 'unknown'], scope: 'page' }))
}

/** Returns the definition of a run; undefined if it is missing or unreadable. */
export function storedDefinitionOf({ definition }: JobMetadata): HarvestDefinition | undefined {
  return storedDefinition.safeParse(definition === undefined ? undefined : jsonOf(definition)).data
}

function importedOf(line: ImportedLine) {
  const { from, kind, bytes, sha256, name, treatment, records, captures, errors, warnings, notes, archivedAs } = line
  const reported = importedFileStates.states.find((each) => each === line.state)
  // The import of this job has ended: a file without a result never gets one.
  const state = reported && isInArchive(reported) ? reported : 'REJECTED'
  return {
    ...{ path: from, kind, bytes, sha256, state, treatment, archivedAs, records, captures, errors, warnings, notes },
    // A rejected file has no name in the archive, even if one was reserved for it.
    name: state === 'IMPORTED' ? name : null,
    message: line.message === null ? null : storedMessage(message('text', { text: line.message })),
  }
}

function restoredMessage({ job: earlier }: JobRecord, job: number): Message {
  return earlier === job ? message('jobLog.recovered') : message('jobLog.recovered.renumbered', { earlier })
}

/** Adds documents in the order in which they were found. Their URLs are valid. */
export async function addDocuments(
  { store, world }: { store: Store; world: Pick<World, 'clock'> },
  job: number,
  documents: AsyncIterable<DocumentLine[]>,
): Promise<void> {
  const sql = restoreDocumentStatements(store)
  const { addHost } = frontierStatements(store)
  const hosts = new Map<string, number>()
  /** Documents found before the page that led to them. There are few: robots.txt of a host, reached from a page that was
   *  later found again from elsewhere. */
  const foundEarlier: { key: Uint8Array; viaKey: Uint8Array }[] = []
  const hostOf = (url: string) => {
    const origin = originOf(url)
    const known = hosts.get(origin) ?? addHost.get({ job, origin, domain: domainOf(origin) })?.id
    if (known === undefined) throw new Error(`no row for the host ${origin}`)
    hosts.set(origin, known)
    return known
  }
  const add = (line: DocumentLine) => {
    const { capture, via, ...document } = line
    const key = keyOf(line.url)
    const viaKey = via === null ? null : keyOf(via)
    const added = sql.addDocument.get({
      ...document,
      ...{ job, key, viaKey, host: hostOf(line.url) },
      state: line.outcome === null ? 'UNCHANGED' : 'COMPLETE',
      nowMs: line.dueMs ?? line.fetchedMs ?? 0,
    })
    if (added?.via === null && viaKey !== null) foundEarlier.push({ key, viaKey })
    if (capture === null) return
    const { elsewhere, ...compared } = capture
    sql.addCapture.run({ ...compared, job, key })
    if (elsewhere) sql.addElsewhere.run({ ...elsewhere, ms: compared.ms, job, key })
  }
  for await (const lines of documents) {
    store.transaction(() => lines.forEach(add))
    await world.clock.sleep(0)
  }
  store.transaction(() => foundEarlier.forEach(({ key, viaKey }) => sql.setVia.run({ job, key, viaKey })))
}
