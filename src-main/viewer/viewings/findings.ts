/** Findings of a viewing: URLs that its view does not have, archived errors, and records that cannot be read. They are written
 *  in batches, because a page may request hundreds of files per second. If the disk is full they wait in memory and are listed
 *  all the same. Why something is missing is determined elsewhere (`app`).
 *
 *  Each viewing has one list per view. The lists of the shared viewing are kept until they are cleared. The lists of other
 *  viewings are deleted with the viewing. If the disk cannot be written, they stay until the next start, and no new viewing
 *  gets their name. */
import { StorageFault, type Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import {
  findingBatchMax,
  findingFlushMsMax,
  findingsPerListMax,
  findingsWaitingMax,
  findingUrlCharactersMax,
} from '../model/limits.ts'
import { viewStatements, type FindingDetail, type FindingKey, type FindingList, type FindingRow } from './views.sql.ts'

export type Finding = FindingKey & FindingDetail

export interface Findings {
  /** Adds a finding without waiting for the disk. It is written within `findingFlushMsMax`. */
  note(finding: Finding): void
  /** Missing URLs, oldest first. */
  misses(list: FindingList): FindingRow[]
  errors(list: FindingList): FindingRow[]
  counts(list: FindingList): { misses: number; errors: number }
  /** Deletes a list and returns the number of rows. Throws `StorageFault`. */
  clear(list: FindingList): number
  /** Deletes the lists of a viewing that has ended. */
  end(viewing: string): void
  /** Whether a viewing of this name has any findings. */
  hasListsOf(viewing: string): boolean
  /** Writes waiting findings if possible. */
  flush(): void
}

interface Parts {
  store: Store
  world: World
  onProblem: (error: unknown, doing: string) => void
}

export function openFindings({ store, world, onProblem }: Parts): Findings {
  const sql = viewStatements(store)
  const waiting = new Map<string, Waiting>()
  let isFlushing = false
  let hasFailed = false
  // Lists of viewings that ended with the last process.
  ending(() => sql.clearOwn.run({}))

  function write(): void {
    if (waiting.size === 0) return
    store.transaction(() => {
      const counts = new Map<string, number>()
      for (const { finding, firstMs, lastMs, times } of waiting.values()) {
        if (sql.repeat.run({ ...finding, lastMs, times }) > 0) continue
        const { viewing, view } = finding
        const list = `${viewing} ${view}`
        const count = counts.get(list) ?? sum(sql.count.get({ viewing, view }))
        if (count >= findingsPerListMax) continue
        sql.add.run({ ...finding, firstMs, lastMs, times })
        counts.set(list, count + 1)
      }
    })
    waiting.clear()
  }

  async function flushSoon(): Promise<void> {
    if (isFlushing) return
    isFlushing = true
    await world.clock.sleep(findingFlushMsMax)
    isFlushing = false
    flush()
  }

  /** A full disk must not keep browsers from being answered. It is reported once, until writing succeeds again. */
  function flush(): void {
    try {
      write()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onProblem(error, 'writing the list of what was missing')
      hasFailed = true
    }
  }

  /** Lists that cannot be deleted now are deleted at the next start. */
  function ending(end: () => void): void {
    try {
      end()
    } catch (error) {
      if (!(error instanceof StorageFault)) throw error
      onProblem(error, 'ending the list of what was missing in a viewing that is over')
    }
  }

  const listed = ({ viewing, view }: FindingList, isMiss: 0 | 1): FindingRow[] => {
    flush()
    const rows = sql.list.all({ viewing, view, isMiss })
    return waiting.size === 0 ? rows : withWaiting(rows, { viewing, view, isMiss })
  }

  function withWaiting(rows: readonly FindingRow[], asked: FindingList & { isMiss: 0 | 1 }): FindingRow[] {
    const { isMiss } = asked
    const written = new Set(rows.map(keyOf))
    const further = [...waiting].filter(
      ([key, { finding }]) =>
        isOf(finding, asked) && (finding.kind === 'missing') === (isMiss === 1) && !written.has(key),
    )
    return [
      ...rows.map((row) => {
        const again = waiting.get(keyOf(row))
        return again ? { ...row, lastMs: again.lastMs, times: row.times + again.times } : row
      }),
      // Negative numbers, which no row has.
      ...further.map(([, { finding, ...rest }], at) => ({ ...finding, ...rest, id: -1 - at })),
    ]
  }
  return {
    note({ url, referrer, method, initiator, ...rest }) {
      const finding = {
        ...rest,
        url: cut(url),
        referrer: cut(referrer),
        method: cut(method),
        initiator: cut(initiator),
      }
      const key = keyOf(finding)
      const nowMs = world.clock.now()
      const known = waiting.get(key)
      if (known) {
        waiting.set(key, { ...known, finding, lastMs: nowMs, times: known.times + 1 })
      } else if (waiting.size < findingsWaitingMax) {
        waiting.set(key, { finding, firstMs: nowMs, lastMs: nowMs, times: 1 })
      }
      if (waiting.size >= findingBatchMax && !hasFailed) flush()
      else void flushSoon()
    },
    misses: (list) => listed(list, 1),
    errors: (list) => listed(list, 0),
    counts({ viewing, view }) {
      flush()
      const list = { viewing, view }
      if (waiting.size > 0) return { misses: listed(list, 1).length, errors: listed(list, 0).length }
      return sql.count.get(list) ?? { misses: 0, errors: 0 }
    },
    clear({ viewing, view }) {
      flush()
      const list = { viewing, view }
      const cleared = sql.clear.run(list)
      for (const [key, { finding }] of waiting) if (isOf(finding, list)) waiting.delete(key)
      return cleared
    },
    end(viewing) {
      for (const [key, { finding }] of waiting) if (finding.viewing === viewing) waiting.delete(key)
      ending(() => sql.clearViewing.run({ viewing }))
    },
    hasListsOf: (viewing) => sql.anyOf.get({ viewing }) !== undefined,
    flush,
  }
}

interface Waiting {
  finding: Finding
  firstMs: number
  lastMs: number
  times: number
}

function keyOf({ viewing, view, kind, url, referrer, method }: FindingKey): string {
  return JSON.stringify([viewing, view, kind, url, referrer, method])
}

function isOf(finding: FindingList, list: FindingList): boolean {
  return finding.viewing === list.viewing && finding.view === list.view
}

const sum = (counts = { misses: 0, errors: 0 }): number => counts.misses + counts.errors

function cut(text: string): string {
  return text.length > findingUrlCharactersMax ? text.slice(0, findingUrlCharactersMax) : text
}
