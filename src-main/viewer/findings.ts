/** What was wrong while a view was looked at: addresses that its jobs do not hold, errors that were archived as such, bodies that
 *  cannot be read. Written with others, since a page may ask for hundreds of files in a second; what cannot be written, because the
 *  disk is full, waits in memory and is listed all the same. Why something is missing is not known here. */
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import {
  findingBatchMax,
  findingFlushMsMax,
  findingsPerViewMax,
  findingsWaitingMax,
  findingUrlCharactersMax,
} from './limits.ts'
import { viewStatements, type FindingDetail, type FindingKey, type FindingRow } from './views.sql.ts'

export type Finding = FindingKey & FindingDetail

export interface Findings {
  /** Never waits for the disk: written with others within `findingFlushMsMax`. */
  note(finding: Finding): void
  /** Oldest first. */
  misses(view: number): FindingRow[]
  errors(view: number): FindingRow[]
  counts(view: number): { misses: number; errors: number }
  /** How many rows went. Throws `StorageFault`. */
  clear(view: number): number
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

  function write(): void {
    if (waiting.size === 0) return
    store.transaction(() => {
      const counts = new Map<number, number>()
      for (const { finding, firstMs, lastMs, times } of waiting.values()) {
        if (sql.repeat.run({ ...finding, lastMs, times }) > 0) continue
        const { view } = finding
        const count = counts.get(view) ?? sum(sql.count.get({ view }))
        if (count >= findingsPerViewMax) continue
        sql.add.run({ ...finding, firstMs, lastMs, times })
        counts.set(view, count + 1)
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

  const list = (view: number, isMiss: 0 | 1): FindingRow[] => {
    flush()
    const rows = sql.list.all({ view, isMiss })
    return waiting.size === 0 ? rows : withWaiting(rows, { view, isMiss })
  }

  function withWaiting(rows: readonly FindingRow[], { view, isMiss }: { view: number; isMiss: 0 | 1 }): FindingRow[] {
    const written = new Set(rows.map(keyOf))
    const jobs = sql.jobsOf.get({ view })?.jobs ?? '[]'
    const further = [...waiting].filter(
      ([key, { finding }]) =>
        finding.view === view && (finding.kind === 'missing') === (isMiss === 1) && !written.has(key),
    )
    return [
      ...rows.map((row) => {
        const again = waiting.get(keyOf(row))
        return again ? { ...row, lastMs: again.lastMs, times: row.times + again.times } : row
      }),
      // Numbers that no row has.
      ...further.map(([, { finding, ...rest }], at) => ({ ...finding, ...rest, jobs, id: -1 - at })),
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
    misses: (view) => list(view, 1),
    errors: (view) => list(view, 0),
    counts(view) {
      flush()
      if (waiting.size > 0) return { misses: list(view, 1).length, errors: list(view, 0).length }
      return sql.count.get({ view }) ?? { misses: 0, errors: 0 }
    },
    clear(view) {
      flush()
      const cleared = sql.clear.run({ view })
      for (const [key, { finding }] of waiting) if (finding.view === view) waiting.delete(key)
      return cleared
    },
    flush,
  }
}

interface Waiting {
  finding: Finding
  firstMs: number
  lastMs: number
  times: number
}

function keyOf({ view, kind, url, referrer, method }: FindingKey): string {
  return JSON.stringify([view, kind, url, referrer, method])
}

const sum = (counts = { misses: 0, errors: 0 }): number => counts.misses + counts.errors

function cut(text: string): string {
  return text.length > findingUrlCharactersMax ? text.slice(0, findingUrlCharactersMax) : text
}
