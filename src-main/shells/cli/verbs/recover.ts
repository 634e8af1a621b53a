/** The verb `loupe recover`: restores into the database what only the files of the archive still record. */
import type { RecoverySummary } from '../../../contract/services/recovery.ts'
import type { Loupe } from '../../../contract/contract.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { bytesText, countText, durationText, plainText } from '../output/output.ts'
import type { Session } from '../session/session.ts'
import { followed } from './following.ts'
import { followJob } from './followJob.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

/** Problems shown; --json has them all. */
const problemsShownMax = 20

export async function recover(command: Command): Promise<ExitCode> {
  // Files that no metadata file names are imported, which is work of the engine.
  const act = async (session: Session): Promise<ExitCode> => {
    const { services } = session
    const ended = await follow(command, services, await services.archive.recover({}))
    const { importJob } = ended
    if (importJob !== null && ended.state === 'DONE') {
      command.output.note(textOf(message('cli.recover.importing', { job: importJob })))
      const progress = ({ documents }: { documents: { fetched: number } }) => countText(documents.fetched, 'capture')
      await followJob(command, session, { job: importJob, goOn: false, progressText: progress })
    }
    command.output.result(ended, () => recoveryText(ended))
    if (ended.state === 'STOPPED') return 130
    return ended.state === 'DONE' && ended.problems.length === 0 ? 0 : 1
  }
  return command.withSession('works', act, 'lostDatabase')
}

function follow(command: Command, { archive }: Loupe, begun: RecoverySummary): Promise<RecoverySummary> {
  return followed(command, {
    begun,
    isRunning: ({ state }) => state === 'RUNNING',
    listen: archive.recoveryChanged,
    isSame: () => true,
    look: async () => (await archive.recovery({})) ?? undefined,
    stop: () => archive.stopRecovery({}),
    progressText,
  })
}

function progressText({ filesDone, filesTotal, bytesDone, bytesTotal }: RecoverySummary, seconds: number): string {
  const rate = bytesDone / Math.max(seconds, 0.1)
  const remaining = rate > 0 && bytesDone > 0 ? `, ${durationText((bytesTotal - bytesDone) / rate)} to go` : ''
  return `${filesDone} of ${countText(filesTotal, 'file')}, ${bytesText(bytesDone)} of ${bytesText(bytesTotal)}${remaining}`
}

function recoveryText({ state, filesTotal, registered, jobs, cleared, importJob, problems }: RecoverySummary): string {
  if (state === 'DONE' && filesTotal === 0 && problems.length === 0) return textOf(message('cli.recover.nothing'))
  const lines = [
    `${countText(registered, 'file')} added to the catalogue, ${countText(jobs.length, 'job')} restored${jobs.length > 0 ? ` (${jobs.join(', ')})` : ''}.`,
    ...(cleared > 0 ? [`${countText(cleared, 'file')} left the quarantine: every replica has the same bytes.`] : []),
    ...(importJob === null ? [] : [textOf(message('cli.recover.imports', { job: importJob }))]),
    ...(state === 'STOPPED' ? [textOf(message('cli.stopped.here'))] : []),
  ]
  if (problems.length === 0) return lines.join('\n')
  const shown = problems
    .slice(0, problemsShownMax)
    .map(({ name, message: problem }) => `  ${name === '' ? '' : `${plainText(name)}: `}${plainText(textOf(problem))}`)
  const more = problems.length - shown.length
  return [
    ...lines,
    `${countText(problems.length, 'problem')}; what could not be recovered stays as it was:`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more (--json lists them)`] : []),
  ].join('\n')
}
