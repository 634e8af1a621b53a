/** For tests: runs an import with the complete engine in a seeded world, with a database on the real disk. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ImportedFile } from '../../../contract/services/harvests.ts'
import type { JobSummary } from '../../../contract/services/jobSummary.ts'
import { recordField } from '../../../formats/records/record.ts'
import { readRecords } from '../../../formats/records/readRecords.ts'
import { openStore, type Store } from '../../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../../world/testing/seeded.ts'
import { task, type CrawlInput, type CrawlReport } from '../../crawl.thread.ts'
import { openJobs } from '../../jobs/jobs.ts'
import { defaultCrawlSettings } from '../../model/limits.ts'
import { openImports } from '../imports.ts'

/** A world with an archive, and what the engine reported. */
export interface Trial {
  world: SeededWorld
  store: Store
  input: CrawlInput
  reports: CrawlReport[]
}

/** Creates a world that holds these files. */
export async function trial(files: Record<string, Uint8Array>, seed = 1): Promise<Trial> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const world = seededWorld({ seed })
  const input = {
    databasePath: join(folder, 'loupe.db'),
    folder: '/archive/jobs',
    incomingFolder: '/archive/incoming',
    quarantineFolder: '/archive/quarantine',
    replicas: [{ name: 'one', folder: '/replicas/one' }],
    settings: defaultCrawlSettings,
    software: 'test',
  }
  const put = async () => {
    for (const [path, bytes] of Object.entries(files)) {
      const above = join(path, '..')
      await world.disk.makeFolder(above)
      await world.disk.write(path, bytes)
    }
  }
  await world.run(put())
  return { world, store: openStore(input.databasePath), input, reports: [] }
}

/** Runs the engine until the job is inactive; undefined if the simulated power failure came first. */
export async function run({ world, store, input, reports }: Trial, job: number, calls = Infinity) {
  const jobs = openJobs(store, world)
  const session = async () => {
    const stop = new AbortController()
    const engine = task(
      { world, report: (said) => void reports.push(said), signal: stop.signal, takePrinted: () => '' },
      input,
    )
    while (jobs.summary(job).state !== 'INACTIVE') await world.clock.sleep(100)
    stop.abort()
    await engine
    return jobs.summary(job)
  }
  return world.runUntilCut(session(), calls)
}

/** Starts the engine again, for long enough to store the files of a sample. */
export async function startedAgain({ world, input, reports }: Trial): Promise<void> {
  const session = async () => {
    const stop = new AbortController()
    const report = (said: CrawlReport) => void reports.push(said)
    const engine = task({ world, report, signal: stop.signal, takePrinted: () => '' }, input)
    await world.clock.sleep(30_000)
    stop.abort()
    await engine
  }
  await world.run(session())
}

interface Imported {
  job: number
  summary: JobSummary
  files: ImportedFile[]
}

/** Imports the paths and returns the job with its files. */
export async function imported(trial: Trial, ...paths: string[]): Promise<Imported> {
  const job = openJobs(trial.store, trial.world).createImport(paths)
  const ended = await run(trial, job)
  if (!ended) throw new Error('the power went')
  return { job, summary: ended.value, files: openImports(trial.store).ofJob(job) }
}

/** The bytes of a file in the replica. */
export async function inReplica({ world }: Trial, name: string): Promise<Buffer> {
  return Buffer.from(await world.run(world.disk.read(`/replicas/one/${name}`, 100_000_000)))
}

/** The blocks of the job's metadata file, by target URI. */
export async function metadataOf(trial: Trial, job: number): Promise<Map<string, string>> {
  const bytes = await inReplica(trial, `${job}-metadata-1.warc`)
  const records = new Map<string, string>()
  const source = {
    read: async (into: Uint8Array, position: number) => bytes.copy(into, 0, position, position + into.length),
  }
  for await (const record of readRecords(source)) {
    const parts: Uint8Array[] = []
    for await (const part of record.block()) parts.push(Uint8Array.from(part))
    records.set(recordField(record, 'warc-target-uri') ?? '', Buffer.concat(parts).toString())
  }
  return records
}
