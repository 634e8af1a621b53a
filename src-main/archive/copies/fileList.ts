/** File list with filters and sorting, a page at a time. Filtered lists are limited to `filesListedMax` files; the number of bad
 *  copies is shown with the replicas. */
import type { ArchivedFile, CopyState, FileOrder } from '../../contract/services/archivedFiles.ts'
import type { Store } from '../../storage/storage.ts'
import type { FileRow } from './archive.sql.ts'
import { fileListStatements, type Direction } from './fileList.sql.ts'
import { filesListedMax } from '../files/limits.ts'
import type { Believed } from './copyStatus.sql.ts'

export interface FilesQuery {
  /** Part of the name, ignoring case. */
  text?: string | undefined
  job?: number | undefined
  /** State of a copy in any replica, or in `replica` where given. `replica` without `state` means stored there. */
  state?: CopyState | undefined
  replica?: string | undefined
  /** Period in which comparisons are accepted; without it no copy is overdue. */
  believed?: Believed
  order?: FileOrder | undefined
  direction?: Direction | undefined
  offset: number
  limit: number
}

/** A page of the list. */
export interface ListedFiles {
  rows: ArchivedFile[]
  total: number
  /** Whether all matching files are listed; if false, `total` is the number listed. */
  complete: boolean
}

const everBelieved: Believed = { beforeMs: 0, untilMs: Number.MAX_SAFE_INTEGER }

/** Creates the list function. `replicas`: all replicas of the settings. `shown` converts rows to the form of the contract. */
export function fileList(store: Store, replicas: readonly string[], shown: (files: FileRow[]) => ArchivedFile[]) {
  const statements = fileListStatements(store)

  /** Ids of the matching files; null when there is no filter except by job. */
  function chosen(query: FilesQuery): number[] | null {
    const { text = '', job, replica, believed = everBelieved } = query
    const state = query.state ?? (replica === undefined ? undefined : 'stored')
    if (text === '' && state === undefined) return null
    const limit = filesListedMax + 1
    const narrowing = { like: likeOf(text), job: job ?? null, limit }
    const walk = job === undefined ? 'all' : 'ofJob'
    if (state === undefined) return idsOf(statements.byName[walk].all(narrowing))
    const copies = { replicas: JSON.stringify(replica === undefined ? replicas : [replica]), limit, ...believed }
    const found = idsOf(statements.byCopy[state].all(copies))
    if (text === '' && job === undefined) return found
    // The matches may lie beyond the limit, so the files are scanned instead.
    if (found.length > filesListedMax)
      return idsOf(statements.byNameAndCopy[state][walk].all({ ...narrowing, ...copies }))
    return idsOf(statements.among.all({ ...narrowing, ids: JSON.stringify(found) }))
  }

  return function files(query: FilesQuery): ListedFiles {
    const { job, order = 'name', direction = 'ascending', offset, limit } = query
    const ids = chosen(query)
    if (ids === null) {
      const page = { offset, limit }
      const rows =
        job === undefined
          ? statements.page[order][direction].all(page)
          : statements.pageOfJob[order][direction].all({ ...page, job })
      const count = job === undefined ? statements.count.get({}) : statements.countOfJob.get({ job })
      return { rows: shown(rows), total: count?.total ?? 0, complete: true }
    }
    const listed = ids.slice(0, filesListedMax)
    const rows = statements.pageAmong[order][direction].all({ ids: JSON.stringify(listed), offset, limit })
    return { rows: shown(rows), total: listed.length, complete: listed.length === ids.length }
  }
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id)
}

/** Escapes text for LIKE, which ignores the case of ASCII letters; names have no other letters. */
function likeOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
