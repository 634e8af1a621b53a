/** The list of files as a person narrows and sorts it, a page at a time. What it is narrowed down to is looked for up to a
 *  bound: no one reads ten thousand rows, and how many copies stand badly is what the replicas' numbers say. */
import type { ArchivedFile, CopyStanding, FileOrder } from '../../contract/services/archive.ts'
import type { Store } from '../../storage/storage.ts'
import type { FileRow } from './archive.sql.ts'
import { fileListStatements, type Direction } from './fileList.sql.ts'
import { filesListedMax } from '../files/limits.ts'
import type { Believed } from './copyStatus.sql.ts'

export interface FilesQuery {
  /** Part of the name, in any case of letters. */
  text?: string | undefined
  job?: number | undefined
  /** Of a copy in one of the replicas, or in the one that is named. A replica without a state: stored there. */
  state?: CopyStanding | undefined
  replica?: string | undefined
  /** Without it nothing is overdue. */
  believed?: Believed
  order?: FileOrder | undefined
  direction?: Direction | undefined
  offset: number
  limit: number
}

export interface ListedFiles {
  rows: ArchivedFile[]
  total: number
  /** False: there are more than could be listed; `total` is how many are. */
  complete: boolean
}

const everBelieved: Believed = { beforeMs: 0, untilMs: Number.MAX_SAFE_INTEGER }

/** `replicas`: all that the archive has by its settings. `shown` makes of rows what the contract shows. */
export function fileList(store: Store, replicas: readonly string[], shown: (files: FileRow[]) => ArchivedFile[]) {
  const statements = fileListStatements(store)

  /** Null: the list is not narrowed down by more than a job. */
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
    // So many stand so that what is wanted may lie behind the bound: the files are gone through instead.
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

/** LIKE takes the letters of ASCII in either case, and names have no others. */
function likeOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
