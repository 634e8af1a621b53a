/** Service `verdicts` of the contract. */
import type { LoupeImplementation } from '../../contract/contract.ts'
import type { Quality } from '../../quality/quality.ts'

/** Makes the service. */
export function verdictsService({
  quality,
}: {
  quality: Pick<Quality, 'verdicts' | 'begun'>
}): LoupeImplementation['verdicts'] {
  const { verdicts, begun } = quality
  return {
    async list({ offset = 0, limit = 200, ...asked }) {
      await begun
      return verdicts.list({ ...asked, offset, limit })
    },
    async progress({ job }) {
      await begun
      return verdicts.progress(job)
    },
    async set(given, { account }) {
      await begun
      return { pages: verdicts.set(given, account) }
    },
    store: async ({ job }) => ({ file: await verdicts.store(job) }),
  }
}
