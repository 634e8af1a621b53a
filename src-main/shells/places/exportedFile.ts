/** The file that an export has written, for a shell that passes it to the user. */
import type { ExportSummary } from '../../contract/services/exports.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'

/** Returns the path. Throws `Fault`: notFound when there is no such export, refused while it is not verified yet. */
export function writtenBy(exports: readonly ExportSummary[], number: number): string {
  const one = exports.find((each) => each.task === number)
  if (!one) throw new Fault('notFound', message('export.absent', { number }))
  if (!one.verified) throw new Fault('refused', message('export.unfinished', { number }))
  return one.request.path
}
