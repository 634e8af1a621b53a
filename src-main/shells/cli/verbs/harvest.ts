/** The verb `loupe harvest URL…`: runs one event harvest, from its definition to files in every replica. */
import { isDeepStrictEqual } from 'node:util'
import { usualConnectors, withoutCopies } from '../../../contract/services/connectors.ts'
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import { stopMessage, type JobSummary } from '../../../contract/services/jobSummary.ts'
import type { JobWhole } from '../../../contract/services/jobDetails.ts'
import type { Loupe } from '../../../contract/contract.ts'
import type { OutputChoice } from '../../../contract/shapes/outputChoice.ts'
import type { ThrottleRule } from '../../../contract/shapes/throttle.ts'
import { statusLabel } from '../../../contract/states/jobStatuses.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { readLogin } from '../input/loginFile.ts'
import type { DeduplicationOptions } from '../input/deduplicationOptions.ts'
import type { RecheckOptions } from '../input/recheckOptions.ts'
import { readSchedule } from '../input/scheduleFile.ts'
import { bytesText, durationText } from '../output/output.ts'
import { checkedDefinition } from './checkedDefinition.ts'
import { withConnectors } from './connectors.ts'
import { followJob } from './followJob.ts'
import { refuseWithoutRoom } from './blockedJob.ts'
import { withDeduplication } from './deduplication.ts'
import { withRecheck } from './recheck.ts'
import { joined } from '../../../contract/words/joined.ts'
import { numberMessage, perSecond } from '../../../contract/text/quantities.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

/** The options as they were given; `login` and `schedule` are the paths of files. */
export interface Asked extends Record<string, unknown>, RecheckOptions, DeduplicationOptions {
  schedule?: string
  login?: string
  seeds: string[]
  hopLimit?: Record<string, number>
  hopMode?: string
  throttle?: ThrottleRule[]
  deliverTo?: OutputChoice[]
}

export async function harvest(
  command: Command,
  { login, schedule, hopLimit, hopMode, throttle, deliverTo: outputs, ...asked }: Asked,
): Promise<ExitCode> {
  const hops = { ...(hopLimit ? { limits: hopLimit } : {}), ...(hopMode ? { mode: hopMode } : {}) }
  const definition = checkedDefinition({
    ...withDeduplication(withRecheck(withConnectors(asked))),
    ...(login === undefined ? {} : { login: await readLogin(login) }),
    ...(schedule === undefined ? {} : { schedule: await readSchedule(schedule) }),
    ...(throttle === undefined ? {} : { throttle: { rules: throttle } }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(Object.keys(hops).length === 0 ? {} : { hops }),
  })
  if (definition.schedule) return waiting(command, definition)
  const { output, archiveFolder } = command
  return command.withSession('works', async (session) => {
    const { services, own } = session
    const begun = await unfinished(services, definition)
    const job = begun?.job ?? (await services.harvests.create(definition)).job
    const values = { job, what: definition.seeds.join(', '), archive: archiveFolder }
    const begins = message(begun ? 'cli.job.continuing' : 'cli.job.harvesting', values)
    output.note(textOf(own ? begins : joined([begins, message('cli.job.runElsewhere')])))
    const log = await logOf(services, job)
    // The job was found paused or pausing: running the command again resumes it.
    const goOn = begun?.state === 'PAUSED' || begun?.state === 'PAUSING'
    // The log is read before the state: the reason for the end is printed once, with the end.
    const before = async () => {
      const lines = await log()
      return ({ reason }: JobSummary) =>
        lines.filter((line) => line !== (reason && textOf(reason))).forEach((line) => output.note(line))
    }
    if ((await followJob(command, session, { job, goOn, before, progressText })) === 'stopped') {
      output.note(textOf(message(own ? 'cli.stopped.again' : 'cli.elsewhere', { job })))
      return 130
    }
    return report(command, await services.jobs.show({ job }))
  })
}

/** Creates a harvest with a schedule. This command neither starts it nor waits for its end. */
async function waiting(command: Command, definition: HarvestDefinition): Promise<ExitCode> {
  return command.withSession('looks', async ({ services, own }) => {
    const { job } = await services.harvests.create(definition)
    const { words, doing, next } = await services.schedules.show({ job })
    const { state, status } = await services.jobs.show({ job })
    command.output.result({ job, state, status, words, next }, () =>
      [textFor('cli.schedule.job', { job, schedule: words.map(textOf).join('; ') }), textOf(doing)].join('\n'),
    )
    if (own) command.output.note(textFor('cli.idle.schedules'))
    return 0
  })
}

/** Finds the same harvest, ended by Ctrl-C or a kill, or paused: it is continued instead of started again. */
async function unfinished(services: Loupe, definition: HarvestDefinition): Promise<JobSummary | undefined> {
  for (const summary of await services.jobs.list({})) {
    if (summary.ended !== null || summary.kind !== 'event') continue
    const { definition: other } = await services.jobs.show({ job: summary.job })
    const sameSeeds = isDeepStrictEqual(other.seeds.map(plain), definition.seeds.map(plain))
    if (sameSeeds && isDeepStrictEqual(comparable(other), comparable(definition))) return summary
  }
  return undefined
}

/** Leaves out the seeds, and what a definition copies from its connections. */
function comparable({ connectors, ...definition }: HarvestDefinition): object {
  return { ...definition, seeds: [], connectors: withoutCopies(connectors ?? usualConnectors) }
}

function plain(seed: string): string {
  return URL.parse(/:\/\//.test(seed) ? seed : `http://${seed}`)?.href ?? seed
}

/** Returns the warnings and errors added to the job's log since the last call. */
type Log = () => Promise<string[]>

/** Returns only lines from now on: earlier ones were printed by the command that started the job. */
async function logOf(services: Loupe, job: number): Promise<Log> {
  let after = 0
  const next = async () => {
    const lines = await services.jobs.log({ job, after, limit: 1000 })
    after = lines.at(-1)?.id ?? after
    return lines.flatMap(({ level, message }) => (level === 'info' ? [] : [textOf(message)]))
  }
  await next()
  return next
}

function progressText({ status, documents, progress, queued, bytes, documentsPerSecond }: JobSummary): string {
  const values = {
    ...{ status: statusLabel(status), done: progress.done, total: progress.total, fetched: documents.fetched, queued },
    ...{ bytes: bytesText(bytes), rate: perSecond(numberMessage(documentsPerSecond)) },
  }
  return documentsPerSecond > 0
    ? textFor('cli.harvest.progress.remaining', { ...values, duration: durationText(queued / documentsPerSecond) })
    : textFor('cli.harvest.progress', values)
}

function report({ output }: Command, whole: JobWhole): ExitCode {
  const { job, state, stopReason, documents, progress, answers, bytes, fileBytes, findingCounts, seconds, findings } =
    whole
  const files = whole.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }))
  output.result(
    { job, state, stopReason, documents, progress, answers, bytes, fileBytes, seconds, files, findingCounts, findings },
    () =>
      [
        textFor('cli.job.ended', {
          ...{ job, status: statusLabel(whole.status), duration: durationText(seconds) },
          reason: stopReason === null ? message('cli.job.noReason') : stopMessage(stopReason),
        }),
        textFor('cli.harvest.summary', {
          ...{ fetched: documents.fetched, duplicate: documents.duplicate, truncated: documents.truncated },
          ...{ failed: documents.failed, excluded: documents.excluded },
          ...{ received: bytesText(bytes), stored: bytesText(fileBytes), files: files.length },
        }),
        ...files.map(({ name, bytes, sha256 }) =>
          textFor('cli.harvest.file', { name, size: bytesText(bytes), sha256 }),
        ),
        ...findings.map(({ level, message: text }) =>
          textFor('figure.named', { name: textFor(`cli.check.severity.${level}`), text }),
        ),
      ].join('\n'),
  )
  refuseWithoutRoom(whole)
  return findings.some(({ level }) => level !== 'note') ? 1 : 0
}
