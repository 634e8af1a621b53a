/** The verbs `loupe jobs` and `loupe job ACTION ID`. */
import type { AnswerCounts, JobWhole } from '../../../contract/services/jobDetails.ts'
import { stopMessage, type JobSummary } from '../../../contract/services/jobSummary.ts'
import { phaseOf } from '../../../contract/states/jobStates.ts'
import { statusLabel } from '../../../contract/states/jobStatuses.ts'
import { jobStates } from '../../../contract/states/states.ts'
import { badgeOf } from '../output/copyText.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { confirmed } from '../input/confirmation.ts'
import type { Session } from '../session/session.ts'
import { bytesText, durationText, momentText, plainText, table } from '../output/output.ts'
import { numberMessage } from '../../../contract/text/quantities.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

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
      command.output.note(textFor('cli.idle.jobs'))
    }
    const none = textOf(state === undefined ? message('cli.jobs.none') : message('cli.jobs.noneIn', { state }))
    command.output.result(shown, () =>
      jobs.length === 0
        ? none
        : table(
            [
              ...(['>job', 'status', 'harvest', '>done', '>inScope', '>fetched', '>truncated'] as const),
              ...(['>failed', '>excluded', '>queued', '>findings', '>received', 'started', '>took'] as const),
            ],
            jobs.map((job) => [
              job.job,
              textOf(statusLabel(job.status)),
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
              momentText(job.started, textFor('cell.notYet')),
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
        ? textFor('cli.jobs.noneDeleted')
        : table(
            ['>job', 'harvest', 'deleted', '>files', '>size'],
            jobs.map(({ job, name, deleted, files, bytes }) => [
              job,
              name ?? textFor('cell.unknown'),
              momentText(deleted, textFor('cell.unknown')),
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
  return [
    textFor('cli.job.status', { job: whole.job, status: statusLabel(whole.status) }),
    ...labelled(whole).map(([label, text]) => `${textFor(`cli.job.label.${label}`).padEnd(labelWidth)}${text}`),
    ...whole.findings.map(
      ({ level, message }) => `${textFor(`cli.check.severity.${level}`).padEnd(labelWidth)}${textOf(message)}`,
    ),
    // A table with only a heading is left out.
    ...tablesOf(whole)
      .filter((text) => text.includes('\n'))
      .flatMap((text) => ['', text]),
  ].join('\n')
}

function tablesOf(whole: JobWhole): string[] {
  return [
    table(
      ['>run', 'started', 'ended', '>took', 'stopped', '>fetched', '>received', '>findings'],
      whole.runs.map((run) => [
        run.run,
        momentText(run.started, ''),
        momentText(run.ended, '-'),
        durationText(run.seconds),
        whyStopped(run),
        run.captures,
        bytesText(run.bytes),
        run.findings ?? '-',
      ]),
    ),
    table(
      ['>httpStatus', '>urls'],
      whole.byStatus.map((row) => [row.status, row.documents]),
    ),
    table(
      ['mediaType', '>urls', '>size'],
      whole.byMediaType.map((row) => [row.mediaType ?? '-', row.documents, bytesText(row.bytes)]),
    ),
    table(
      ['notFetched', '>urls'],
      whole.byReason.map((row) => [textOf(row.message), row.documents]),
    ),
    table(
      ['file', '>size', 'stored'],
      whole.files.map((file) => [
        file.name,
        bytesText(file.bytes),
        textFor(file.stored ? 'cell.everyReplica' : 'cell.notEveryReplica'),
      ]),
    ),
  ]
}

function whyStopped({ reason, stopReason }: JobWhole['runs'][number]): string {
  if (reason !== null) return textOf(reason)
  return stopReason === null ? '-' : textOf(stopMessage(stopReason))
}

const labelWidth = 11

type Label = 'doing' | 'harvest' | 'seeds' | 'started' | 'ended' | 'ran' | 'progress' | 'urls' | 'answers' | 'received' | 'files' | 'findings' // prettier-ignore

/** The lines of a job, each with the name of its label. */
function labelled(whole: JobWhole): [label: Label, text: string][] {
  const { documents, answers, stopReason } = whole
  const notYet = textFor('cell.notYet')
  const ended = momentText(whole.ended, notYet)
  return [
    ...(whole.ended === null || phaseOf(whole.state) !== 'resting'
      ? [['doing', textOf(whole.doing)] satisfies [Label, string]]
      : []),
    ['harvest', whole.harvest],
    ['seeds', whole.seeds.join(' ')],
    ['started', momentText(whole.started, notYet)],
    [
      'ended',
      stopReason === null ? ended : textFor('cli.job.endedBecause', { ended, reason: stopMessage(stopReason) }),
    ],
    [
      'ran',
      textFor('cli.job.ran', {
        duration: durationText(whole.seconds),
        rate: numberMessage(whole.documentsPerSecond),
      }),
    ],
    [
      'progress',
      textFor('cli.job.progress', {
        ...{ done: whole.progress.done, total: whole.progress.total },
        ...{ queued: whole.queued, excluded: documents.excluded },
      }),
    ],
    [
      'urls',
      textFor('cli.job.urls', {
        ...{ fetched: documents.fetched, duplicate: documents.duplicate },
        ...{ truncated: documents.truncated, failed: documents.failed },
      }),
    ],
    ...(answers === null ? [] : [['answers', answersText(answers)] satisfies [Label, string]]),
    ['received', textFor('cli.job.received', { size: bytesText(whole.bytes) })],
    ['files', textFor('cli.job.files', { files: whole.files.length, size: bytesText(whole.fileBytes) })],
    ['findings', textFor('cli.job.findings', { ...whole.findingCounts, total: totalOf(whole.findingCounts) })],
  ]
}

function totalOf({ errors, warnings, notes }: JobSummary['findingCounts']): number {
  return errors + warnings + notes
}

function answersText({ success, redirects, clientErrors, notFound, serverErrors, other, none }: AnswerCounts): string {
  return textFor('cli.job.answers', {
    ...{ success, redirects, notFound, otherClient: clientErrors - notFound, server: serverErrors, other, none },
  })
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
    command.output.result(moved, () =>
      textFor('cli.job.moved', { job, from: badgeOf(jobStates, moved.from), to: badgeOf(jobStates, moved.to) }),
    )
    if (session.own) command.output.note(textFor('cli.idle.job'))
    return 0
  })
}
