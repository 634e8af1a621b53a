/** Service `verdicts` of the contract. */
import type { Loupe } from '../../contract/contract.ts'
import type { Quality } from '../../quality/quality.ts'

/** Makes the service. */
export function verdictsService({ quality: { verdicts } }: { quality: Pick<Quality, 'verdicts'> }): Loupe['verdicts'] {
  return {
    list: async ({ offset = 0, limit = 200, ...asked }) => verdicts.list({ ...asked, offset, limit }),
    progress: async ({ job }) => verdicts.progress(job),
    set: async (given) => ({ pages: verdicts.set(given) }),
    store: async ({ job }) => ({ file: await verdicts.store(job) }),
  }
}
