/** The contract's `exports`: the archive's exports. A job is exported when it has ended, or was deleted. */
import type { Archive } from '../archive/archive.ts'
import type { Exports } from '../archive/exports.ts'
import { exportRequest, type Loupe } from '../contract/contract.ts'
import type { Jobs } from '../crawl/crawl.ts'
import { checkSelection } from './selecting.ts'

interface Parts {
  exports: Exports
  jobs: Jobs
  archive: Archive
}

export function exportsService({ exports, jobs, archive }: Parts): Loupe['exports'] {
  return {
    async start(given) {
      const request = exportRequest.parse(given)
      checkSelection({ jobs, archive }, request, 'exported')
      const seeds = request.jobs.flatMap((job) => jobs.known(job)?.seeds ?? [])
      return exports.start(request, [...new Set(seeds)])
    },
    list: async () => exports.list(),
    stop: ({ export: id }) => exports.stop(id),
    changed: (onPayload) => exports.onChange(onPayload),
  }
}
