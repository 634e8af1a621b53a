/** Which file an export has written, for a shell that gives it to the user. */
import type { ExportSummary } from '../../contract/contract.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'

/** Its path. Throws `Fault`: notFound where there is no such export, refused while it is not compared yet. */
export function writtenBy(exports: readonly ExportSummary[], number: number): string {
  const one = exports.find((each) => each.export === number)
  if (!one) throw new Fault('notFound', message('export.absent', { number }))
  if (!one.verified) throw new Fault('refused', message('export.unfinished', { number }))
  return one.request.path
}
