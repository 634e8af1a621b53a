/** `loupe jobs` and `loupe job ACTION ID`. */
import type { Command, ExitCode } from '../command.ts'
import { bytesText, durationText, table } from '../output.ts'

export async function listJobs(command: Command, state: string | undefined): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    const jobs = await services.jobs.list(state === undefined ? {} : { state })
    const shown = jobs.map((job) => ({
      job: job.job,
      state: job.state,
      status: job.status,
      harvest: job.harvest,
      documents: job.documents,
      bytes: job.bytes,
      started: job.started,
      ended: job.ended,
    }))
    command.output.result(shown, () =>
      jobs.length === 0
        ? 'There are no jobs. "loupe harvest URL" makes one.'
        : table(
            ['job', 'status', 'harvest', 'fetched', 'failed', 'bytes', 'started', 'took'],
            jobs.map((job) => [
              job.job,
              job.status,
              job.harvest,
              job.documents.fetched,
              job.documents.failed,
              bytesText(job.bytes),
              job.started ?? '-',
              durationText(job.seconds),
            ]),
          ),
    )
    return 0
  })
}

export async function showJob(command: Command, job: number): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    const whole = await services.jobs.show({ job })
    command.output.result(whole, () =>
      [
        `Job ${job}: ${whole.status}${whole.reason === null ? '' : ` – ${whole.reason}`}`,
        `harvest   ${whole.harvest}`,
        `seeds     ${whole.seeds.join(' ')}`,
        `started   ${whole.started ?? 'not yet'}`,
        `ended     ${whole.ended ?? 'not yet'}${whole.stopReason === null ? '' : ` (${whole.stopReason})`}`,
        `documents ${whole.documents.fetched} fetched, ${whole.documents.failed} failed, ${whole.documents.excluded} excluded, ${whole.queued} waiting`,
        '',
        table(['status', 'documents'], whole.byStatus.map(({ status, documents }) => [status, documents])),
        '',
        table(['media type', 'documents', 'bytes'], whole.byMediaType.map((row) => [row.mediaType, row.documents, bytesText(row.bytes)])),
        ...(whole.byReason.length === 0 ? [] : ['', table(['not fetched because', 'documents'], whole.byReason.map(({ text, documents }) => [text, documents]))]),
        ...(whole.files.length === 0 ? [] : ['', table(['file', 'bytes', 'stored'], whole.files.map((file) => [file.name, bytesText(file.bytes), file.stored ? 'in every replica' : 'not everywhere']))]),
      ].join('\n'),
    )
    return 0
  })
}

export async function actOnJob(command: Command, action: 'pause' | 'resume' | 'abort', job: number): Promise<ExitCode> {
  return command.withSession(false, async ({ services, own }) => {
    const moved = await services.jobs[action]({ job })
    command.output.result(moved, () => `Job ${job}: ${moved.from} → ${moved.to}`)
    if (own) command.output.note('No Loupe works on this archive now; the job moves on when one is started ("loupe serve", "npm start").')
    return 0
  })
}
