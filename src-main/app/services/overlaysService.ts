/** Service `overlays` of the contract. */
import type { Loupe } from '../../contract/contract.ts'
import type { Quality } from '../../quality/quality.ts'

/** Makes the service. */
export function overlaysService({ quality: { overlays } }: { quality: Pick<Quality, 'overlays'> }): Loupe['overlays'] {
  return {
    list: async ({ jobs }) => overlays.list(jobs),
    change: (change) => overlays.change(change),
  }
}
