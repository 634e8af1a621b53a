/** Which file an export has written, for a shell that gives it to the user. */
import type { ExportSummary } from '../../contract/contract.ts'
import { Fault } from '../../contract/calls/faults.ts'

/** Its path. Throws `Fault`: notFound where there is no such export, refused while it is not compared yet. */
export function writtenBy(exports: readonly ExportSummary[], number: number): string {
  const one = exports.find((each) => each.export === number)
  if (!one) throw new Fault('notFound', `There is no export ${number} since Loupe was started.`)
  if (!one.verified) throw new Fault('refused', `Export ${number} has no finished file.`)
  return one.request.path
}
