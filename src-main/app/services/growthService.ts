/** Service `growth` of the contract. */
import type { Loupe } from '../../contract/contract.ts'
import type { Indexes } from '../../indexes/indexes.ts'

interface Parts {
  indexes: Pick<Indexes, 'growth'>
  /** Aborted when the engine is closed. */
  signal: AbortSignal
}

type Answer = Awaited<ReturnType<Loupe['growth']['overTime']>>

/** Makes the service. */
export function growthService({ indexes, signal }: Parts): Loupe['growth'] {
  return {
    async overTime({ jobs, files, all, period = 'month', groupsMax = 8, isCumulative = false, ...wanted }) {
      const selection = { jobs, files, all }
      const found = await indexes.growth({ selection, period, groupsMax, ...wanted, signal })
      const rows = isCumulative ? accumulated(found.rows) : found.rows
      return { ...found, rows, filesMissing: [...found.filesMissing] }
    },
  }
}

/** Each period with the amounts of those before it. */
function accumulated(rows: Answer['rows']): Answer['rows'] {
  let before: Answer['rows'][number]['amounts'] = []
  return rows.map(({ period, amounts }) => {
    before = amounts.map(({ captures, bytes }, at) => ({
      captures: captures + (before[at]?.captures ?? 0),
      bytes: bytes + (before[at]?.bytes ?? 0),
    }))
    return { period, amounts: before }
  })
}
