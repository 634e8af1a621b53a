/** The verb `loupe export`: writes a selection of the archive to one new file. */
import { exportedMessage, type ExportRequest, type ExportSummary } from '../../../contract/services/exports.ts'
import { exportLists } from '../../../contract/shapes/choices.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { figuresOf, paceValues, rate, remaining } from '../output/figures.ts'
import type { SelectionAsked } from '../input/selectionOptions.ts'
import { followed, followedTask } from './following.ts'
import { bytesMessage, percentMessage } from '../../../contract/text/quantities.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export interface ExportOptions extends SelectionAsked {
  format: ExportRequest['format']
  path: string
  url?: string
  from?: string
  to?: string
  waczVersion?: ExportRequest['waczVersion']
  /** Only what a search finds. */
  matching?: ExportRequest['matching']
  withOriginals: boolean
  sign: boolean
}

export async function exportJobs(command: Command, options: ExportOptions): Promise<ExitCode> {
  if (options.format !== 'wacz' && (options.sign || options.waczVersion !== undefined))
    throw new Fault('badInput', message('cli.option.wacz'))
  return command.withSession('looks', async ({ services }) => {
    const beganMs = performance.now()
    const begun = await services.exports.start(options)
    command.output.note(
      textOf(message('cli.export.begun', { number: begun.task, what: exportedMessage(options), path: options.path })),
    )
    const ended = await followed(command, followedTask(services.tasks, services.exports, begun, progressText))
    if (ended.state === 'STOPPED') {
      command.output.note(textFor('cli.stopped.unwritten'))
      return 130
    }
    if (!ended.verified) throw new Fault(ended.code ?? 'internal', ended.problem ?? message('cli.export.failed'))
    const { verified, complete, remarks, request, figures } = ended
    const { path, format } = request
    const result = {
      ...figures,
      verified,
      complete,
      remarks,
      task: ended.task,
      format,
      path,
      jobs: request.jobs,
      files: request.files,
      all: request.all,
    }
    command.output.result(result, () => endText(ended, (performance.now() - beganMs) / 1000))
    return complete ? 0 : 1
  })
}

function endText({ request, figures, remarks }: ExportSummary, seconds: number): string {
  const { records, bytes } = figures
  const what = message(exportLists.includes(request.format) ? 'figure.rows' : 'figure.records', { count: records })
  return [
    textFor('cli.export.done', { path: request.path, what, ...paceValues(bytes, seconds) }),
    ...remarks.map(textOf),
  ].join('\n')
}

function progressText({ stage, figures, bytesDone, bytesTotal }: ExportSummary, seconds: number): string {
  const { records, bytes } = figures
  const bytesPerSecond = bytesDone / Math.max(seconds, 0.1)
  const share = bytesTotal === 0 ? 0 : Math.floor((bytesDone / bytesTotal) * 100) / 100
  return textFor('figure.action', {
    action: message(stage === 'verifying' ? 'cli.export.verifying' : 'cli.export.writing'),
    figures: figuresOf([
      percentMessage(share),
      message('figure.records', { count: records }),
      bytesMessage(bytes),
      message('figure.rateRead', { rate: rate(bytesPerSecond) }),
      remaining(bytesTotal - bytesDone, bytesPerSecond),
    ]),
  })
}
