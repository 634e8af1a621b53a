/** Finds out whether a selection of files lacks the original of any of its revisits. */
import type { Task } from '../../world/world.ts'
import { openComplete } from '../captures/manifest.ts'
import { withStore } from '../databases/withStore.ts'
import { eachReferring } from './eachReferring.ts'
import type { LedgerInput } from './ledger.ts'
import { ledgerStatements } from './ledger.sql.ts'

/** What the thread works on: a database of the captures of the selection. */
export type LackingInput = Pick<LedgerInput, 'database' | 'copies'>

export const task: Task<LackingInput, boolean> = ({ world, signal }, { database, copies }) =>
  withStore(openComplete(database), async (store) => {
    const sql = ledgerStatements(store)
    const wanted = { isWanted: () => true, copies, otherUrls: 'named' as const }
    for await (const { row, original } of eachReferring({ world, sql, signal }, wanted))
      if ('why' in original && row.recordType === 'revisit') return true
    return false
  })
