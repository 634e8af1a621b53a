/** Service `batch` of the contract: batch jobs over the files of the archive. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Batch } from '../../archive/batch/batch.ts'
import { batchRequest } from '../../contract/services/batch.ts'
import type { Loupe } from '../../contract/contract.ts'
import type { Jobs } from '../../crawl/crawl.ts'

export function batchService({
  batch,
  archive,
  jobs,
}: {
  batch: Batch
  archive: Pick<Archive, 'filesOfJob'>
  jobs: Pick<Jobs, 'summary'>
}): Loupe['batch'] {
  return {
    async start(given) {
      const request = batchRequest.parse(given)
      // The files of a deleted job are still there. `summary` throws a `Fault` where neither the job nor files exist.
      for (const job of request.jobs ?? []) if (archive.filesOfJob(job).length === 0) jobs.summary(job)
      return batch.start(request)
    },
    list: async () => batch.list(),
    output: ({ task, of = 'output', offset = 0, limit = 65_536 }) => batch.output({ task, of, offset, limit }),
    builtIns: async () => batch.builtIns(),
  }
}
