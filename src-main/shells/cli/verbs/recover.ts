/** The verb `loupe recover`: restores into the database what only the files of the archive still record. */
import type { RecoverySummary } from '../../../contract/services/recovery.ts'
import type { Loupe } from '../../../contract/contract.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { figures, remaining } from '../output/figures.ts'
import { bytesText, plainText } from '../output/output.ts'
import type { Session } from '../session/session.ts'
import { followed } from './following.ts'
import { followJob } from './followJob.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

/** Problems shown; --json has them all. */
const problemsShownMax = 20

export async function recover(command: Command): Promise<ExitCode> {
  // Files that no metadata file names are imported, which is work of the engine.
  const act = async (session: Session): Promise<ExitCode> => {
    const { services } = session
    const ended = await follow(command, services, await services.archive.recover({}))
    const { importJob } = ended
    if (importJob !== null && ended.state === 'DONE') {
      command.output.note(textFor('cli.recover.importing', { job: importJob }))
      const progress = ({ documents }: { documents: { fetched: number } }) =>
        textFor('figure.captures', { count: documents.fetched })
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
    query: async () => (await archive.recovery({})) ?? undefined,
    stop: () => archive.stopRecovery({}),
    progressText,
  })
}

function progressText({ filesDone, filesTotal, bytesDone, bytesTotal }: RecoverySummary, seconds: number): string {
  return figures([
    message('figure.filesOf', { done: filesDone, total: filesTotal }),
    message('figure.doneOf', { done: bytesText(bytesDone), total: bytesText(bytesTotal) }),
    remaining(bytesTotal - bytesDone, bytesDone / Math.max(seconds, 0.1)),
  ])
}

function recoveryText({ state, filesTotal, registered, jobs, cleared, importJob, problems }: RecoverySummary): string {
  if (state === 'DONE' && filesTotal === 0 && problems.length === 0) return textFor('cli.recover.nothing')
  const lines = [
    textFor('cli.recover.done', { files: registered, jobs: jobs.length, numbers: jobs.join(', ') }),
    ...(cleared > 0 ? [textFor('cli.recover.cleared', { count: cleared })] : []),
    ...(importJob === null ? [] : [textFor('cli.recover.imports', { job: importJob })]),
    ...(state === 'STOPPED' ? [textFor('cli.stopped.here')] : []),
  ]
  if (problems.length === 0) return lines.join('\n')
  const shown = problems
    .slice(0, problemsShownMax)
    .map(({ name, message: problem }) => `  ${name === '' ? '' : `${plainText(name)}: `}${plainText(textOf(problem))}`)
  const more = problems.length - shown.length
  return [
    ...lines,
    textFor('cli.recover.problems', { count: problems.length }),
    ...shown,
    ...(more > 0 ? [textFor('figure.more', { count: more })] : []),
  ].join('\n')
}
