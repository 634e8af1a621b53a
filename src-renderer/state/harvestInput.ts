/** What a user gave a harvest definition, with all its configurations, so that it can be changed. */
import type { Loupe } from '../../src-main/contract/contract.ts'
import { harvestInput, type HarvestInput } from '../../src-main/contract/services/harvestDefinitions.ts'
import { allRows } from './allRows.ts'

/** As many configurations as a harvest may have. */
const configurationsMax = 100_000

/** Rejects with the engine's `Fault`. */
export async function inputOf(
  services: Pick<Loupe['harvestDefinitions'], 'show' | 'configurations'>,
  harvest: number,
): Promise<HarvestInput> {
  const row = await services.show({ harvest })
  const isSnapshot = row.kind === 'snapshot'
  const { rows } = isSnapshot
    ? { rows: [] }
    : await allRows((page) => services.configurations({ harvest, ...page }), {
        ...{ perPage: 1_000, rowsMax: configurationsMax },
      })
  const given = Object.keys(harvestInput.shape).map((name) => [name, row[name as keyof typeof row]])
  return harvestInput.parse({ ...Object.fromEntries(given), configurations: rows })
}
