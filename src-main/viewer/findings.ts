/** What was wrong while a view was looked at: addresses that its jobs do not hold, errors that were archived as such, bodies that
 *  cannot be read. Written with others, since a page may ask for hundreds of files in a second. Why something is missing is not
 *  known here. */
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { findingBatchMax, findingFlushMsMax, findingsPerViewMax, findingUrlCharactersMax } from './limits.ts'
import { viewStatements, type FindingDetail, type FindingKey, type FindingRow } from './views.sql.ts'

export type Finding = FindingKey & FindingDetail

export interface Findings {
  /** Never waits for the disk: written with others within `findingFlushMsMax`. */
  note(finding: Finding): void
  /** Oldest first. */
  misses(view: number): FindingRow[]
  errors(view: number): FindingRow[]
  counts(view: number): { misses: number; errors: number }
  /** How many rows went. */
  clear(view: number): number
  /** Writes what waits. */
  flush(): void
}

interface Parts {
  store: Store
  world: World
  onProblem: (error: unknown, doing: string) => void
}

export function openFindings({ store, world, onProblem }: Parts): Findings {
  const sql = viewStatements(store)
  const waiting = new Map<string, { finding: Finding; firstMs: number; lastMs: number; times: number }>()
  let isFlushing = false

  function flush(): void {
    if (waiting.size === 0) return
    const batch = [...waiting.values()]
    waiting.clear()
    store.transaction(() => {
      const counts = new Map<number, number>()
      for (const { finding, firstMs, lastMs, times } of batch) {
        if (sql.repeat.run({ ...finding, lastMs, times }) > 0) continue
        const { view } = finding
        const count = counts.get(view) ?? sum(sql.count.get({ view }))
        if (count >= findingsPerViewMax) continue
        sql.add.run({ ...finding, firstMs, lastMs, times })
        counts.set(view, count + 1)
      }
    })
  }

  async function flushSoon(): Promise<void> {
    if (isFlushing) return
    isFlushing = true
    await world.clock.sleep(findingFlushMsMax)
    isFlushing = false
    flushForNobody()
  }

  /** A full disk is no reason not to answer a browser. */
  function flushForNobody(): void {
    try {
      flush()
    } catch (error) {
      onProblem(error, 'writing the list of what was missing')
    }
  }

  const list = (view: number, isMiss: 0 | 1) => {
    flush()
    return sql.list.all({ view, isMiss })
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
      const key = JSON.stringify([finding.view, finding.kind, finding.url, finding.referrer, finding.method])
      const nowMs = world.clock.now()
      const known = waiting.get(key)
      if (known) {
        waiting.set(key, { ...known, finding, lastMs: nowMs, times: known.times + 1 })
        return
      }
      waiting.set(key, { finding, firstMs: nowMs, lastMs: nowMs, times: 1 })
      if (waiting.size >= findingBatchMax) flushForNobody()
      else void flushSoon()
    },
    misses: (view) => list(view, 1),
    errors: (view) => list(view, 0),
    counts(view) {
      flush()
      return sql.count.get({ view }) ?? { misses: 0, errors: 0 }
    },
    clear(view) {
      flush()
      return sql.clear.run({ view })
    },
    flush,
  }
}

const sum = (counts = { misses: 0, errors: 0 }): number => counts.misses + counts.errors

function cut(text: string): string {
  return text.length > findingUrlCharactersMax ? text.slice(0, findingUrlCharactersMax) : text
}
