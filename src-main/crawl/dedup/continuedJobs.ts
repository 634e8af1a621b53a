/** The jobs that a job continues: documents that they captured are not stored again.
 *
 *  - Jobs that the definition names.
 *  - For a job of a harvest definition, those that its generation has named, as in NetarchiveSuite: the jobs of the run before; for a
 *    snapshot those of the snapshots that it continues, and of the newest chain before them.
 *  - For a job that a user started: earlier such jobs with a seed on the same host.
 *
 *  The jobs that these continued belong to them, because their revisits refer to captures there. */
import type { Deduplication } from '../../contract/shapes/deduplication.ts'
import type { Store } from '../../storage/storage.ts'
import { duplicateReductionJobs, jobStatements } from '../model/jobs.sql.ts'
import { continuedJobsMax } from '../model/limits.ts'
import { continuedJobsStatements } from './continuedJobs.sql.ts'
import { indexRequestStatements } from './indexRequests.sql.ts'

/** A job with what decides which jobs it continues. */
export interface ContinuingJob {
  job: number
  seeds: readonly string[]
  deduplication: Pick<Deduplication, 'jobs'>
}

/** Returns job numbers, ascending, at most `continuedJobsMax` of them: the newest. */
export function continuedJobs(store: Store, { job, seeds, deduplication }: ContinuingJob): number[] {
  const direct = deduplication.jobs ?? continuedBy(store, { job, seeds })
  const { jobsOf } = indexRequestStatements(store)
  const all = new Set(direct)
  for (const each of direct) {
    const row = jobsOf.get({ job: each })
    if (row) for (const further of JSON.parse(row.jobs) as number[]) all.add(further)
  }
  all.delete(job)
  const { stored } = continuedJobsStatements(store)
  return stored
    .all({ jobs: JSON.stringify([...all]) })
    .map(({ id }) => id)
    .slice(-continuedJobsMax)
}

function continuedBy(store: Store, { job, seeds }: Pick<ContinuingJob, 'job' | 'seeds'>): number[] {
  const sql = continuedJobsStatements(store)
  const isGenerated = (sql.definitionOf.get({ job })?.id ?? null) !== null
  if (isGenerated) return jobsNamedAtGeneration(store, job)
  const hosts = hostsOf(seeds)
  const found: number[] = []
  for (let before = Number.MAX_SAFE_INTEGER; found.length < continuedJobsMax;) {
    const others = sql.ofUsers.all({ job, before, limit: continuedJobsMax })
    for (const other of others)
      if ([...hostsOf(JSON.parse(other.seeds) as string[])].some((host) => hosts.has(host))) found.push(other.id)
    const last = others.at(-1)
    if (last === undefined || others.length < continuedJobsMax) break
    before = last.id
  }
  return found
}

/** The jobs that the generation of a job has named, as its metadata file states them. */
function jobsNamedAtGeneration(store: Store, job: number): number[] {
  const records = jobStatements(store).setupRecords.all({ job })
  const text = records.find(({ name }) => name === duplicateReductionJobs)?.text ?? ''
  return text === '' ? [] : text.split(',').map(Number)
}

/** Hosts of URLs, without `www.`, as equivalent URLs have it (`surt.ts`). */
function hostsOf(urls: readonly string[]): Set<string> {
  return new Set(urls.flatMap((url) => URL.parse(url)?.hostname.replace(/^www\d*\./, '') ?? []))
}
