/** `loupe harvest URL…`: one event harvest, from its definition to files in every replica. */
import { isDeepStrictEqual } from 'node:util'
import { harvestDefinition, type HarvestDefinition, type JobSummary, type JobWhole, type Loupe } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Command, ExitCode } from '../command.ts'
import { bytesText, durationText } from '../output.ts'

/** A look at the job when no event came: events are hints, the job itself is what counts. */
const lookMs = 1_000

export async function harvest(command: Command, asked: unknown): Promise<ExitCode> {
  const definition = checked(asked)
  return command.withSession(true, async ({ services, own }) => {
    const job = (await unfinished(services, definition)) ?? (await services.harvests.create(definition)).job
    command.output.note(`Job ${job} harvests ${definition.seeds.join(', ')} into ${command.archiveFolder}`)
    const ended = await follow(command, services, job, own)
    if (ended === undefined) {
      command.output.note(`Stopped. ${own ? `The same command again goes on with job ${job}.` : `Job ${job} goes on in the Loupe that has the archive open.`}`)
      return 130
    }
    return report(command, await services.jobs.show({ job }))
  })
}

function checked(asked: unknown): HarvestDefinition {
  const result = harvestDefinition.safeParse(asked)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new Fault('badInput', `${issue?.path.join(' ') || 'harvest'}: ${issue?.message ?? 'cannot be read'}.`)
}

/** The same harvest, ended by Ctrl-C or a kill: it is gone on with, not begun anew. */
async function unfinished(services: Loupe, definition: HarvestDefinition): Promise<number | undefined> {
  for (const { job, ended, kind } of await services.jobs.list({})) {
    if (ended !== null || kind !== 'event') continue
    const { definition: other } = await services.jobs.show({ job })
    const sameSeeds = isDeepStrictEqual(other.seeds.map(plain), definition.seeds.map(plain))
    if (sameSeeds && isDeepStrictEqual({ ...other, seeds: [] }, { ...definition, seeds: [] })) return job
  }
  return undefined
}

function plain(seed: string): string {
  return URL.parse(/:\/\//.test(seed) ? seed : `http://${seed}`)?.href ?? seed
}

/** Undefined when Ctrl-C came first. */
async function follow({ output, signal }: Command, services: Loupe, job: number, own: boolean): Promise<JobSummary | undefined> {
  const logged = logPrinter(services, job, (text) => output.note(text))
  let ring = () => {}
  const unsubscribe = services.jobs.changed((summary) => {
    if (summary.job === job) ring()
  })
  try {
    for (;;) {
      const { promise, resolve } = Promise.withResolvers<void>()
      ring = resolve
      const summary = await services.jobs.show({ job })
      await logged()
      if (signal.aborted) return undefined
      if (summary.ended !== null && summary.state === 'INACTIVE') return summary
      if (own && summary.state === 'PAUSED' && summary.reason !== null) throw new Fault(/free|space/i.test(summary.reason) ? 'noSpace' : 'refused', summary.reason)
      output.progress(progressText(summary))
      const timer = setTimeout(resolve, lookMs)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      clearTimeout(timer)
    }
  } finally {
    unsubscribe()
  }
}

/** Warnings and errors of the job's log as they come. */
function logPrinter(services: Loupe, job: number, print: (text: string) => void): () => Promise<void> {
  let after = 0
  return async () => {
    for (const line of await services.jobs.log({ job, after })) {
      after = line.id
      if (line.level !== 'info') print(line.text)
    }
  }
}

function progressText({ status, documents, queued, bytes, documentsPerSecond, seconds }: JobSummary): string {
  const remaining = documentsPerSecond > 0 ? `, at least ${durationText(queued / documentsPerSecond)} to go` : ''
  return `${status}: ${documents.fetched} fetched, ${queued} waiting, ${bytesText(bytes)}, ${documentsPerSecond.toFixed(1)} documents/s, ${durationText(seconds)}${remaining}`
}

function report({ output }: Command, job: JobWhole): ExitCode {
  const { documents, findings } = job
  const files = job.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }))
  const result = {
    job: job.job,
    state: job.state,
    status: job.status,
    stopReason: job.stopReason,
    documents,
    bytes: job.bytes,
    seconds: job.seconds,
    files,
    findings,
  }
  output.result(result, () =>
    [
      `Job ${job.job}: ${job.status} (${job.stopReason ?? 'no reason recorded'}) after ${durationText(job.seconds)}`,
      `${documents.fetched} documents fetched, ${documents.failed} failed, ${documents.excluded} excluded; ${bytesText(job.bytes)} in ${files.length} files`,
      ...files.map(({ name, bytes, sha256 }) => `  ${name}  ${bytesText(bytes)}  sha256 ${sha256}`),
      ...findings.map(({ level, text }) => `${level}: ${text}`),
    ].join('\n'),
  )
  return findings.some(({ level }) => level !== 'note') ? 1 : 0
}
