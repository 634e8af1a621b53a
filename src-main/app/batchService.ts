/** The contract's `batch`: batch jobs over the files of the archive. */
import type { Batch } from '../archive/batch/batch.ts'
import { batchRequest, type Loupe } from '../contract/contract.ts'

export function batchService(batch: Batch): Loupe['batch'] {
  return {
    start: async (given) => batch.start(batchRequest.parse(given)),
    list: async () => batch.list(),
    stop: ({ run }) => batch.stop(run),
    output: ({ run, of = 'output', offset = 0, limit = 65_536 }) => batch.output({ run, of, offset, limit }),
    builtIns: async () => batch.builtIns(),
    changed: (onPayload) => batch.onChange(onPayload),
  }
}
