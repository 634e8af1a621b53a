/** The verb `loupe quality report`: what is known about the quality of a job, as a page to print, a table or data. */
import { Fault } from '../../../contract/calls/faults.ts'
import type { reportFormats } from '../../../contract/shapes/choices.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor } from '../../../contract/words/render.ts'
import { writtenReport } from './writtenReport.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'

export interface QualityReportOptions {
  job: number
  /** Undefined: HTML. */
  format?: (typeof reportFormats)[number]
  destination: string | undefined
}

export async function qualityReport(command: Command, options: QualityReportOptions): Promise<ExitCode> {
  const { job, format = 'html', destination } = options
  if (command.output.json && destination === undefined && (options.format ?? 'json') !== 'json')
    throw new Fault('badInput', message('cli.option.formatOfJson', { format }))
  return command.withSession('looks', async ({ services }) => {
    const made = await unlessStopped(command.signal, services.qualityReports.make({ job, format }))
    if (destination === undefined) command.output.result(made.data, () => made.text.trimEnd())
    else {
      const path = await writtenReport(destination, made)
      command.output.result({ path, format, at: made.data.at }, () => textFor('cli.report.wrote', { path }))
    }
    return 0
  })
}
