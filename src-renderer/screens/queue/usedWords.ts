/** `12 of 500`, or `12` where nothing is bounded. */
import type { Say } from '../../words/words.tsx'

export function usedWords(say: Say, used: number, most: number | null, shown: (value: number) => string): string {
  return most === null ? shown(used) : say('queue.budget.of', { used: shown(used), most: shown(most) })
}
