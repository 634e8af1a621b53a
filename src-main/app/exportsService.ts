/** The contract's `exports`: the archive's exports, of jobs that have ended. */
import type { Exports } from '../archive/exports.ts'
import { exportRequest, type Loupe } from '../contract/contract.ts'
import { Fault } from '../contract/faults.ts'
import type { Jobs } from '../crawl/crawl.ts'

export function exportsService({ exports, jobs }: { exports: Exports; jobs: Jobs }): Loupe['exports'] {
  return {
    async start(given) {
      const request = exportRequest.parse(given)
      const chosen = request.jobs.map((job) => jobs.summary(job))
      const running = chosen.find(({ ended }) => ended === null)
      if (running)
        throw new Fault(
          'refused',
          `Job ${running.job} cannot be exported yet: it is "${running.status}"; it can when it has ended.`,
        )
      return exports.start(request, [...new Set(chosen.flatMap(({ seeds }) => seeds))])
    },
    list: async () => exports.list(),
    stop: ({ export: id }) => exports.stop(id),
    changed: (onPayload) => exports.onChange(onPayload),
  }
}
