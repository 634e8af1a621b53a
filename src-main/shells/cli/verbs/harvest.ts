/** `loupe harvest URL…`: one event harvest, from its definition to files in every replica. */
import { isDeepStrictEqual } from 'node:util'
import {
  harvestDefinition,
  type HarvestDefinition,
  type JobSummary,
  type JobWhole,
  type Loupe,
} from '../../../contract/contract.ts'
import { Fault } from '../../../contract/faults.ts'
import { stopped, type Command, type ExitCode } from '../command.ts'
import { bytesText, countText, durationText } from '../output.ts'
import type { Session } from '../session.ts'

/** A look at the job when no event came: events are hints, the job itself is what counts. */
const lookMs = 1_000

export async function harvest(command: Command, asked: unknown): Promise<ExitCode> {
  const definition = checked(asked)
  const { output, archiveFolder } = command
  return command.withSession('works', async (session) => {
    const { services, own } = session
    const unsubscribe = services.system.problem(({ text }) => output.note(text))
    try {
      const begun = await unfinished(services, definition)
      const job = begun?.job ?? (await services.harvests.create(definition)).job
      const deed = begun ? 'goes on with' : 'harvests'
      const whose = own ? '' : ', worked on by the Loupe that has the archive open'
      output.note(`Job ${job} ${deed} ${definition.seeds.join(', ')} into ${archiveFolder}${whose}.`)
      if (begun?.state === 'PAUSED') await services.jobs.resume({ job })
      const ended = await follow(command, session, job)
      if (ended === 'stopped') {
        output.note(
          own
            ? `Stopped: the same command again goes on with job ${job}.`
            : `Job ${job} goes on without us: "loupe job abort ${job}" stops it.`,
        )
        return 130
      }
      return report(command, await services.jobs.show({ job }))
    } finally {
      unsubscribe()
    }
  })
}

function checked(asked: unknown): HarvestDefinition {
  const result = harvestDefinition.safeParse(asked)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const option = String(issue?.path[0] ?? '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new Fault('badInput', `--${option}: ${issue?.message ?? 'it cannot be read'}.`)
}

/** The same harvest, ended by Ctrl-C or a kill, or paused: it is gone on with, not begun anew. */
async function unfinished(services: Loupe, definition: HarvestDefinition): Promise<JobSummary | undefined> {
  for (const summary of await services.jobs.list({})) {
    if (summary.ended !== null || summary.kind !== 'event') continue
    const { definition: other } = await services.jobs.show({ job: summary.job })
    const sameSeeds = isDeepStrictEqual(other.seeds.map(plain), definition.seeds.map(plain))
    if (sameSeeds && isDeepStrictEqual({ ...other, seeds: [] }, { ...definition, seeds: [] })) return summary
  }
  return undefined
}

function plain(seed: string): string {
  return URL.parse(/:\/\//.test(seed) ? seed : `http://${seed}`)?.href ?? seed
}

async function follow(
  { output, signal }: Command,
  { services, own }: Session,
  job: number,
): Promise<'ended' | 'stopped'> {
  const printLog = logPrinter(services, job, (text) => output.note(text))
  const ctrlC = stopped(signal)
  let ring = () => {}
  let said = ''
  const unsubscribe = services.jobs.changed((summary) => {
    if (summary.job === job) ring()
  })
  try {
    for (;;) {
      const { promise, resolve } = Promise.withResolvers<void>()
      ring = resolve
      const summary = await services.jobs.show({ job })
      await printLog()
      if (summary.ended !== null && summary.state === 'INACTIVE') return 'ended'
      if (signal.aborted) return 'stopped'
      if (own) refuseWhenHindered(summary)
      if (summary.state !== said && summary.state === 'PAUSED')
        output.note(`Job ${job} is paused: "loupe job resume ${job}" goes on with it.`)
      said = summary.state
      output.progress(progressText(summary))
      const timer = setTimeout(resolve, lookMs)
      await Promise.race([promise, ctrlC])
      clearTimeout(timer)
    }
  } finally {
    unsubscribe()
  }
}

/** A job that the disk stopped waits for a person; a command that waits with it would look as if it worked. */
function refuseWhenHindered({ state, reason, job }: JobWhole): void {
  if (state !== 'PAUSED' || reason === null) return
  throw new Fault(/free|space/i.test(reason) ? 'noSpace' : 'refused', `Job ${job} is paused. ${reason}`)
}

/** Warnings and errors of the job's log as they come. */
function logPrinter(services: Loupe, job: number, print: (text: string) => void): () => Promise<void> {
  let after = 0
  return async () => {
    for (const line of await services.jobs.log({ job, after, limit: 1000 })) {
      after = line.id
      if (line.level !== 'info') print(line.text)
    }
  }
}

function progressText({ status, documents, queued, bytes, documentsPerSecond }: JobSummary): string {
  const remaining = documentsPerSecond > 0 ? `, at least ${durationText(queued / documentsPerSecond)} to go` : ''
  return `${status}: ${documents.fetched} fetched, ${queued} waiting, ${bytesText(bytes)}, ${documentsPerSecond.toFixed(1)}/s${remaining}`
}

function report({ output }: Command, whole: JobWhole): ExitCode {
  const { job, state, stopReason, documents, bytes, seconds, findings } = whole
  const files = whole.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }))
  output.result({ job, state, stopReason, documents, bytes, seconds, files, findings }, () =>
    [
      `Job ${job}: ${whole.status} (${stopReason ?? 'no reason recorded'}) after ${durationText(seconds)}`,
      `${countText(documents.fetched, 'document')} fetched (${countText(documents.duplicate, 'duplicate')}), ${documents.failed} failed, ${documents.excluded} excluded; ${bytesText(bytes)} of answers in ${countText(files.length, 'file')}`,
      ...files.map((file) => `  ${file.name}  ${bytesText(file.bytes)}  sha256 ${file.sha256}`),
      ...findings.map(({ level, text }) => `${level}: ${text}`),
    ].join('\n'),
  )
  return findings.some(({ level }) => level !== 'note') ? 1 : 0
}
