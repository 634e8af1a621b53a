/** Finds the originals of revisits in some files that are in other files. */
import type { RevisitElsewhere } from '../../files/export/export.ts'
import type { Task } from '../../world/world.ts'
import { openComplete } from '../captures/manifest.ts'
import { withStore } from '../databases/withStore.ts'
import { elsewhereMax } from '../model/limits.ts'
import { eachReferring } from './eachReferring.ts'
import { ledgerStatements } from './ledger.sql.ts'

/** What the thread works on. */
export interface ElsewhereInput {
  /** Path of a complete database of the captures of the whole archive. */
  database: string
  /** Path of a copy of each file, by its name. */
  copies: ReadonlyMap<string, string>
  /** Names of the files with the revisits. */
  files: ReadonlySet<string>
}

/** Revisits in the order of their originals. */
export interface FoundElsewhere {
  revisits: RevisitElsewhere[]
  /** False: there are more than `elsewhereMax`. */
  isAll: boolean
}

export const task: Task<ElsewhereInput, FoundElsewhere> = ({ world, signal }, { database, copies, files }) =>
  withStore(openComplete(database), async (store) => {
    const revisits: RevisitElsewhere[] = []
    const isWanted = ({ name }: { name: string }) => files.has(name)
    const wanted = { isWanted, copies, otherUrls: 'namedFirst' as const }
    const sql = ledgerStatements(store)
    for await (const { row, original } of eachReferring({ world, sql, signal }, wanted)) {
      // A duplicate of a crawl log is exported as a revisit, together with its original.
      if (row.recordType === 'duplicate' || 'why' in original || !original.isAvailable) continue
      if (files.has(original.file.name)) continue
      if (revisits.length >= elsewhereMax) return { revisits: inOrder(revisits), isAll: false }
      const { url, timestampMs } = row
      revisits.push({ url, timestampMs, filename: original.file.name, offset: original.row.offset })
    }
    return { revisits: inOrder(revisits), isAll: true }
  })

function inOrder(revisits: readonly RevisitElsewhere[]): RevisitElsewhere[] {
  return revisits.toSorted((a, b) => (a.filename < b.filename ? -1 : a.filename > b.filename ? 1 : a.offset - b.offset))
}
