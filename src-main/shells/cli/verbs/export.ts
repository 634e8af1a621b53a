/** The verb `loupe export`: writes a selection of the archive to one new file. */
import type { ExportRequest, ExportSummary } from '../../../contract/services/exports.ts'
import type { Loupe } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { selectionText } from '../../../contract/shapes/selection.ts'
import { stopped, type Command, type ExitCode } from '../session/command.ts'
import { bytesText, countText, durationText } from '../output/output.ts'
import type { SelectionAsked } from '../input/selectionOptions.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

/** Interval after which the export is queried when no event came. Events are hints; only the state of the export is decisive. */
const lookMs = 500

export interface ExportOptions extends SelectionAsked {
  format: ExportRequest['format']
  path: string
  url?: string
  from?: string
  to?: string
  waczVersion?: ExportRequest['waczVersion']
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
      textOf(message('cli.export.begun', { number: begun.export, what: selectionText(options), path: options.path })),
    )
    const ended = await follow(command, services, begun)
    if (ended.state === 'STOPPED') {
      command.output.note(textOf(message('cli.stopped.unwritten')))
      return 130
    }
    if (!ended.verified) throw new Fault(ended.code ?? 'internal', ended.problem ?? message('cli.export.failed'))
    const { records, bytes, verified, complete, remarks, request } = ended
    const { path, format } = request
    const result = {
      records,
      bytes,
      verified,
      complete,
      remarks,
      export: ended.export,
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

function endText({ request, records, bytes, remarks }: ExportSummary, seconds: number): string {
  const what = request.format === 'csv' ? countText(records, 'row') : countText(records, 'record')
  const rate = `${bytesText(bytes / Math.max(seconds, 0.001))}/s`
  return [
    `${request.path}  ${what}, ${bytesText(bytes)} in ${durationText(seconds)} (${rate}); read again, and the same.`,
    ...remarks,
  ].join('\n')
}

async function follow({ output, signal }: Command, services: Loupe, begun: ExportSummary): Promise<ExportSummary> {
  const ctrlC = stopped(signal)
  const beganMs = performance.now()
  let current = begun
  let ring = () => {}
  const unsubscribe = services.exports.changed((changed) => {
    if (changed.export === begun.export) ring()
  })
  try {
    while (current.ended === null) {
      if (signal.aborted) return await services.exports.stop({ export: begun.export })
      output.progress(progressText(current, (performance.now() - beganMs) / 1000))
      const { promise, resolve } = Promise.withResolvers<void>()
      ring = resolve
      const timer = setTimeout(resolve, lookMs)
      await Promise.race([promise, ctrlC])
      clearTimeout(timer)
      current = (await services.exports.list({})).find((row) => row.export === begun.export) ?? current
    }
    return current
  } finally {
    unsubscribe()
  }
}

function progressText({ state, records, bytes, bytesDone, bytesTotal }: ExportSummary, seconds: number): string {
  const rate = bytesDone / Math.max(seconds, 0.1)
  const share = bytesTotal === 0 ? 0 : Math.floor((bytesDone / bytesTotal) * 100)
  const remaining = rate > 0 ? `, ${durationText(Math.max(0, bytesTotal - bytesDone) / rate)} to go` : ''
  const action = state === 'VERIFYING' ? 'compares' : 'writes'
  return `${action}: ${share} %, ${countText(records, 'record')}, ${bytesText(bytes)}, ${bytesText(rate)}/s read${remaining}`
}
