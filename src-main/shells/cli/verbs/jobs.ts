/** The verbs `loupe jobs` and `loupe job ACTION ID`. */
import type { AnswerCounts, JobWhole } from '../../../contract/services/jobDetails.ts'
import type { JobSummary } from '../../../contract/services/jobSummary.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { confirmed } from '../input/confirmation.ts'
import type { Session } from '../session/session.ts'
import { bytesText, countText, durationText, momentText, plainText, table } from '../output/output.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

export async function listJobs(command: Command, state: string | undefined): Promise<ExitCode> {
  return command.withSession('looks', async ({ services, own }) => {
    const jobs = await services.jobs.list(state === undefined ? {} : { state })
    const shown = jobs.map(
      ({
        job,
        state,
        status,
        stopReason,
        harvest,
        documents,
        progress,
        queued,
        findingCounts,
        bytes,
        seconds,
        started,
        ended,
      }) => ({
        ...{ job, state, status, stopReason, harvest },
        ...{ documents, progress, queued, findingCounts, bytes, seconds },
        ...{ started, ended },
      }),
    )
    // The state of a job tells what will be done, not that an engine is doing it.
    const waiting = jobs.filter((job) => job.ended === null && job.state !== 'PAUSED')
    if (own && waiting.length > 0) {
      command.output.note(textOf(message('cli.idle.jobs')))
    }
    const none = textOf(state === undefined ? message('cli.jobs.none') : message('cli.jobs.noneIn', { state }))
    command.output.result(shown, () =>
      jobs.length === 0
        ? none
        : table(
            [
              '>job',
              'status',
              'harvest',
              '>done',
              '>in scope',
              '>fetched',
              '>truncated',
              '>failed',
              '>excluded',
              '>queued',
              '>findings',
              '>received',
              'started',
              '>took',
            ],
            jobs.map((job) => [
              job.job,
              job.status,
              job.harvest,
              job.progress.done,
              job.progress.total,
              job.documents.fetched,
              job.documents.truncated,
              job.documents.failed,
              job.documents.excluded,
              job.queued,
              totalOf(job.findingCounts),
              bytesText(job.bytes),
              momentText(job.started, 'not yet'),
              durationText(job.seconds),
            ]),
          ),
    )
    return 0
  })
}

/** Lists deleted jobs. --jobs takes their numbers. */
export async function listDeletedJobs(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const jobs = await services.jobs.deleted({})
    command.output.result(jobs, () =>
      jobs.length === 0
        ? textOf(message('cli.jobs.noneDeleted'))
        : table(
            ['>job', 'harvest', 'deleted', '>files', '>size'],
            jobs.map(({ job, name, deleted, files, bytes }) => [
              job,
              name ?? 'unknown',
              momentText(deleted, 'unknown'),
              files,
              bytesText(bytes),
            ]),
          ),
    )
    return 0
  })
}

export async function showJob(command: Command, job: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const whole = await services.jobs.show({ job })
    command.output.result(whole, () => wholeText(whole))
    return 0
  })
}

function wholeText(whole: JobWhole): string {
  const { job, status, stopReason, documents, findings, answers } = whole
  const tables = [
    table(
      ['>run', 'started', 'ended', '>took', 'stopped because', '>fetched', '>received', '>findings'],
      whole.runs.map((run) => [
        run.run,
        momentText(run.started, ''),
        momentText(run.ended, '-'),
        durationText(run.seconds),
        run.reason === null ? (run.stopReason ?? '-') : textOf(run.reason),
        run.captures,
        bytesText(run.bytes),
        run.findings ?? '-',
      ]),
    ),
    table(
      ['>HTTP status', '>documents'],
      whole.byStatus.map((row) => [row.status, row.documents]),
    ),
    table(
      ['media type', '>documents', '>size'],
      whole.byMediaType.map((row) => [row.mediaType, row.documents, bytesText(row.bytes)]),
    ),
    table(
      ['not fetched because', '>documents'],
      whole.byReason.map((row) => [textOf(row.message), row.documents]),
    ),
    table(
      ['file', '>size', 'stored'],
      whole.files.map((file) => [
        file.name,
        bytesText(file.bytes),
        file.stored ? 'in every replica' : 'not everywhere',
      ]),
    ),
  ]
  return [
    `Job ${job}: ${status}`,
    ...(whole.ended === null || whole.state !== 'INACTIVE' ? [`now        ${textOf(whole.doing)}`] : []),
    `harvest    ${whole.harvest}`,
    `seeds      ${whole.seeds.join(' ')}`,
    `started    ${momentText(whole.started, 'not yet')}`,
    `ended      ${momentText(whole.ended, 'not yet')}${stopReason === null ? '' : ` (${stopReason})`}`,
    `ran        ${durationText(whole.seconds)}, ${whole.documentsPerSecond.toFixed(1)} documents/s`,
    `progress   ${whole.progress.done} of ${whole.progress.total} URLs in scope, ${whole.queued} queued, ${documents.excluded} excluded`,
    `documents  ${documents.fetched} fetched (${countText(documents.duplicate, 'duplicate')}, ${documents.truncated} truncated), ${documents.failed} failed`,
    ...(answers === null ? [] : [`answers    ${answersText(answers)}`]),
    `received   ${bytesText(whole.bytes)} in this run`,
    `files      ${countText(whole.files.length, 'file')}, ${bytesText(whole.fileBytes)} compressed`,
    `findings   ${findingsText(whole.findingCounts)}`,
    ...findings.map(({ level, message }) => `${level.padEnd(11)}${textOf(message)}`),
    // A table with only a heading is left out.
    ...tables.filter((text) => text.includes('\n')).flatMap((text) => ['', text]),
  ].join('\n')
}

function totalOf({ errors, warnings, notes }: JobSummary['findingCounts']): number {
  return errors + warnings + notes
}

function findingsText(counts: JobSummary['findingCounts']): string {
  const { errors, warnings, notes } = counts
  const parts = [countText(errors, 'error'), countText(warnings, 'warning'), countText(notes, 'note')]
  return `${totalOf(counts)} (${parts.join(', ')})`
}

function answersText({ success, redirects, clientErrors, notFound, serverErrors, other, none }: AnswerCounts): string {
  const rest = other > 0 ? `, ${other} other` : ''
  return `${success} success (2xx), ${redirects} redirects (3xx), ${notFound} not found (404), ${clientErrors - notFound} other 4xx, ${serverErrors} server errors (5xx)${rest}, ${none} without an answer`
}

export async function actOnJob(command: Command, action: 'pause' | 'resume' | 'abort', job: number): Promise<ExitCode> {
  return moveJob(command, job, ({ services }) => services.jobs[action]({ job }))
}

export async function deleteJob(command: Command, job: number, isAgreed: boolean): Promise<ExitCode> {
  return moveJob(command, job, async ({ services }) => {
    const { harvest } = await services.jobs.show({ job })
    const question = textOf(message('cli.job.delete', { job, name: plainText(harvest) }))
    const print = (text: string) => void process.stderr.write(text)
    if (!isAgreed) await confirmed({ input: process.stdin, print, question, option: '--yes' })
    return services.jobs.delete({ job })
  })
}

export async function startJob(command: Command, job: number, minimal: boolean): Promise<ExitCode> {
  return moveJob(command, job, ({ services }) => services.jobs.start({ job, minimal }))
}

export async function restartJob(command: Command, job: number, minimal: boolean): Promise<ExitCode> {
  return moveJob(command, job, ({ services }) => services.jobs.restart({ job, minimal }))
}

async function moveJob(
  command: Command,
  job: number,
  ask: (session: Session) => Promise<{ job: number; from: string; to: string }>,
): Promise<ExitCode> {
  return command.withSession('looks', async (session) => {
    const moved = await ask(session)
    command.output.result(moved, () => `Job ${job}: ${moved.from} → ${moved.to}`)
    if (session.own) command.output.note(textOf(message('cli.idle.job')))
    return 0
  })
}
