/** Resources that an audited page did not get, noted as misses of the job. */
import type { SeenResource } from '../model/pageBrowser.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import { missNoter, type Noticed } from '../misses/noteMiss.ts'
import { requestReasonIn } from '../misses/missReason.ts'

interface Parts {
  store: Store
  jobs: Pick<Jobs, 'known' | 'fateOf'>
}

/** A visited page. */
export interface AuditedVisit {
  job: number
  page: string
  atMs: number
  resources: readonly SeenResource[]
}

/** Returns a function that notes them, in the transaction of its caller. */
export function auditMisses({ store, jobs }: Parts): (visit: AuditedVisit) => void {
  const note = missNoter(store)
  return ({ job, page, atMs, resources }) => {
    const kind = jobs.known(job)?.kind
    if (kind === undefined) return
    const missing = resources.filter(({ found }) => found === 'missing')
    note(
      missing.map(({ url, type, method }): Noticed => ({
        ...{ job, url, type, page, source: 'audit', firstMs: atMs, lastMs: atMs, times: 1 },
        reason: requestReasonIn(method, jobs.fateOf(job, url), kind),
        // What a patch job has captured is not in the view of the audited job.
        isMissedAgain: (patchJob) => patchJob === null,
      })),
    )
  }
}
