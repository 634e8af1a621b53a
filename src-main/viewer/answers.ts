/** The last answers of the proxy, for an interface that opens after the page did: a ring, each with a number that only grows. */
import type { Answer } from '../contract/viewer.ts'
import { answersMax } from './limits.ts'

export interface Answers {
  /** Its number. */
  note(answer: Omit<Answer, 'id'>): number
  /** Behind number `after`, oldest first. */
  after(after: number): Answer[]
  /** The page on behalf of which a part of a page was asked for: what refers to it may be a style sheet of the page. */
  initiatorOf(asked: Pick<Answer, 'viewing' | 'view' | 'referrer'>): string
  onAnswer(listener: (answer: Answer) => void): () => void
}

/** A style sheet that imports a style sheet that imports … */
const hopsMax = 8

export function openAnswers(): Answers {
  const kept: Answer[] = []
  /** viewing, view, address → the page or the referrer of that address's own last request. */
  const referrers = new Map<string, { isPage: boolean; referrer: string }>()
  const listeners = new Set<(answer: Answer) => void>()
  let last = 0

  return {
    note(noted) {
      const answer = { id: ++last, ...noted }
      kept.push(answer)
      // Cut in large steps: taking one off the front of a long array at each request costs more than the request.
      if (kept.length > 2 * answersMax) kept.splice(0, kept.length - answersMax)
      const key = keyOf(answer)
      referrers.delete(key)
      referrers.set(key, { isPage: answer.navigation, referrer: answer.referrer })
      const [oldest] = referrers.size > answersMax ? referrers.keys() : []
      if (oldest !== undefined) referrers.delete(oldest)
      for (const listener of listeners) listener(answer)
      return answer.id
    },
    after: (after) => kept.slice(-answersMax).filter(({ id }) => id > after),
    initiatorOf({ viewing, view, referrer }) {
      let at = referrer
      for (let hops = 0; hops < hopsMax; hops += 1) {
        const known = referrers.get(keyOf({ viewing, view, url: at }))
        if (!known || known.isPage || known.referrer === '' || known.referrer === at) break
        at = known.referrer
      }
      return at
    },
    onAnswer(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function keyOf({ viewing, view, url }: Pick<Answer, 'viewing' | 'view' | 'url'>): string {
  return `${viewing} ${view} ${url}`
}
