/**
 * Worker thread of an export: chooses, writes, reads the result again and compares it, and gives the file its name. An early end leaves no
 * files.
 */
import { diskMessage, faultCodeOfDisk } from '../disk/diskFaults.ts'
import { DiskFault, type Task, type TaskContext } from '../../world/world.ts'
import { choose } from './choosing.ts'
import type { ExportInput, ExportOutcome, ExportReport } from './export.ts'
import { exportCsv } from './exportCsv.ts'
import { exportWacz } from './exportWacz.ts'
import { exportWarc } from './exportWarc.ts'
import type { Exported, Exporting } from './exporting.ts'
import { PartFile } from './partFile.ts'
import { Progress } from './progress.ts'
import { Refusal } from './refusal.ts'
import { Losses } from './losses.ts'

export const task: Task<ExportInput, ExportOutcome, ExportReport> = async (context, input) => {
  try {
    return await exported(context, input)
  } catch (error) {
    // The class of an error is lost when it leaves a thread, so environment errors are returned as values.
    if (error instanceof Refusal) return { kind: 'failed', code: error.code, problem: error.userMessage }
    if (!(error instanceof DiskFault)) throw error
    return { kind: 'failed', code: faultCodeOfDisk[error.code], problem: diskMessage(error) }
  }
}

async function exported(context: TaskContext<ExportReport>, input: ExportInput): Promise<ExportOutcome> {
  const { world, signal } = context
  const progress = new Progress({ clock: world.clock, emit: (report) => context.report(report) })
  const chosen = await choose({ world, signal, progress }, input)
  const part = await PartFile.create(world.disk, input.target)
  let named = false
  try {
    const losses = new Losses()
    const { records, ...written } = await write({ context, input, chosen, part, progress, losses })
    const lacking = [...chosen.lacking, ...written.lacking]
    const bytes = part.position
    progress.bytesTotal += bytes
    await part.compare({ signal, onBytes: (reached) => progress.reading(reached) })
    progress.read(bytes)
    signal.throwIfAborted()
    await part.name()
    named = true
    progress.now()
    const remarks = [...chosen.remarks, ...lacking, ...losses.remarks()]
    return { kind: 'written', records, bytes, complete: lacking.length + losses.count === 0, remarks }
  } finally {
    if (!named) await part.discard()
  }
}

/** Writes the file in the requested format. */
function write(exporting: Exporting): Promise<Exported> {
  const { form } = exporting.input
  if (form.format === 'wacz') return exportWacz(exporting, form)
  return form.format === 'csv' ? exportCsv(exporting) : exportWarc(exporting)
}
