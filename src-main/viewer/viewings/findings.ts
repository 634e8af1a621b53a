/** What was wrong while a view was looked at: addresses that its jobs do not hold, errors that were archived as such, bodies that
 *  cannot be read. Written with others, since a page may ask for hundreds of files in a second; what cannot be written, because the
 *  disk is full, waits in memory and is listed all the same. Why something is missing is not known here.
 *
 *  Each viewing has lists of its own, one of each view. Those of the interface's viewing are what a person notes down, and stay until
 *  they are cleared. Those of another end with it: nobody can ask for them without its name and password, which are gone then. Where
 *  the disk takes no writing they stay, and their name is given to nobody until they are gone. */
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
  /** Never waits for the disk: written with others within `findingFlushMsMax`. */
  note(finding: Finding): void
  /** Oldest first. */
  misses(list: FindingList): FindingRow[]
  errors(list: FindingList): FindingRow[]
  counts(list: FindingList): { misses: number; errors: number }
  /** How many rows went. Throws `StorageFault`. */
  clear(list: FindingList): number
  /** The viewing is over, and so are its lists. */
  end(viewing: string): void
  /** Something is left of a viewing of this name. */
  hasListsOf(viewing: string): boolean
  /** Writes what waits, if that can be. */
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
  // Of viewings that did not come to their end: Loupe did.
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

  /** A full disk is no reason not to answer a browser. It is told once, until something could be written again. */
  function flush(): void {
    try {
      write()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onProblem(error, 'writing the list of what was missing')
      hasFailed = true
    }
  }

  /** What stays for lack of room on the disk goes when Loupe starts again. */
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
      // Numbers that no row has.
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
