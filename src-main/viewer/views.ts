/** What a person looks at: views (a set of jobs, as of a moment), what a view could not answer, and its last answers.
 *  Views and misses survive a restart; answers are of the present. Why something is missing is not known here. */
import type { Answer } from '../contract/contract.ts'
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { answersMax, missBatchMax, missesPerViewMax, missFlushMsMax, missUrlCharactersMax } from './limits.ts'
import { viewStatements, type MissRow } from './views.sql.ts'

export interface View {
  readonly view: number
  /** Ascending. */
  readonly jobs: readonly number[]
  /** Undefined: the newest capture of everything. */
  readonly atMs: number | undefined
}

export interface Missed {
  url: string
  /** '' when the browser sent none. */
  referrer: string
  method: string
}

export interface Views {
  /** The view of these jobs at this moment: the one there was, so that its misses go on, or a new one. */
  enter(jobs: readonly number[], atMs: number | undefined): View
  /** Never waits for the disk: written with others within `missFlushMsMax`. */
  noteMiss(view: View, missed: Missed): void
  /** Of one view, or of all, oldest first. */
  misses(view?: number): MissRow[]
  missCount(view: number): number
  /** How many rows went. */
  clearMisses(view?: number): number
  noteAnswer(answer: Omit<Answer, 'id'>): void
  answers(after: number): Answer[]
  onAnswer(listener: (answer: Answer) => void): () => void
  /** Writes what waits. */
  flush(): void
}

export function openViews({
  store,
  world,
  onProblem,
}: {
  store: Store
  world: World
  onProblem: (error: unknown, doing: string) => void
}): Views {
  const statements = viewStatements(store)
  const answers = openAnswers()
  const waiting = new Map<string, { view: number; missed: Missed; firstMs: number; lastMs: number; times: number }>()
  let flushing = false

  function flush(): void {
    if (waiting.size === 0) return
    const batch = [...waiting.values()]
    waiting.clear()
    store.transaction(() => {
      const counts = new Map<number, number>()
      for (const { view, missed, firstMs, lastMs, times } of batch) {
        if (statements.repeatMiss.run({ view, ...missed, lastMs, times }) > 0) continue
        const count = counts.get(view) ?? countOf(view)
        if (count >= missesPerViewMax) continue
        statements.addMiss.run({ view, ...missed, firstMs, lastMs, times })
        counts.set(view, count + 1)
      }
    })
  }

  function countOf(view: number): number {
    return statements.countMisses.get({ view })?.misses ?? 0
  }

  async function flushSoon(): Promise<void> {
    if (flushing) return
    flushing = true
    await world.clock.sleep(missFlushMsMax)
    flushing = false
    try {
      flush()
    } catch (error) {
      onProblem(error, 'writing the list of what was missing')
    }
  }

  return {
    enter(jobs, atMs) {
      const ascending = [...new Set(jobs)].toSorted((a, b) => a - b)
      const asked = { jobs: JSON.stringify(ascending), atMs: atMs ?? null }
      const row = statements.findView.get(asked) ?? statements.addView.get({ ...asked, nowMs: world.clock.now() })
      if (!row) throw new Error('INSERT … RETURNING gave no row')
      return { view: row.id, jobs: ascending, atMs }
    },
    noteMiss({ view }, { url, referrer, method }) {
      const missed = { url: cut(url), referrer: cut(referrer), method: cut(method) }
      const key = JSON.stringify([view, missed.url, missed.referrer, missed.method])
      const nowMs = world.clock.now()
      const known = waiting.get(key)
      if (known) {
        known.times += 1
        known.lastMs = nowMs
        return
      }
      waiting.set(key, { view, missed, firstMs: nowMs, lastMs: nowMs, times: 1 })
      if (waiting.size >= missBatchMax) flush()
      else void flushSoon()
    },
    misses(view) {
      flush()
      return statements.listMisses.all({ view: view ?? null })
    },
    missCount(view) {
      flush()
      return countOf(view)
    },
    clearMisses(view) {
      flush()
      return statements.clearMisses.run({ view: view ?? null })
    },
    ...answers,
    flush,
  }
}

/** A ring of the last answers, each with a number that only grows. */
function openAnswers(): Pick<Views, 'noteAnswer' | 'answers' | 'onAnswer'> {
  const kept: Answer[] = []
  const listeners = new Set<(answer: Answer) => void>()
  let last = 0
  return {
    noteAnswer(noted) {
      const answer = { id: ++last, ...noted }
      kept.push(answer)
      // Cut in large steps: taking one off the front of a long array at each request costs more than the request.
      if (kept.length > 2 * answersMax) kept.splice(0, kept.length - answersMax)
      for (const listener of listeners) listener(answer)
    },
    answers: (after) => kept.slice(-answersMax).filter(({ id }) => id > after),
    onAnswer(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function cut(text: string): string {
  return text.length > missUrlCharactersMax ? text.slice(0, missUrlCharactersMax) : text
}
